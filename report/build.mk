# SPDX-License-Identifier: MIT
# The command zprof.

# All of report/ but main: the core's rooms, lowest first, the text of C++ names, and the features.
CORE_ROOMS   := base read disk names source pattern times tree load select options view command
# The features that report/uses lists; iprof is a library of its own.
FEATURES     := $(filter-out iprof,$(shell awk '/^[a-z]/ { print $$1 }' report/uses))
REPORT_DIRS  := $(CORE_ROOMS:%=report/core/%) report/cxx $(FEATURES:%=report/%)
REPORT_OBJS  := $(B)/report/commands.o $(B)/report/loaders.o $(patsubst %.c,$(B)/%.o,$(foreach dir,$(REPORT_DIRS),$(sort $(wildcard $(dir)/*.c))))
REPORT_OBJS  := $(filter-out $(foreach processor,$(OTHER_PROCESSORS),%_$(processor).o),$(REPORT_OBJS))
# One place knows what a call of a hook looks like: these files of the library.
REPORT_OBJS  += $(B)/report/sites/scan.o $(B)/report/sites/cfi.o
REPORT_LIBS   = $(SYMBOLIZE_LIB) $(SYMBOLIZE_LIBS) -linih -ljansson -lprotobuf-c -lncursesw -ltinfo -lz -lm

# What a feature builds beside its C files, it says itself.
include $(wildcard $(FEATURES:%=report/%/build.mk))

$(B)/report/%.o: report/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

$(B)/report/sites/scan.o: preload/sites/scan.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@
$(B)/report/sites/cfi.o: preload/code/cfi.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

# The help: a text for each command, what other features add to these, and the pages that belong to none.
COMMAND_TEXTS := $(shell awk 'sub(/^const struct command cmd_/, "") { sub(/ .*/, ""); folder = FILENAME; sub(/[^\/]*$$/, "", folder); \
	print folder $$0 ".txt" }' $(wildcard $(FEATURES:%=report/%/cmd_*.c)))
HELP_TEXTS    := $(sort $(COMMAND_TEXTS) $(wildcard $(FEATURES:%=report/%/*.txt) report/help/pages/*.txt))
report/%.txt:
	@echo "$@ is missing: the help of the command '$(*F)' (report/texts.awk says how it is written)" >&2; exit 1

# The list changes when a feature comes or goes.
.PHONY: FORCE
$(B)/report/texts.list: FORCE | $(NEED_BUILD)
	@mkdir -p $(@D)
	@echo '$(HELP_TEXTS)' | cmp -s - $@ || echo '$(HELP_TEXTS)' >$@

$(B)/report/texts.c: report/texts.awk $(HELP_TEXTS) $(B)/report/texts.list
	awk -f $(filter-out %.list,$^) >$@

$(B)/report/texts.o: $(B)/report/texts.c
	$(CC) $(ALL_CFLAGS) -c $< -o $@
REPORT_OBJS += $(B)/report/texts.o

$(B)/zprof: $(B)/report/main.o $(REPORT_OBJS) $(SYMBOLIZE_LIB)
	$(CC) $(SANFLAGS) $(LDFLAGS) $(filter %.o,$^) -o $@ $(REPORT_LIBS)

# IProf's report, for programs that draw it themselves: the parts of the command that it needs, with all other names hidden.
PROF_REPORT := $(B)/libzprof-report.a
PROF_REPORT_LIBS := $(SYMBOLIZE_LIBS) -linih -ljansson -lz -lm
$(B)/report/iprof/all.a: $(REPORT_OBJS)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

$(PROF_REPORT): $(B)/report/iprof/prof_report.o $(B)/report/iprof/all.a $(SYMBOLIZE_LIB)
	$(LD) -r $^ -o $(B)/report/iprof/whole.o
	objcopy --wildcard --keep-global-symbol='Prof_*' $(B)/report/iprof/whole.o
	@rm -f $@
	$(AR) rcs $@ $(B)/report/iprof/whole.o

ALL += $(B)/zprof $(PROF_REPORT)

# Unit tests of report/, each linked with all of it except main. A builder of their own makes their profiles.
REPORT_TESTS := $(addprefix $(B)/tests/,advise/report_leave_out callgraph/report_laws callgraph/report_via cxx/cxx_names \
	$(addprefix core/report_,collect divided estimate groups lengthened load mean near options patterns reader units visible) \
	files/report_files frames/report_collect_frames second_run/report_native_paths second_run/report_unwind second_run/report_outside top/report_live)
REPORT_BUILDER := $(B)/tests/core/profile_builder.o $(B)/tests/core/profile_layout.o
REPORT_FRAMED := $(B)/tests/second_run/framed_$(PROCESSOR).o
REPORT_TEST_OBJS := $(REPORT_TESTS:%=%.o) $(REPORT_BUILDER) $(B)/tests/core/profile_loaded.o $(REPORT_FRAMED)

$(REPORT_TEST_OBJS): $(B)/tests/%.o: tests/%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -D_GNU_SOURCE -c $< -o $@

$(REPORT_TESTS): %: %.o $(REPORT_BUILDER) $(B)/tests/core/profile_loaded.o $(REPORT_OBJS) $(SYMBOLIZE_LIB)
	$(CC) $(SANFLAGS) $(LDFLAGS) $(filter %.o,$^) -o $@ $(REPORT_LIBS) -lcmocka

# Pages of its file must lie before its code, too, which linkers for arm64 leave out.
$(B)/tests/second_run/report_unwind: LDFLAGS += -Wl,-z,separate-code
$(B)/tests/second_run/report_unwind: $(REPORT_FRAMED)

$(B)/tests/make_profile: tests/tools/make_profile.c $(REPORT_BUILDER)
	$(CC) $(ALL_CFLAGS) $(filter %.c %.o,$^) -o $@

$(B)/tests/check_frames: tests/tools/check_frames.c $(REPORT_OBJS) $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(filter %.c %.o,$^) -o $@ $(REPORT_LIBS)

$(B)/tests/push_bytes: tests/tools/push_bytes.c $(REPORT_OBJS) $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(filter %.c %.o,$^) -o $@ $(REPORT_LIBS)

$(B)/tests/json_shape: tests/tools/json_shape.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ -ljansson

TEST_DEPS += $(REPORT_TESTS) $(B)/tests/make_profile $(B)/tests/json_shape $(B)/tests/check_frames $(B)/tests/push_bytes

# The reader under libFuzzer, from seeds that the builder makes: for FUZZ_SECONDS, or until something is found.
FUZZ_SECONDS ?= 60
FUZZ_ROOMS   := base read disk names source pattern times tree load select
FUZZ_PARTS   := $(filter-out %/terminal.c %/table.c %/wrap.c %/trampoline.c %/source_text.c $(OTHER_PROCESSORS:%=\%_%.c),$(foreach room,$(FUZZ_ROOMS),$(wildcard report/core/$(room)/*.c))) $(wildcard report/cxx/*.c) \
	report/frames/frames.c report/frames/frame_pick.c report/frames/profile_frames.c report/statements/block_counts.c
FUZZ_SOURCES := tests/fuzz/report.c tests/fuzz/mutate.c tests/fuzz/symbolize_none.c tests/fuzz/trampoline_none.c tests/fuzz/loaders_few.c $(FUZZ_PARTS)

$(B)/fuzz/report: $(FUZZ_SOURCES) $(wildcard report/*/*.h report/*/*/*.h) preload/format.h | $(NEED_TEST)
	@mkdir -p $(@D)
	clang $(CSTD) -O1 -g -I. -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Wno-gnu-variable-sized-type-not-at-end $(FUZZ_SOURCES) -o $@ -linih -ljansson -lz -lm

.PHONY: fuzz-report
fuzz-report: $(B)/fuzz/report $(B)/tests/make_profile ## fuzz the profile reader (FUZZ_SECONDS, 60)
	@tests/fuzz/report.sh $(B) $(FUZZ_SECONDS)

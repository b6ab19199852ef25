# SPDX-License-Identifier: MIT
# The command zprof.

REPORT_PARTS := \
	base/memory base/str base/lookup base/units base/progress base/terminal base/text_width base/table base/near \
	  base/visible base/say \
	profile/owner profile/source profile/profile_read profile/profile_records profile/profile_links profile/find_files \
	model/zones model/via model/sites model/trampoline model/tree model/limits model/load model/derive \
	  model/expression model/name_forms model/pattern model/groups model/groups_file model/filters \
	  model/filters_tree model/short_name model/leave_out \
	view/options view/view view/view_head view/view_json view/counter_columns view/listing view/json_functions \
	  view/blocks view/tree_view view/group_times \
	commands/help commands/commands commands/record_check commands/record_run commands/cmd_record \
	  commands/cmd_report commands/cmd_graph commands/cmd_groups commands/cmd_info commands/cmd_tune \
	  commands/cmd_cflags commands/cmd_help commands/cmd_resolve
REPORT_OBJS  := $(REPORT_PARTS:%=$(B)/report/%.o)
REPORT_LIBS   = $(SYMBOLIZE_LIB) $(SYMBOLIZE_LIBS) -linih -ljansson -lm

$(B)/report/%.o: report/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

$(B)/zprof: $(B)/report/main.o $(REPORT_OBJS) $(SYMBOLIZE_LIB)
	$(CC) $(SANFLAGS) $(LDFLAGS) $(filter %.o,$^) -o $@ $(REPORT_LIBS)

ALL += $(B)/zprof

# Unit tests of the layer, each with all of it but main; profiles are made by a builder of their own.
REPORT_TESTS := $(addprefix $(B)/tests/report_,laws reader units visible patterns groups via leave_out)
REPORT_BUILDER := $(B)/tests/unit/profile_builder.o $(B)/tests/unit/profile_layout.o

$(B)/tests/unit/%.o: tests/unit/%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -D_GNU_SOURCE -c $< -o $@

$(B)/tests/report_%: $(B)/tests/unit/report_%.o $(REPORT_BUILDER) $(REPORT_OBJS) $(SYMBOLIZE_LIB)
	$(CC) $(SANFLAGS) $(LDFLAGS) $(filter %.o,$^) -o $@ $(REPORT_LIBS) -lcmocka

$(B)/tests/make_profile: tests/tools/make_profile.c $(REPORT_BUILDER)
	$(CC) $(ALL_CFLAGS) $^ -o $@

$(B)/tests/json_shape: tests/tools/json_shape.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ -ljansson

TEST_DEPS += $(REPORT_TESTS) $(B)/tests/make_profile $(B)/tests/json_shape

# The reader under libFuzzer, from seeds that the builder makes: for FUZZ_SECONDS, or until something is found.
FUZZ_SECONDS ?= 60
FUZZ_PARTS := \
	base/memory base/str base/visible base/lookup base/progress base/units base/near \
	profile/owner profile/source profile/profile_read profile/profile_records profile/profile_links profile/find_files \
	model/zones model/via model/sites model/short_name model/tree model/limits model/load model/derive \
	  model/expression model/name_forms model/pattern model/groups model/filters model/filters_tree
FUZZ_SOURCES := tests/fuzz/report.c tests/fuzz/symbolize_none.c tests/fuzz/trampoline_none.c $(FUZZ_PARTS:%=report/%.c)

$(B)/fuzz/report: $(FUZZ_SOURCES) $(wildcard report/*/*.h) preload/format.h | $(NEED_TEST)
	@mkdir -p $(@D)
	clang $(CSTD) -O1 -g -I. -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined $(FUZZ_SOURCES) -o $@

.PHONY: fuzz-report
fuzz-report: $(B)/fuzz/report $(B)/tests/make_profile ## fuzz the profile reader (FUZZ_SECONDS, 60)
	@tests/fuzz/report.sh $(B) $(FUZZ_SECONDS)
.SECONDARY: $(REPORT_TESTS:$(B)/tests/%=$(B)/tests/unit/%.o)

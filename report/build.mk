# SPDX-License-Identifier: MIT
# The command zprof.

REPORT_LOAD := model/choices model/load model/load_processes model/load_profile model/load_calls model/load_facts
REPORT_PARTS := \
	base/memory base/str base/replace base/lookup base/units base/progress base/terminal base/text_width base/wrap base/table base/near \
	  base/visible base/say \
	profile/owner profile/source profile/profile_read profile/profile_records profile/profile_links profile/profile_frames profile/record_kinds \
	  profile/profile_write profile/pack \
	  profile/collect profile/collect_set profile/collect_frames profile/profile_since profile/recordings \
	files/file_kind files/file_rules files/find_files files/count_once files/own_names files/record_replace files/process_state files/runs \
	sampler/rings sampler/unwind sampler/sampler sampler/chance sampler/price \
	model/told model/zones model/facts model/source_text model/via model/sites model/places model/lines model/block_counts model/block_lines model/statements model/trampoline model/tree model/fold model/estimate model/limits model/frames model/frame_pick model/wait_calls model/waits $(REPORT_LOAD) model/derive \
	  model/expression model/name_forms model/pattern model/groups model/groups_file model/filters \
	  model/filters_tree model/match model/mean model/short_name model/leave_out model/keep model/archive model/merge model/merge_write model/ended model/native_code model/native_paths model/native_times model/native \
	view/options view/options_table view/options_take view/view view/view_head view/view_json view/frames_view view/frame_view view/frames_json view/counter_columns view/wait_columns view/listing view/json_functions \
	  view/blocks view/annotate view/annotate_print view/counts_view view/marked view/tree_view view/group_times view/parts view/ranks view/compare_samples view/compare view/compare_order view/compare_view view/compare_json \
	  view/compare_folded view/gate view/gate_view \
	export/export export/walk export/callgrind export/pprof export/pprof.pb-c export/firefox export/cpuprofile \
	  export/speedscope export/folded export/dot export/gmon export/csv export/ordering \
	page/page page/sources \
	live/binary live/stopped live/reach live/running live/ask live/choose \
	live/processes live/frame_list live/contexts live/follow live/rows live/top live/cells live/keys live/sheet_head live/sheet \
	  live/screen live/process_list live/session \
	commands/help commands/commands commands/record_archive commands/record_check commands/record_end commands/record_missing commands/record_flags commands/record_run commands/second_run commands/record_verify commands/record_native commands/cmd_record \
	  commands/cmd_report commands/cmd_diff commands/cmd_merge commands/cmd_ls commands/cmd_rm commands/cmd_graph \
	  commands/cmd_groups commands/cmd_frames commands/cmd_info commands/cmd_tune commands/cmd_export commands/cmd_html commands/cmd_brief \
	  commands/cmd_annotate commands/cmd_archive commands/cmd_mcp commands/mcp_tools commands/cmd_cflags \
	  commands/cmd_help commands/cmd_manual commands/completion commands/cmd_resolve commands/sleep_file commands/cmd_sleep \
	  commands/cmd_wake commands/attach_wait commands/cmd_attach commands/cmd_detach commands/choose_command commands/tune_live commands/cmd_watch commands/cmd_unwatch \
	commands/live_process commands/cmd_top commands/cmd_reset commands/cmd_snapshot
REPORT_OBJS  := $(REPORT_PARTS:%=$(B)/report/%.o)
# One place knows what a call of a hook looks like: these files of the library.
REPORT_OBJS  += $(B)/report/sites/scan.o $(B)/report/sites/cfi.o
REPORT_LIBS   = $(SYMBOLIZE_LIB) $(SYMBOLIZE_LIBS) -linih -ljansson -lprotobuf-c -lncursesw -ltinfo -lz -lm

$(B)/report/%.o: report/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

$(B)/report/sites/scan.o: preload/sites/scan.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@
$(B)/report/sites/cfi.o: preload/code/cfi.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

# pprof's messages, as C. Our warnings are off for protobuf-c's own code.
$(B)/report/export/pprof.pb-c.c: report/export/pprof.proto | $(NEED_BUILD)
	@mkdir -p $(@D)
	protoc-c --proto_path=report/export --c_out=$(@D) $<

$(B)/report/export/pprof.pb-c.o: $(B)/report/export/pprof.pb-c.c
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(SANFLAGS) -w -c $< -o $@

$(B)/report/export/pprof.o: $(B)/report/export/pprof.pb-c.c
$(B)/report/export/pprof.o: ALL_CFLAGS += -I$(B)/report/export

# The page with its style and its script inside. The page allows only this script, by its hash.
PAGE := $(B)/report/page/page.html
$(PAGE): report/page/page.html report/page/page.css report/page/page.js report/page/join.sh | $(NEED_BUILD)
	@mkdir -p $(@D)
	report/page/join.sh report/page >$@

$(B)/report/page/html.o: $(PAGE)
	cd $(@D) && $(LD) -r -b binary -z noexecstack page.html -o html.o
REPORT_OBJS += $(B)/report/page/html.o

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
REPORT_TESTS := $(addprefix $(B)/tests/report_,collect collect_frames live laws reader units visible names patterns options groups via estimate mean native_paths unwind leave_out files load)
REPORT_BUILDER := $(B)/tests/unit/profile_builder.o $(B)/tests/unit/profile_layout.o

$(B)/tests/unit/%.o: tests/unit/%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -D_GNU_SOURCE -c $< -o $@

$(B)/tests/report_%: $(B)/tests/unit/report_%.o $(REPORT_BUILDER) $(B)/tests/unit/profile_loaded.o $(REPORT_OBJS) $(SYMBOLIZE_LIB)
	$(CC) $(SANFLAGS) $(LDFLAGS) $(filter %.o,$^) -o $@ $(REPORT_LIBS) -lcmocka

# This one has a table of options of its own.
$(B)/tests/report_options: $(B)/tests/unit/report_options.o $(filter-out %/options_table.o,$(REPORT_OBJS)) $(SYMBOLIZE_LIB)
	$(CC) $(SANFLAGS) $(LDFLAGS) $(filter %.o,$^) -o $@ $(REPORT_LIBS) -lcmocka

$(B)/tests/make_profile: tests/tools/make_profile.c $(REPORT_BUILDER)
	$(CC) $(ALL_CFLAGS) $^ -o $@

$(B)/tests/check_frames: tests/tools/check_frames.c $(REPORT_OBJS) $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(filter %.c %.o,$^) -o $@ $(REPORT_LIBS)

$(B)/tests/json_shape: tests/tools/json_shape.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ -ljansson

TEST_DEPS += $(REPORT_TESTS) $(B)/tests/make_profile $(B)/tests/json_shape $(B)/tests/check_frames

# The reader under libFuzzer, from seeds that the builder makes: for FUZZ_SECONDS, or until something is found.
FUZZ_SECONDS ?= 60
FUZZ_PARTS := \
	base/memory base/str base/replace base/visible base/lookup base/progress base/units base/near base/text_width \
	profile/owner profile/source profile/profile_read profile/profile_records profile/record_kinds profile/profile_links profile/profile_frames profile/profile_since profile/recordings profile/pack \
	files/file_kind files/find_files files/count_once files/process_state files/runs \
	model/told model/zones model/facts model/via model/sites model/places model/block_counts model/short_name model/tree model/fold model/estimate model/limits model/frames model/frame_pick model/wait_calls model/waits $(REPORT_LOAD) model/derive \
	  model/expression model/name_forms model/pattern model/groups model/filters model/filters_tree
FUZZ_SOURCES := tests/fuzz/report.c tests/fuzz/mutate.c tests/fuzz/symbolize_none.c tests/fuzz/trampoline_none.c $(FUZZ_PARTS:%=report/%.c)

$(B)/fuzz/report: $(FUZZ_SOURCES) $(wildcard report/*/*.h) preload/format.h | $(NEED_TEST)
	@mkdir -p $(@D)
	clang $(CSTD) -O1 -g -I. -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Wno-gnu-variable-sized-type-not-at-end $(FUZZ_SOURCES) -o $@ -lz -ljansson

.PHONY: fuzz-report
fuzz-report: $(B)/fuzz/report $(B)/tests/make_profile ## fuzz the profile reader (FUZZ_SECONDS, 60)
	@tests/fuzz/report.sh $(B) $(FUZZ_SECONDS)
.SECONDARY: $(REPORT_TESTS:$(B)/tests/%=$(B)/tests/unit/%.o)

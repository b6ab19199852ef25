# SPDX-License-Identifier: MIT
# Test programs and the targets that run them.

DEMO := $(B)/demo/sim

$(DEMO): tests/demo/sim.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) -O2 -g -finstrument-functions $< -o $@ -lm

# An interpreter that lends zprof its procedures.
SCHEME := $(B)/demo/scheme
$(SCHEME): $(addprefix tests/demo/scheme/,main.c value.c read.c syntax.c evaluate.c guards.c primitives.c zones.c scheme.h) preload/zprof.h | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(CSTD) -O2 -g $(WARN) -I. -finstrument-functions $(filter %.c,$^) -o $@
TEST_DEPS += $(DEMO)
TEST_DEPS += $(SCHEME)

.PHONY: demo demo-long demo-live demo-gprof demo-who-pays demo-scheme
demo-scheme: $(NEED_BUILD) $(B)/libzprof.so $(B)/zprof $(SCHEME) ## profile a Scheme program, run by an interpreter, and print its call graph
	@rm -f $(B)/demo/scheme.out*
	@ZPROF_OPTIONS=output=$(CURDIR)/$(B)/demo/scheme.out LD_PRELOAD=$(CURDIR)/$(B)/libzprof.so $(SCHEME) --continue tests/demo/scheme/demo.scm
	@$(B)/zprof graph --only physics --only ai --only by-length --only lookup --only collatz --func collatz $(B)/demo/scheme.out

demo: $(NEED_BUILD) $(B)/libzprof.so $(B)/zprof $(DEMO) ## profile the demo program and print its call graph
	@rm -f $(B)/demo/zprof.out*
	@ZPROF_OPTIONS=output=$(CURDIR)/$(B)/demo/zprof.out LD_PRELOAD=$(CURDIR)/$(B)/libzprof.so $(DEMO)
	@$(B)/zprof graph --min 1 $(B)/demo/zprof.out

demo-live: $(NEED_BUILD) $(B)/libzprof.so $(B)/zprof $(DEMO) ## the demo program while it runs: a turn every 10 ms, and now and then a slow one
	@cd $(B)/demo && ZPROF_LIB=$(CURDIR)/$(B)/libzprof.so ZPROF_OPTIONS=frame=turn,history=full ../zprof top -- ./sim 100000 200

demo-long: $(NEED_BUILD) $(B)/libzprof.so $(B)/zprof ## the demo program as it would be shipped, with hooks that sleep, for some minutes: attach to it
	@mkdir -p $(B)/demo/long
	@gcc -O2 -fno-inline $$($(B)/zprof cflags --release) tests/demo/sim.c -lm -o $(B)/demo/long/sim
	@$(B)/zprof sleep $(B)/demo/long/sim
	@echo 'In another terminal: $(B)/zprof attach --for 10s sim && $(B)/zprof graph'
	@$(B)/demo/long/sim 200000

demo-gprof: $(NEED_BUILD) ## the same program under gprof: what it says of the function that two share
	@CC="$(CC)" tests/demo/gprof.sh $(B)

demo-who-pays: $(NEED_BUILD) $(B)/libzprof.so $(B)/zprof ## what zprof and its peers say of the function that two share (perf, uftrace, valgrind)
	@CC="$(CC)" tests/demo/who_pays.sh $(B)

# Test programs: each counts its own calls (tests/programs/truth.h) and is built four times. A program of one source file is a
# word in a list; one of several has rules of its own in PROGRAM_RULES. PROGRAMS_ONCE are run as built by gcc -O2 alone. A program
# that shows what it must give (tests/programs/program-goldens.sh) stands in the folder of its feature, and is in no list.
PROGRAMS_SHOW := $(shell grep -lE '^ \* \$$ zprof ' tests/*/*.c tests/*/*.cc)
PROGRAMS_C   := inlined contexts jumps threads_end churn deaths tails forks signals steps steps_seldom stacks clock bounded
PROGRAMS_ONCE := live crowd waits offcpu steps_nested steps_leap steps_ring steps_shared
PROGRAMS_CXX := exceptions stress
PROGRAM_DIR  := $(B)/tests/programs
PROGRAM_HEADERS := $(wildcard tests/programs/*.h)
PROGRAM_FLAGS_clang_aarch64 := -DWITHOUT_BUILTIN_JUMPS
PROGRAM_FLAGS := -g -Wall -Wextra -Wno-infinite-recursion -I. -pthread -finstrument-functions

$(PROGRAM_DIR)/truth.o: tests/programs/truth.c tests/programs/truth.h | $(NEED_TEST)
	@mkdir -p $(@D)
	gcc $(CSTD) -O2 -g $(WARN) -fPIC -I. -c $< -o $@

define PROGRAM_RULES
PROGRAMS += $(addprefix $(PROGRAM_DIR)/$(1)-$(3)/,$(PROGRAMS_C) $(PROGRAMS_CXX) statics shared dl) \
	$(PROGRAM_DIR)/$(1)-$(3)/libdl_red.so $(PROGRAM_DIR)/$(1)-$(3)/libdl_blue.so

$(PROGRAM_DIR)/$(1)-$(3)/%: tests/programs/%.c $(PROGRAM_DIR)/truth.o $(PROGRAM_HEADERS)
	@mkdir -p $$(@D)
	$(1) $(CSTD) -$(3) $(PROGRAM_FLAGS) $(PROGRAM_FLAGS_$(1)_$(PROCESSOR)) $$< $(PROGRAM_DIR)/truth.o -o $$@

$(PROGRAM_DIR)/$(1)-$(3)/%: tests/programs/%.cc $(PROGRAM_DIR)/truth.o $(PROGRAM_HEADERS)
	@mkdir -p $$(@D)
	$(2) -std=gnu++20 -$(3) $(PROGRAM_FLAGS) $$< $(PROGRAM_DIR)/truth.o -o $$@

$(PROGRAM_DIR)/$(1)-$(3)/statics: tests/programs/statics_one.c tests/programs/statics_two.c $(PROGRAM_DIR)/truth.o
	@mkdir -p $$(@D)
	$(1) $(CSTD) -$(3) $(PROGRAM_FLAGS) $$^ -o $$@

$(PROGRAM_DIR)/$(1)-$(3)/lib%.so: tests/programs/lib%.c tests/programs/truth.h | $(NEED_TEST)
	@mkdir -p $$(@D)
	$(1) $(CSTD) -$(3) $(PROGRAM_FLAGS) -fPIC -shared -Wl,-soname,$$(@F) $$< -o $$@

$(PROGRAM_DIR)/$(1)-$(3)/libdl_%.so: tests/programs/dl_plugin.c | $(NEED_TEST)
	@mkdir -p $$(@D)
	$(1) $(CSTD) -$(3) $(PROGRAM_FLAGS) -DCOLOUR=$$* -fPIC -shared $$< -o $$@

$(PROGRAM_DIR)/$(1)-$(3)/dl: tests/programs/dl.c $(PROGRAM_DIR)/truth.o
	@mkdir -p $$(@D)
	$(1) $(CSTD) -$(3) $(PROGRAM_FLAGS) $$^ -o $$@

$(PROGRAM_DIR)/$(1)-$(3)/shared: tests/programs/shared.c $(PROGRAM_DIR)/$(1)-$(3)/libshared.so $(PROGRAM_DIR)/truth.o
	$(1) $(CSTD) -$(3) $(PROGRAM_FLAGS) -rdynamic -Wl,-rpath,'$$$$ORIGIN' $$^ -o $$@
endef
define SHOW_RULE
PROGRAMS += $(PROGRAM_DIR)/$(1)-$(3)/$(basename $(notdir $(4)))
$(PROGRAM_DIR)/$(1)-$(3)/$(basename $(notdir $(4))): $(4) $(PROGRAM_DIR)/truth.o
	@mkdir -p $$(@D)
	$(if $(filter %.cc,$(4)),$(2) -std=gnu++20,$(1) $(CSTD)) -$(3) $(PROGRAM_FLAGS) $$^ -o $$@
endef
PROGRAM_VARIANTS := gcc-O0 gcc-O2 clang-O0 clang-O2
$(eval $(call PROGRAM_RULES,gcc,g++,O0))
$(eval $(call PROGRAM_RULES,gcc,g++,O2))
$(eval $(call PROGRAM_RULES,clang,clang++,O0))
$(eval $(call PROGRAM_RULES,clang,clang++,O2))
$(foreach source,$(PROGRAMS_SHOW),$(foreach level,O0 O2,\
	$(eval $(call SHOW_RULE,gcc,g++,$(level),$(source))) $(eval $(call SHOW_RULE,clang,clang++,$(level),$(source)))))
PROGRAMS += $(PROGRAMS_ONCE:%=$(PROGRAM_DIR)/gcc-O2/%)

# Programs whose functions call a hook as they begin and none as they end. What the compiler inlines or drops has no hook, so it is told
# not to: the programs count the calls of their source.
ENTRIES_SOURCES := $(foreach p,contexts jumps inlined tails forks signals steps stacks deaths bounded,tests/programs/$(p).c) \
	tests/programs/exceptions.cc $(foreach p,chain diamond recurse mutual fan virtual deep threads split,\
	$(filter %/$(p).c %/$(p).cc,$(PROGRAMS_SHOW)))
ENTRIES_KEEP := -fno-inline -fno-partial-inlining -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf -fno-ipa-pure-const -fno-ipa-modref -fno-ipa-ra \
	-fno-optimize-sibling-calls
ENTRIES_FLAGS = $(filter-out -finstrument-functions,$(PROGRAM_FLAGS)) -Wno-attributes -Dalways_inline=noinline
define ENTRIES_RULES
PROGRAMS += $(addprefix $(PROGRAM_DIR)/$(1)/,dl libdl_red.so libdl_blue.so)
$(PROGRAM_DIR)/$(1)/libdl_%.so: tests/programs/dl_plugin.c | $(NEED_TEST)
	@mkdir -p $$(@D)
	$(2) $(CSTD) $(4) $(ENTRIES_FLAGS) -DCOLOUR=$$* -fPIC -shared $$< -o $$@
$(PROGRAM_DIR)/$(1)/dl: tests/programs/dl.c $(PROGRAM_DIR)/truth.o
	@mkdir -p $$(@D)
	$(2) $(CSTD) $(4) $(ENTRIES_FLAGS) $$^ -o $$@
endef
define ENTRIES_RULE
PROGRAMS += $(PROGRAM_DIR)/$(1)/$(basename $(notdir $(5)))
$(PROGRAM_DIR)/$(1)/$(basename $(notdir $(5))): $(5) $(PROGRAM_DIR)/truth.o
	@mkdir -p $$(@D)
	$(if $(filter %.cc,$(5)),$(3) -std=gnu++20,$(2) $(CSTD)) $(4) $(ENTRIES_FLAGS) $$^ -o $$@
endef
ENTRIES_GCC := -O2 $(ENTRIES_KEEP) -Wp$(comma)-p -mfentry
ENTRIES_CLANG := -O0 -Xclang -pg -mfentry
$(eval $(call ENTRIES_RULES,gcc-entries,gcc,g++,$(ENTRIES_GCC)))
$(eval $(call ENTRIES_RULES,clang-entries,clang,clang++,$(ENTRIES_CLANG)))
$(foreach source,$(ENTRIES_SOURCES),$(eval $(call ENTRIES_RULE,gcc-entries,gcc,g++,$(ENTRIES_GCC),$(source))) \
	$(eval $(call ENTRIES_RULE,clang-entries,clang,clang++,$(ENTRIES_CLANG),$(source))))

# The same programs without any hooks, whose entries are displaced as they start. (A function that ends with __builtin_longjmp() has an
# indirect jump, which may lead anywhere, and stays as it is.)
$(foreach source,$(ENTRIES_SOURCES),$(eval $(call ENTRIES_RULE,gcc-displaced,gcc,g++,-O2 $(ENTRIES_KEEP) -DWITHOUT_BUILTIN_JUMPS,$(source))) \
	$(eval $(call ENTRIES_RULE,clang-displaced,clang,clang++,-O0 -DWITHOUT_BUILTIN_JUMPS,$(source))))

# A program for IProf's report, and its displays, drawn off screen.
IPROF_REPORT := $(PROGRAM_DIR)/iprof_report
$(IPROF_REPORT): tests/programs/iprof_report.c preload/iprof_gl.c preload/iprof.h $(PROF_REPORT) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) -O1 -g $(WARN) -I. $(filter %.c %.a,$^) -o $@ -lOSMesa -lm $(PROF_REPORT_LIBS)
TEST_DEPS += $(IPROF_REPORT)

# clang 14 cannot compile libstdc++'s <coroutine>.
GCC_PROGRAM = g++ -$(1) -$* $(PROGRAM_FLAGS) -finstrument-functions-exclude-file-list=/include/c++/ $^ -o $@
PROGRAMS += $(foreach p,coroutines20 handlers,$(PROGRAM_DIR)/gcc-O0/$(p) $(PROGRAM_DIR)/gcc-O2/$(p))
$(PROGRAM_DIR)/gcc-%/coroutines20: tests/programs/coroutines20.cc $(PROGRAM_DIR)/truth.o
	@mkdir -p $(@D)
	$(call GCC_PROGRAM,std=gnu++20)

# This program is about the parts into which gcc 12 divides a function; as C++20, gcc does not divide it.
$(PROGRAM_DIR)/gcc-%/handlers: tests/programs/handlers.cc $(PROGRAM_DIR)/truth.o
	@mkdir -p $(@D)
	$(call GCC_PROGRAM,std=gnu++17)

TEST_TOOLS := $(addprefix $(B)/tests/check_,counts laws conserved arcs lines mcp)
$(B)/tests/check_%: tests/tools/check_%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ -ljansson

# What trampolines leave as they were.
$(B)/tests/displace/registers: tests/displace/registers.c tests/displace/registers.s | $(NEED_TEST)
	@mkdir -p $(@D)
	gcc $(CSTD) -O2 -g $(WARN) tests/displace/registers.c tests/displace/registers.s -o $@
$(B)/tests/displace/rows: tests/displace/rows.cc tests/displace/rows.s | $(NEED_TEST)
	@mkdir -p $(@D)
	g++ -std=gnu++20 -O2 -g -Wall -Wextra tests/displace/rows.cc tests/displace/rows.s -o $@
$(B)/tests/displace/no_wx: tests/displace/no_wx.c | $(NEED_TEST)
	@mkdir -p $(@D)
	gcc $(CSTD) -O2 -g $(WARN) $< -o $@

$(B)/tests/make_plan: tests/tools/make_plan.c $(B)/libsymbolize.a | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< $(B)/libsymbolize.a -o $@ -lelf -ldw

$(B)/tests/options_table: tests/tools/options_table.c preload/options.def | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@
$(B)/tests/sample_sums: tests/tools/sample_sums.c preload/format.h | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@
TEST_TOOLS += $(B)/tests/options_table $(B)/tests/sample_sums

# Profiles on disk: a program that makes as many calls as it is told, and what is done to its profiles.
$(B)/tests/calls: tests/programs/calls.c | $(NEED_TEST)
	@mkdir -p $(@D)
	gcc $(CSTD) -O2 -g -finstrument-functions $< -o $@
$(B)/tests/files_killed: tests/tools/files_killed.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@
$(B)/tests/files_random: tests/tools/files_random.c tests/tools/files_model.c tests/tools/files_model.h | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(filter %.c,$^) -o $@
$(B)/tests/make_fleet: tests/tools/make_fleet.c preload/format.h | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@
$(B)/tests/broken/fail_once: tests/broken/fail_once.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@
$(B)/tests/broken/fail_allocation.so: tests/broken/fail_allocation.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -fPIC -shared $< -o $@
TEST_TOOLS += $(B)/tests/broken/fail_once $(B)/tests/broken/fail_allocation.so
TEST_TOOLS += $(B)/tests/calls $(B)/tests/files_killed $(B)/tests/files_random $(B)/tests/make_fleet

# The library's state machine. A made-up program replaces the objects that look at code.
MODEL_LIBRARY := $(B)/preload/track/sound.o $(filter-out %/locations.o %/location.o %/unwind.o %/via.o,$(PRELOAD_OBJS)) $(PRELOAD_TIMED:%=$(B)/preload/fake/%.o) $(B)/preload/clock/tick_fake.o
MODEL_PARTS := model model_program model_hook model_compare model_world model_reference model_frames
$(B)/tests/hooks/model: $(MODEL_PARTS:%=tests/hooks/%.c) $(wildcard tests/hooks/model*.h) $(MODEL_LIBRARY) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. -include preload/clock/tick_fake.h -Wl,--wrap=sys_thread_pointer,--wrap=charge_own $(filter %.c %.o,$^) -o $@

# The same for functions that end without a hook. Made-up call frame information replaces that of this program's code.
ENTRIES_LIBRARY := $(MODEL_LIBRARY) $(addprefix $(B)/preload/,code/locations.o code/location.o unwind/unwind.o unwind/via.o)
ENTRIES_PARTS := model model_code model_stack model_counts
$(B)/tests/entries/model: $(ENTRIES_PARTS:%=tests/entries/%.c) tests/entries/model.h $(ENTRIES_LIBRARY) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. -include preload/clock/tick_fake.h -Wl,--wrap=sys_thread_pointer,--wrap=cfi_find,--wrap=entries_look_at_all $(filter %.c %.o,$^) -o $@

$(B)/tests/stacks/stacks: tests/stacks/stacks.c $(MODEL_LIBRARY) tests/hooks/model_frames.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. $(filter %.c %.o,$^) -o $@

# The reader of notes. The kernel that it asks is replaced by a made-up one, function by function.
NOTES_PARTS := notes notes_play notes_happens notes_charged notes_thread notes_kernel notes_recorded $(addprefix notes_rows_,samples gaps absences met rings timer ends recorded places)
NOTES_WRAPS := sys_clock_ns tick_pair tick_now counted_switches counted_queue_ns signal_is_blocked event_map event_unmap event_silence event_copy \
	file_record file_section module_find module_discover module_kernel
$(B)/tests/sample/notes: $(NOTES_PARTS:%=tests/sample/%.c) $(wildcard tests/sample/notes*.h) $(MODEL_LIBRARY) tests/hooks/model_frames.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. $(NOTES_WRAPS:%=-Wl,--wrap=%) $(filter %.c %.o,$^) -o $@ -lcmocka

$(B)/tests/sample/inside: tests/sample/inside.c $(MODEL_LIBRARY) tests/hooks/model_frames.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. $(addprefix -Wl$(comma)--wrap=,file_record losses_count module_find module_discover module_kernel) $(filter %.c %.o,$^) -o $@

$(B)/tests/sample/chains: tests/sample/chains.c $(ENTRIES_LIBRARY) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. $(addprefix -Wl$(comma)--wrap=,file_record losses_count module_find module_discover module_kernel cfi_find) $(filter %.c %.o,$^) -o $@

# What the kernel of this machine writes, as rows for that test: record_ring >tests/sample/notes_rings.h
$(B)/tests/record_ring: tests/tools/record_ring.c $(MODEL_LIBRARY) tests/hooks/model_frames.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. $(filter %.c %.o,$^) -o $@

$(B)/tests/hooks/prices: tests/hooks/prices.c $(ENTRIES_LIBRARY) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. -Wl,--wrap=bench_time $(filter %.c %.o,$^) -o $@

$(B)/tests/sites/sites: tests/sites/sites.c $(MODEL_LIBRARY) tests/hooks/model_frames.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. $(filter %.c %.o,$^) -o $@

$(B)/tests/base/cpu: tests/base/cpu.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ -lcmocka -pthread

$(B)/tests/base/code: tests/base/code_$(PROCESSOR).c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ -lcmocka

$(B)/tests/base/pages: tests/base/pages.c $(addprefix $(B)/preload/,base/sys.o sample/event.o sample/kept.o) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. -Wl,--wrap=sys_page_bytes $(filter %.c %.o,$^) -o $@ -lcmocka
$(B)/tests/code/maps: tests/code/maps.c $(addprefix $(B)/preload/,base/sys.o base/text.o code/maps.o) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. $(filter %.c %.o,$^) -o $@

$(B)/tests/code/cfi: tests/code/cfi.c $(B)/preload/code/cfi.o | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. $(filter %.c %.o,$^) -o $@

$(B)/tests/code/finalizer: tests/code/finalizer.c $(B)/preload/code/finalizer.o | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -fno-omit-frame-pointer -I. $(filter %.c %.o,$^) -o $@

$(B)/tests/sample/locks: tests/sample/locks.c $(addprefix $(B)/preload/,base/sys.o sample/locks.o) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. $(filter %.c %.o,$^) -o $@

TEST_DEPS += $(PROGRAMS) $(TEST_TOOLS) $(addprefix $(B)/tests/,base/cpu base/pages $(patsubst tests/base/%_$(PROCESSOR).c,base/%,$(wildcard tests/base/*_$(PROCESSOR).c)) hooks/model entries/model stacks/stacks sites/sites hooks/prices code/maps code/cfi code/finalizer sample/inside sample/chains sample/locks sample/notes record_ring make_plan displace/registers displace/rows displace/no_wx)

.PHONY: test-real test-real-full test-long stress compare-peers
test-long: $(NEED_TEST) $(B)/.packages-viewers $(ALL) $(TEST_DEPS) ## the tests of programs, the stress and the model at full length (an hour)
	@KILLS=200 FORKS=1000 TENTHS=100 SITES_FORMS=all SITES_ROUNDS=3000 SERVER_TIMES=60 PACED_SWITCHES=10000000 TEST_JOBS=1 TEST_MINUTES=60 tests/run $(B) 'program-*'
	@FLEET=10000 TEST_VERBOSE=1 TEST_JOBS=1 TEST_MINUTES=60 tests/run $(B) 'fleet-*'
	@tests/viewers/prepare.sh $(B)
	@FLEET=10000 TEST_VERBOSE=1 TEST_MINUTES=60 TEST_TABLE=tests/table-viewers tests/run $(B) viewer-duckdb
	@FAIL_ALL=1 STRESS_SECONDS=600 TEST_JOBS=1 TEST_MINUTES=60 TEST_TABLE=tests/table-long tests/run $(B)

# The unit tests alone: they need no instrumented program, so a sanitizer can be first in the process.
.PHONY: test-units test-sanitized
UNIT_TABLE = $(B)/tests/table-units
test-units: $(NEED_TEST) $(REPORT_TESTS) $(SYMBOLIZE_TESTS)
	@grep -E ' build/tests/[a-z_]*/(report|symbolize)_' tests/table >$(UNIT_TABLE)
	@TEST_TABLE=$(UNIT_TABLE) tests/run $(B)

# Without optimizing: compiling is nearly all of its time.
test-sanitized: ## the unit tests of report/ and symbolize/ under ASan and UBSan
	@$(MAKE) -s --no-print-directory SAN=address,undefined OPT=-O0 test-units

# For make coverage.
.PHONY: test-report
test-report: $(NEED_TEST) $(ALL) $(TEST_DEPS)
	@tests/run $(B) 'report-*'
	@tests/run $(B) 'symbolize-*'

STRESS_SECONDS ?= 60
stress: $(NEED_TEST) $(ALL) $(TEST_DEPS) ## everything at once, for STRESS_SECONDS (60), jumps out of each instruction of the hooks, each system call fails once
	@STRESS_SECONDS=$(STRESS_SECONDS) TEST_MINUTES=60 TEST_TABLE=tests/table-stress tests/run $(B)

.PHONY: test-repeated
test-repeated: test-deps ## all tests ten times, four times beside busy loops: does one fail by luck? (over an hour; goes on where it was ended)
	@tests/tools/repeat.sh $(B)

.PHONY: test-viewers
test-viewers: $(B)/.packages-viewers $(B)/libzprof.so $(B)/zprof $(B)/tests/make_profile ## open exported profiles in the programs that they are for (a browser, go, npm packages)
	@tests/viewers/prepare.sh $(B)
	@TEST_TABLE=tests/table-viewers tests/run $(B)

.PHONY: test-packaging
test-packaging: $(B)/.packages-packaging $(ALL) ## build the packages, and programs of others in a system that has nothing else; Python programs with another Debian's Python (root, a package archive, minutes)
	@TEST_TABLE=tests/table-packaging TEST_MINUTES=30 tests/run $(B)

compare-peers: $(B)/.packages-peers $(B)/libzprof.so $(B)/zprof $(PROGRAM_DIR)/truth.o ## the same programs under zprof, gprof, uftrace, LTTng, XRay, callgrind
	@ZPROF_BUILD=$(CURDIR)/$(B) tests/peers/compare.sh

test-real test-real-full: export TEST_TABLE := tests/table-real
test-real test-real-full: export TEST_VERBOSE := 1
test-real: $(B)/.packages-real $(B)/libzprof.so $(B)/zprof $(TEST_TOOLS) ## compare profiles of real programs (sqlite, ninja, Lua ...) with other counters (some minutes)
	@TEST_MINUTES=30 tests/run $(B)
test-real-full: $(B)/.packages-real $(B)/libzprof.so $(B)/zprof $(TEST_TOOLS) ## the same at -O1, -O3 and -Os too (half an hour)
	@REAL_FULL=1 TEST_MINUTES=120 tests/run $(B)

# What is built for arm64 there: not what is x86-64 code, or what no test runs (tests/arm64/table).
ARM64_ABSENT := $(addprefix $(B)/tests/vm-6502/,cases fuzz forth_fuzz vm-6502 command_fuzz without_openat2) $(PLAN_RANDOM) $(B)/tests/broken/fail_once $(B)/tests/files_killed \
	$(B)/tests/libzprof-jump.so $(IPROF_REPORT) $(addprefix $(PROGRAM_DIR)/,gcc-entries/% clang-entries/% gcc-displaced/% clang-displaced/% \
	$(foreach p,clock,$(PROGRAM_VARIANTS:%=%/$(p)))) \
	$(B)/tests/displace/% $(B)/tests/make_plan
.PHONY: test-arm64 arm64-deps
arm64-deps: $(filter-out $(ARM64_ABSENT),$(ALL) $(TEST_DEPS))
test-arm64: $(if $(filter ci,$(ARM64)),,$(B)/.packages-real) $(B)/zprof $(B)/libzprof.so $(foreach p,chain virtual threads shared,$(PROGRAM_DIR)/gcc-O2/$(p)) ## build zprof and the library for arm64 with Debian's cross compiler, in a folder of its own, and run its tests, and real programs, under qemu-user and on a kernel of arm64 (half an hour; ARM64=ci: the part that CI runs)
	@ARM64=$(ARM64) tests/arm64/run.sh

.PHONY: test-mutants
test-mutants: test-deps $(B)/.packages-real ## change one line of preload/ or report/core/ after another, and tell which changes no test notices (hours; goes on where it was ended)
	@tests/mutants/run $(B)

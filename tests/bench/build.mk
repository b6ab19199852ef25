# SPDX-License-Identifier: MIT
# Benchmarks.
#
# Each workload is built once for every way a call can be noticed: tests/bench/bench_table.c says which is run how.

BENCH := $(B)/bench
BENCH_PARTS := bench bench_table bench_run bench_figures bench_print bench_json bench_plot
BENCH_OBJS  := $(BENCH_PARTS:%=$(BENCH)/driver/%.o)
BENCH_FLOORS := $(addprefix $(BENCH)/floor_,empty.so tsc.so count.so)
BENCH_SMALL := leaf fib alternate deep callees random cxx
BENCH_REAL  := lua zlib
BENCH_CLANG := $(if $(shell command -v clang),clang clang-hooks xray)

$(BENCH)/driver/%.o: tests/bench/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@
$(BENCH)/bench: $(BENCH_OBJS)
	$(CC) $(SANFLAGS) $^ -o $@ -ljansson -lm
$(BENCH)/floor_%.so: tests/bench/floor_%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(CSTD) -O2 $(WARN) -MMD -MP -shared -fPIC -ftls-model=initial-exec $< -o $@
$(BENCH)/work_main.o: tests/bench/work_main.c tests/bench/work.h | $(NEED_BUILD)
	@mkdir -p $(@D)
	gcc $(CSTD) -O2 $(WARN) -I. -c $< -o $@

# Arguments: a build's name, C compiler, C++ compiler, flags to compile with and flags to link with.
define BENCH_RULES
$(BENCH)/%.$(1): tests/bench/work_%.c tests/bench/work.h tests/bench/work_callees.h $(BENCH)/work_main.o
	$(2) $(CSTD) -O2 -I. $(4) -c $$< -o $$@.o
	$(2) $$@.o $(BENCH)/work_main.o -o $$@ -pthread $(5)
$(BENCH)/%.$(1): tests/bench/work_%.cc tests/bench/work.h $(BENCH)/work_main.o
	$(3) -std=gnu++17 -O2 -I. $(4) -c $$< -o $$@.o
	$(3) $$@.o $(BENCH)/work_main.o -o $$@ -pthread $(5)
$(BENCH_REAL:%=$(BENCH)/%.$(1)): $(BENCH)/%.$(1): tests/bench/work_%.c tests/bench/work.h $(BENCH)/work_main.o | $(BENCH)/.fetched
	tests/bench/sources.sh build $(B) $$* $$@ $(2) "-O2 $(4)" "$(5)"
endef
$(eval $(call BENCH_RULES,plain,gcc,g++,,))
$(eval $(call BENCH_RULES,hooks,gcc,g++,-finstrument-functions,))
$(eval $(call BENCH_RULES,fentry,gcc,g++,-pg -mfentry -minstrument-return=call,-L$(B) -lzprof -Wl$(comma)-rpath$(comma)$(CURDIR)/$(B)))
$(eval $(call BENCH_RULES,entries,gcc,g++,-Wp$(comma)-p -mfentry,))
$(eval $(call BENCH_RULES,pg,gcc,g++,-pg,-pg))
$(eval $(call BENCH_RULES,clang,clang,clang++,,))
$(eval $(call BENCH_RULES,clang-hooks,clang,clang++,-finstrument-functions-after-inlining,))
$(eval $(call BENCH_RULES,xray,clang,clang++,-fxray-instrument -fxray-instruction-threshold=1,$(BENCH)/work_xray.o -fxray-instrument -fxray-modes=xray-fdr$(comma)xray-profiling))
$(foreach w,$(BENCH_SMALL) $(BENCH_REAL),$(BENCH)/$(w).fentry): | $(B)/libzprof.so
$(foreach w,$(BENCH_SMALL) $(BENCH_REAL),$(BENCH)/$(w).xray): $(BENCH)/work_xray.o
$(BENCH)/work_xray.o: tests/bench/work_xray.cc
	@mkdir -p $(@D)
	clang++ -O2 -c $< -o $@

$(BENCH)/.fetched: $(B)/.packages-bench
	@mkdir -p $(@D)
	@tests/bench/sources.sh fetch $(B) && touch $@ || true

BENCH_TESTED := $(BENCH)/bench $(BENCH_FLOORS) $(foreach w,$(BENCH_SMALL),$(foreach b,plain hooks fentry entries pg,$(BENCH)/$(w).$(b)))
TEST_DEPS += $(BENCH_TESTED)

$(BENCH)/pause: tests/bench/pause.c tests/bench/work.h tests/bench/work_callees.h | $(NEED_BUILD)
	@mkdir -p $(@D)
	gcc $(CSTD) -O2 -g $(WARN) -I. -finstrument-functions $< -o $@

# The judge of self times.
TRUTH_SAMPLER := $(addprefix $(BENCH)/truth/,sampler.o attribute.o) $(addprefix $(B)/report/,second_run/sampler.o second_run/rings.o second_run/unwind.o core/base/str.o core/base/memory.o)
TRUTH_JUDGE := $(addprefix $(BENCH)/truth/,judge.o judge_read.o judge_figures.o judge_spread.o judge_cells.o judge_table.o judge_summary.o judge_plot.o)
TRUTH_TOOLS := $(BENCH)/truth/sampler $(BENCH)/truth/judge $(BENCH)/truth/count.so $(BENCH)/truth/count_entries.so
$(BENCH)/truth/%.o: tests/bench/truth/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@
$(BENCH)/truth/sampler: $(TRUTH_SAMPLER) $(SYMBOLIZE_LIB)
	$(CC) $(SANFLAGS) $^ -o $@ $(SYMBOLIZE_LIBS)
$(BENCH)/truth/judge: $(TRUTH_JUDGE) $(SYMBOLIZE_LIB)
	$(CC) $(SANFLAGS) $^ -o $@ $(SYMBOLIZE_LIBS) -ljansson -lm
$(BENCH)/truth/count.so: tests/real/count.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	gcc -O2 -mgeneral-regs-only -shared -fPIC $< -o $@
$(BENCH)/truth/count_entries.so: tests/real/count_entries.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	gcc -O2 -shared -fPIC $< -o $@
TEST_DEPS += $(BENCH)/truth/judge

.PHONY: bench bench-whole bench-asleep bench-server bench-calls bench-counts bench-truth bench-long bench-pause bench-peers
ROUNDS ?= 9
SAMPLES ?= 10000
BENCH_ALL := $(BENCH_TESTED) $(foreach w,$(BENCH_SMALL),$(foreach b,$(BENCH_CLANG),$(BENCH)/$(w).$(b))) \
	$(foreach w,$(BENCH_REAL),$(foreach b,plain hooks fentry entries pg $(BENCH_CLANG),$(BENCH)/$(w).$(b)))

bench: ## bench-calls, bench-truth, bench-long and bench-pause (some minutes; ROUNDS=9)
	@$(MAKE) -s --no-print-directory bench-calls
	@$(MAKE) -s --no-print-directory bench-truth
	@$(MAKE) -s --no-print-directory bench-long
	@$(MAKE) -s --no-print-directory bench-pause

bench-counts: $(B)/libzprof.so $(B)/zprof ## what counting statements costs, beside gcov
	@tests/bench/counts.sh $(B)

bench-calls: $(B)/libzprof.so $(B)/zprof $(BENCH_ALL) ## what a call costs, over the floors and under every peer installed
	@$(BENCH)/bench --rounds $(ROUNDS) --json $(BENCH)/run.json $(B)
	@$(BENCH)/bench --plot $(BENCH)/run.json >$(BENCH)/bench.svg

bench-truth: $(B)/.packages-bench $(B)/libzprof.so $(B)/zprof $(TRUTH_TOOLS) ## self times and error bars, against where programs spend their time without hooks (SAMPLES=10000, TRUTH="--programs sqlite,tcc"; TRUTH=--full for a release)
	@tests/bench/truth/run --samples $(SAMPLES) $(TRUTH) $(B)
	@$(BENCH)/truth/judge plot $(BENCH)/truth.jsonl >$(BENCH)/truth.svg || :

bench-whole: $(B)/.packages-bench $(B)/libzprof.so $(B)/zprof $(TRUTH_TOOLS) ## what whole programs cost, beside gprof (some minutes for each program; ROUNDS=9)
	@tests/bench/whole.sh $(B) $(ROUNDS)

bench-long: $(B)/libzprof.so $(B)/zprof $(BENCH_TESTED) ## memory, file and report of 100 million calls, against 1 million
	@tests/bench/long.sh $(B)

bench-asleep: $(B)/.packages-bench $(B)/libzprof.so $(B)/zprof ## what a call, jsoncpp, sqlite and ninja take while hooks are switched off, beside XRay and uftrace if they are there (half an hour)
	@mkdir -p $(BENCH)
	@tests/bench/asleep.sh $(B)

bench-server: $(B)/libzprof.so $(B)/zprof ## latencies of a server without hooks, with hooks that sleep, detached and attached; the time of a switch
	@mkdir -p $(BENCH)
	@tests/bench/server.sh $(B)

bench-pause: $(B)/libzprof.so $(BENCH)/pause ## the longest a call takes, with the profile on disk and in memory
	@tests/bench/pause.sh $(B)

bench-peers: $(B)/.packages-peers ## install the peers (uftrace, LTTng, valgrind, clang's XRay, gprof), then make bench
	@$(MAKE) --no-print-directory bench

.PHONY: bench-frames
bench-frames: $(NEED_BUILD) $(B)/libzprof.so $(B)/zprof ## what frames, their history and timed calls cost
	@tests/bench/frames.sh $(B)

.PHONY: bench-report
bench-report: $(NEED_BUILD) $(ALL) $(PROGRAM_DIR)/gcc-O2/contexts ## how long the report and the graph of a million contexts take, beside sort
	@tests/bench/report.sh $(B)

.PHONY: bench-waits
bench-waits: $(NEED_BUILD) $(ALL) $(PROGRAM_DIR)/gcc-O2/waits ## how near the times are that functions are said to have waited, beside strace and the program's own clocks
	@ZPROF_BUILD=$(CURDIR)/$(B) tests/bench/waits.sh

.PHONY: bench-offcpu
bench-offcpu: $(NEED_BUILD) $(B)/libzprof.so ## what a call that blocks costs, with waits named and without
	@tests/bench/offcpu.sh $(B)

.PHONY: bench-sampled
bench-sampled: $(NEED_BUILD) $(B)/zprof ## shares of gawk, jq and Lua by zprof record --sampled, beside perf record
	@tests/bench/sampled.sh $(B)

.PHONY: bench-any
bench-any: $(B)/.packages-bench $(B)/libzprof.so $(B)/zprof ## what zprof record --any costs perl, gawk, git, Python, ripgrep, sqlite, jq and clang, beside callgrind and uftrace (ROUNDS=5)
	@tests/bench/any.sh $(B)

.PHONY: bench-inside-zlib bench-inside-lines bench-sampled-cost
bench-inside-zlib: $(B)/.packages-bench $(B)/libzprof.so $(B)/zprof ## rows of Debian's zlib below zones, beside perf, and beside zlib with symbols and with hooks
	@tests/bench/inside_zlib.sh $(B)

bench-inside-lines: $(B)/.packages-bench $(B)/libzprof.so $(B)/zprof ## the hottest lines of sqlite by zprof annotate, with hooks and with --sampled, beside perf and addr2line
	@tests/bench/inside_lines.sh $(B)

bench-sampled-cost: $(B)/.packages-bench $(B)/libzprof.so $(B)/zprof ## what --sampled, inside=stack and events= add to a program's time (ROUNDS=11)
	@tests/bench/sampled_cost.sh $(B)

.PHONY: bench-instructions
bench-instructions: $(NEED_BUILD) $(B)/libzprof.so $(B)/tests/libzprof-trusted.so ## how many instructions the hooks of one call take on x86-64 and arm64, in emulated machines: the status is 1 if more than tests/bench/instructions/table says
	@tests/bench/instructions/run.sh

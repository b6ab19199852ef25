# SPDX-License-Identifier: MIT
# zprof: an exact call-graph profiler for native code on Linux.
#
#   make demo        builds, profiles the demo program, prints its call graph
#   make test        builds and runs the tests
#   make help        lists every target
#
# Can be set: CC, CXX, OPT (-O2), SAN (address,undefined: build/san instead of build), PREFIX, DESTDIR.

.SUFFIXES:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all

CC      ?= gcc
CXX     ?= g++
ifeq ($(origin CC),default)
CC      := gcc
endif
ifeq ($(origin CXX),default)
CXX     := g++
endif
OPT     ?= -O2
SAN     ?=
PREFIX  ?= /usr/local
DESTDIR ?=
B       := build$(if $(SAN),/san)

WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings
CSTD    := -std=gnu11
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
CFLAGS  ?= -g
ALL_CFLAGS = $(CSTD) $(OPT) $(CFLAGS) $(WARN) $(SANFLAGS) -I. -MMD -MP

# For arguments of $(call ...).
comma := ,

# What a fresh Debian or Ubuntu misses is installed by name, once, before the first compilation.
NEED_BUILD := $(B)/.packages-build
NEED_TEST  := $(B)/.packages-test

$(B)/.packages-%: tests/install.sh
	@mkdir -p $(@D)
	@tests/install.sh $*
	@touch $@

# ---------------------------------------------------------------- preload: libzprof.so
#
# Inside the user's program: no libc function that takes a lock or uses a vector register, hence freestanding; no vector register of our own;
# rbp left as the caller has it. The clock is chosen by what hooks and calibrate are compiled with and linked to.

PRELOAD_FLAGS = $(CSTD) $(OPT) $(CFLAGS) $(WARN) -I. -MMD -MP -fPIC -ffreestanding -fvisibility=hidden -ftls-model=initial-exec \
	-mgeneral-regs-only -ffixed-rbp -fomit-frame-pointer -fno-stack-protector -fcf-protection=none \
	-fno-tree-loop-distribute-patterns
PRELOAD_LINK  = -shared -nostartfiles -Wl,-soname,libzprof.so -Wl,-z,now -Wl,-z,relro -Wl,--no-undefined

PRELOAD_PARTS := \
	base/sys base/text \
	profile/file profile/identity profile/zones profile/counters profile/run \
	code/module code/cfi code/location code/spawn code/only \
	tree/tree tree/fold \
	process/options process/process \
	track/track track/lineage track/nested track/recover track/bounds track/stacks track/stack track/check track/unwind track/via track/pause \
	lent/lent \
	hooks/wake \
	start/interpose start/finish
PRELOAD_TIMED := \
	lent/lent_events lent/lent_stacks lent/latch \
	hooks/hooks hooks/fentry hooks/calibrate hooks/hand \
	start/control
PRELOAD_OBJS  := $(PRELOAD_PARTS:%=$(B)/preload/%.o)

$(B)/preload/%.o: preload/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_FLAGS) -c $< -o $@
$(B)/preload/tsc/%.o: preload/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_FLAGS) -include preload/clock/tick_tsc.h -c $< -o $@
$(B)/preload/jump/%.o: preload/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_FLAGS) -include tests/tools/tick_jump.h -c $< -o $@
$(B)/preload/fake/%.o: preload/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_FLAGS) -include preload/clock/tick_fake.h -c $< -o $@

$(B)/libzprof.so: $(PRELOAD_OBJS) $(PRELOAD_TIMED:%=$(B)/preload/tsc/%.o) $(B)/preload/clock/tick_tsc.o $(B)/preload/clock/tick_trust.o
	$(CC) $(PRELOAD_LINK) $^ -o $@
$(B)/tests/libzprof-fake.so: $(PRELOAD_OBJS) $(PRELOAD_TIMED:%=$(B)/preload/fake/%.o) $(B)/preload/clock/tick_fake.o
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_LINK) $^ -o $@

# The real clock's code, on a machine whose counter jumps, and on one whose counter is no clock.
$(B)/tests/preload/%.o: tests/tools/%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_FLAGS) -c $< -o $@
$(B)/tests/libzprof-jump.so: $(PRELOAD_OBJS) $(PRELOAD_TIMED:%=$(B)/preload/jump/%.o) $(B)/preload/jump/clock/tick_tsc.o $(B)/preload/clock/tick_trust.o $(B)/tests/preload/tick_jump.o
	$(CC) $(PRELOAD_LINK) $^ -o $@
$(B)/tests/libzprof-distrusted.so: $(PRELOAD_OBJS) $(PRELOAD_TIMED:%=$(B)/preload/tsc/%.o) $(B)/preload/clock/tick_tsc.o $(B)/tests/preload/tick_distrusted.o
	$(CC) $(PRELOAD_LINK) $^ -o $@
# One that errs about some frames, for check= to find.
$(B)/tests/libzprof-wrong.so: $(PRELOAD_OBJS) $(PRELOAD_TIMED:%=$(B)/preload/tsc/%.o) $(B)/preload/clock/tick_tsc.o $(B)/preload/clock/tick_trust.o $(B)/tests/preload/location_wrong.o
	$(CC) $(PRELOAD_LINK) -Wl,--wrap=location_find $^ -o $@

# What programs include, apart from the library's own headers; `zprof cflags` points there.
$(B)/include/%.h: preload/%.h
	@mkdir -p $(@D)
	cp $< $@

ALL       += $(B)/libzprof.so $(addprefix $(B)/include/,zprof.h iprof.h)
TEST_DEPS += $(patsubst %,$(B)/tests/libzprof-%.so,fake jump distrusted wrong)

.PHONY: bench-zones
bench-zones: $(NEED_BUILD) $(B)/libzprof.so ## what zones by hand and lent zones cost, beside a pair of hooks
	@mkdir -p $(B)/bench
	@$(CC) $(CSTD) -O2 -g -finstrument-functions -I. tests/bench/zones.c -o $(B)/bench/zones
	@rm -f $(B)/bench/zones.out*
	@ZPROF_OPTIONS=output=$(CURDIR)/$(B)/bench/zones.out LD_PRELOAD=$(CURDIR)/$(B)/libzprof.so $(B)/bench/zones
	@$(B)/bench/zones

# ---------------------------------------------------------------- symbolize

# Linked into the command: $(SYMBOLIZE_LIB) with $(SYMBOLIZE_LIBS) after it.
SYMBOLIZE_OBJS := $(addprefix $(B)/symbolize/,symbolize.o image.o vdso.o elfsym.o elfplt.o dwunit.o dwfunc.o dwline.o demangle.o intern.o)
SYMBOLIZE_LIB  := $(B)/libsymbolize.a
SYMBOLIZE_LIBS := -ldw -lelf -liberty

$(B)/symbolize/%.o: symbolize/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

$(SYMBOLIZE_LIB): $(SYMBOLIZE_OBJS)
	rm -f $@
	$(AR) rcs $@ $^

SYMBOLIZE_PRINT := $(B)/tests/symbolize_print
$(SYMBOLIZE_PRINT): tests/tools/symbolize_print.c $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ $(SYMBOLIZE_LIB) $(SYMBOLIZE_LIBS)

SYMBOLIZE_TESTS := $(addprefix $(B)/tests/symbolize_,names lookup damage)
$(SYMBOLIZE_TESTS): $(B)/tests/symbolize_%: tests/unit/symbolize_%.c $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ $(SYMBOLIZE_LIB) $(SYMBOLIZE_LIBS) -lcmocka

TEST_DEPS += $(SYMBOLIZE_PRINT) $(SYMBOLIZE_TESTS)

.PHONY: bench-symbolize
bench-symbolize: $(NEED_TEST) $(SYMBOLIZE_PRINT) ## names 10,000 addresses of a big program, against eu-addr2line
	@tests/bench/symbolize.sh $(B)

# ---------------------------------------------------------------- report: zprof

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

# ---------------------------------------------------------------- vm-6502

# The emulator is instrumented, so that zprof can show it; the core's loops are one function each.
VM_CORE := $(addprefix $(B)/vm-6502.o/,m6502.o m6502-fast.o m6502-told.o m6502-exact.o m6502-decimal.o)

VM_OBJS := $(VM_CORE) $(addprefix $(B)/vm-6502.o/,m6502-table.o disassemble.o symbols.o machine.o machine-flat.o \
	machine-c64.o c64-kernal.o c64-drive.o c64-screen.o c64-keys.o c64-petscii.o \
	machine-forth.o forth-console.o forth-files.o forth-beneath.o forth-ops.o forth-backtrace.o machine-sim65.o timer6526.o options.o options-help.o debug.o monitor.o trace.o \
	lend.o zones.o zones-print.o subroutines.o counts.o sources.o sha256.o preset.o forth-image.o forth-cell.o forth-names.o forth-buckets.o \
	forth-classes.o forth-next.o forth-any.o forth-pattern.o forth-search.o forth-buckets-file.o forth-profile.o forth-window.o forth-cells.o \
	forth-report.o forth-words.o watchers.o run.o main.o)
# A profile is no part of the program that zprof should show.
$(addprefix $(B)/vm-6502.o/forth-,any.o cell.o names.o buckets.o classes.o buckets-file.o profile.o window.o cells.o report.o words.o): \
	CFLAGS += -fno-instrument-functions

# Where a handler begins decides some percent.
$(B)/vm-6502.o/m6502-fast.o $(B)/vm-6502.o/m6502-told.o: CFLAGS += -falign-labels=16
# What joins and moves pieces of a function made of computed gotos costs them registers.
$(B)/vm-6502.o/forth-next.o: CFLAGS += -fno-gcse -fno-crossjumping -falign-labels=32

$(B)/vm-6502.o/%.o: vm-6502/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) -finstrument-functions $(ALL_CFLAGS) -c $< -o $@

$(B)/vm-6502: $(VM_OBJS)
	@mkdir -p $(@D)
	$(CC) $(SANFLAGS) $^ -o $@ -ledit -linih

# The devices' addresses, for ca65.
$(B)/forth-machine.inc: vm-6502/forth-machine.h
	@mkdir -p $(@D)
	{ echo '; made from $<'; sed -n 's/^#define \(FORTH_[A-Z0-9_]*\) *0x\([0-9a-f]*\).*/\1 = $$\2/p' $<; } >$@

ALL += $(B)/vm-6502 $(B)/forth-machine.inc

# What is known of other people's images.
VM_PRESETS := $(addprefix $(B)/presets/,v4th-c64 cc64 cc64prof vfpy65)
$(B)/presets/%: vm-6502/presets/%
	@mkdir -p $(@D)
	cp $< $@

ALL += $(VM_PRESETS)

# The Forth: ca65 assembles the kernel, and the kernel, run, loads the rest and saves the image.
FORTH := vm-6502/forth
FORTH_ASM := $(addprefix $(FORTH)/,kernel.s next.s stack.s number.s compare.s memory.s control.s text.s console.s exception.s \
	dictionary.s interpret.s include.s)
FORTH_SOURCE := $(addprefix $(FORTH)/,system.fth core.fth search.fth file.fth core-ext.fth exception.fth double.fth string.fth \
	tools.fth facility.fth memory.fth block.fth locals.fth see.fth assembler.fth profiler.fth)

$(B)/forth/%.s: $(FORTH)/%.s $(FORTH)/lines.awk
	@mkdir -p $(@D)
	awk -f $(FORTH)/lines.awk $< >$@

$(B)/forth/forth-machine.fth: vm-6502/forth-machine.h vm-6502/forth-profiler.h
	@mkdir -p $(@D)
	{ echo '\ made from $^'; sed -n 's/^#define \(FORTH_[A-Z0-9_]*\) *0x\([0-9a-f]*\).*/$$\2 constant \1/p' $^; } >$@

$(B)/forth/kernel.o: $(FORTH_ASM:$(FORTH)/%=$(B)/forth/%) $(FORTH)/layout.inc $(B)/forth-machine.inc
	ca65 -g -I $(B)/forth -I $(FORTH) -I $(B) $(B)/forth/kernel.s -o $@

$(B)/forth/kernel.img: $(B)/forth/kernel.o $(FORTH)/kernel.cfg
	ld65 -C $(FORTH)/kernel.cfg -Ln $(B)/forth/kernel.lbl $< -o $@

$(B)/forth.img: $(B)/forth/kernel.img $(B)/forth/forth-machine.fth $(FORTH_SOURCE) $(B)/vm-6502
	$(B)/vm-6502 --image $< --dir $(B)/forth -I $(FORTH) system.fth
	mv $(B)/forth/system.img $@

ALL += $(B)/forth.img

$(B)/tests/vm6502/%.o: tests/vm6502/%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

VM_TESTS := $(addprefix $(B)/tests/vm6502/,cases lockstep decimal core fuzz)
$(VM_TESTS): $(B)/tests/vm6502/%: $(B)/tests/vm6502/%.o $(VM_CORE)
	$(CC) $(SANFLAGS) $^ -o $@ $(LIBS)
$(B)/tests/vm6502/cases: LIBS := -ljansson -lz
$(B)/tests/vm6502/core: LIBS := -lcmocka
$(B)/tests/vm6502/core: $(B)/vm-6502.o/timer6526.o
$(B)/tests/vm6502/lockstep: $(B)/tests/vm6502/reference.o
TEST_DEPS += $(VM_TESTS)

# Two Forth machines side by side.
$(B)/tests/vm6502/forth_lockstep: $(B)/tests/vm6502/forth_lockstep.o $(filter-out %/main.o,$(VM_OBJS))
	$(CC) $(SANFLAGS) $^ -o $@ -ledit -linih
TEST_DEPS += $(B)/tests/vm6502/forth_lockstep
# A system that does not know openat2.
$(B)/tests/vm6502/without_openat2: $(B)/tests/vm6502/without_openat2.o
	$(CC) $(SANFLAGS) $^ -o $@
TEST_DEPS += $(B)/tests/vm6502/without_openat2

$(B)/tests/vm6502/told: $(B)/tests/vm6502/told.o $(filter-out %/main.o,$(VM_OBJS))
	$(CC) $(SANFLAGS) $^ -o $@ -ledit -linih
TEST_DEPS += $(B)/tests/vm6502/told

$(B)/tests/vm6502/buckets: $(B)/tests/vm6502/buckets.o $(filter-out %/main.o,$(VM_OBJS))
	$(CC) $(SANFLAGS) $^ -o $@ -ledit -linih -lcmocka
TEST_DEPS += $(B)/tests/vm6502/buckets

$(B)/tests/vm6502/bench_forth: $(B)/tests/vm6502/bench_forth.o
	$(CC) $(SANFLAGS) $^ -o $@

# Random programs for the Forth, with sanitizers; but for the fast core, which takes them minutes to compile and which
# fuzz-6502 is for.
FORTH_FUZZ := $(VM_OBJS:$(B)/vm-6502.o/%=$(B)/vm-6502.fuzz/%) $(B)/tests/vm6502/forth_fuzz.o
FORTH_FUZZ := $(filter-out %/main.o %/m6502-fast.o,$(FORTH_FUZZ)) $(B)/vm-6502.o/m6502-fast.o
FUZZ_SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined
$(B)/vm-6502.fuzz/%.o: vm-6502/%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(filter-out -O%,$(ALL_CFLAGS)) -O1 $(FUZZ_SAN) -c $< -o $@
$(B)/tests/vm6502/forth_fuzz: $(FORTH_FUZZ)
	@mkdir -p $(@D)
	$(CC) $(FUZZ_SAN) -Wl,--wrap=nanosleep $^ -o $@ -ledit -linih
TEST_DEPS += $(B)/tests/vm6502/forth_fuzz

VM_BENCH := $(addprefix $(B)/bench/6502/,functional.sim asm.sim forth.sim)
$(B)/bench/6502/%.sim: tests/vm6502/bench/%.s tests/vm6502/bench/header.inc tests/vm6502/bench/sim65.cfg | $(NEED_BUILD)
	@mkdir -p $(@D)
	ca65 -g -I tests/vm6502/bench $< -o $(@:.sim=.o)
	ld65 -C tests/vm6502/bench/sim65.cfg $(@:.sim=.o) -Ln $(@:.sim=.lab) -o $@
$(B)/bench/6502/bench: $(B)/tests/vm6502/bench.o $(VM_CORE)
	@mkdir -p $(@D)
	$(CC) $^ -o $@

$(B)/tests/vm6502/fuzz-clang: tests/vm6502/fuzz.c $(addprefix vm-6502/,m6502.c m6502-fast.c m6502-told.c m6502-exact.c m6502-decimal.c) | $(NEED_TEST)
	@mkdir -p $(@D)
	clang $(CSTD) -O1 -g -I. -DLIBFUZZER -fsanitize=fuzzer,address,undefined $^ -o $@

CASES ?= ../shared/65x02
FUZZ_SECONDS ?= 60
.PHONY: test-forth-suite test-images test-6502-cases bench-6502 bench-forth fuzz-6502
bench-6502: $(B)/vm-6502 $(B)/bench/6502/bench $(VM_BENCH) ## emulated MHz of three programs, against sim65; what a hook costs
	$(B)/bench/6502/bench $(B)/vm-6502 $(VM_BENCH)
	$(B)/bench/6502/bench --trap $(B)/bench/6502/forth.sim

# Has a folder of its own for what the programs write.
bench-forth: $(B)/vm-6502 $(B)/forth.img $(B)/tests/vm6502/bench_forth ## the Forth: guest cycles, emulated MHz, what its profiles cost
	@mkdir -p $(B)/bench/forth
	@cd $(B)/bench/forth && $(CURDIR)/$(B)/tests/vm6502/bench_forth $(CURDIR)/$(B)/vm-6502 $(CURDIR)/tests/forth \
		$(CURDIR)/$(B)/forth/kernel.img $(CURDIR)/$(FORTH) $(CURDIR)/$(B)/forth

fuzz-6502: $(B)/tests/vm6502/fuzz-clang ## fuzz the 6502 with libFuzzer (FUZZ_SECONDS=60)
	@mkdir -p $(B)/fuzz/6502
	$< -max_len=600 -max_total_time=$(FUZZ_SECONDS) $(B)/fuzz/6502

test-forth-suite: $(B)/forth.img ## pass the Forth through the Forth 2012 test suite (SUITE=DIR)
	@ZPROF_BUILD=$(CURDIR)/$(B) tests/forth/suite.sh $(SUITE)

test-images: $(ALL) ## run other people's Forths and a compiler for the C64 (IMAGES=DIR: see tests/forth/images.sh)
	@ZPROF_BUILD=$(CURDIR)/$(B) tests/forth/images.sh $(IMAGES)

test-6502-cases: $(B)/tests/vm6502/cases ## pass the 6502 through a folder of single-step cases (CASES=DIR, FLAGS=--cpu=65c02)
	$(B)/tests/vm6502/cases $(or $(FLAGS),--bus) $(CASES) | grep -v '^ok'

# ---------------------------------------------------------------- tests

DEMO := $(B)/demo/sim

$(DEMO): tests/demo/sim.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) -O2 -g -finstrument-functions $< -o $@ -lm

# An interpreter that lends zprof its procedures.
SCHEME := $(B)/demo/scheme
$(SCHEME): $(addprefix tests/demo/scheme/,main.c value.c read.c syntax.c evaluate.c guards.c primitives.c zones.c scheme.h) preload/zprof.h | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(CSTD) -O2 -g $(WARN) -I. -finstrument-functions $(filter %.c,$^) -o $@
TEST_DEPS += $(SCHEME)

.PHONY: demo demo-gprof demo-scheme
demo-scheme: $(NEED_BUILD) $(B)/libzprof.so $(B)/zprof $(SCHEME) ## profile a Scheme program, run by an interpreter, and print its call graph
	@rm -f $(B)/demo/scheme.out*
	@ZPROF_OPTIONS=output=$(CURDIR)/$(B)/demo/scheme.out LD_PRELOAD=$(CURDIR)/$(B)/libzprof.so $(SCHEME) --continue tests/demo/scheme/demo.scm
	@$(B)/zprof graph --only physics --only ai --only by-length --only lookup --only collatz --func collatz $(B)/demo/scheme.out

demo: $(NEED_BUILD) $(B)/libzprof.so $(B)/zprof $(DEMO) ## profile the demo program and print its call graph
	@rm -f $(B)/demo/zprof.out*
	@ZPROF_OPTIONS=output=$(CURDIR)/$(B)/demo/zprof.out LD_PRELOAD=$(CURDIR)/$(B)/libzprof.so $(DEMO)
	@$(B)/zprof graph --min 1 $(B)/demo/zprof.out

demo-gprof: $(NEED_BUILD) ## the same program under gprof: what it says of the function that two share
	@CC="$(CC)" tests/demo/gprof.sh $(B)

# Test programs: each counts its own calls (tests/programs/truth.h) and is built four times. A program of one source file is a
# word in a list; one of several has rules of its own in PROGRAM_RULES.
PROGRAMS_C   := chain diamond recurse inlined mutual fan deep threads contexts jumps threads_end churn deaths tails split forks signals steps steps_seldom stacks clock bounded
PROGRAMS_CXX := virtual exceptions stress
PROGRAM_DIR  := $(B)/tests/programs
PROGRAM_FLAGS := -g -Wall -Wextra -Wno-infinite-recursion -I. -pthread -finstrument-functions

$(PROGRAM_DIR)/truth.o: tests/programs/truth.c tests/programs/truth.h | $(NEED_TEST)
	@mkdir -p $(@D)
	gcc $(CSTD) -O2 -g $(WARN) -fPIC -I. -c $< -o $@

define PROGRAM_RULES
PROGRAMS += $(addprefix $(PROGRAM_DIR)/$(1)-$(3)/,$(PROGRAMS_C) $(PROGRAMS_CXX) statics shared dl) \
	$(PROGRAM_DIR)/$(1)-$(3)/libdl_red.so $(PROGRAM_DIR)/$(1)-$(3)/libdl_blue.so

$(PROGRAM_DIR)/$(1)-$(3)/%: tests/programs/%.c $(PROGRAM_DIR)/truth.o
	@mkdir -p $$(@D)
	$(1) $(CSTD) -$(3) $(PROGRAM_FLAGS) $$< $(PROGRAM_DIR)/truth.o -o $$@

$(PROGRAM_DIR)/$(1)-$(3)/%: tests/programs/%.cc $(PROGRAM_DIR)/truth.o
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
$(eval $(call PROGRAM_RULES,gcc,g++,O0))
$(eval $(call PROGRAM_RULES,gcc,g++,O2))
$(eval $(call PROGRAM_RULES,clang,clang++,O0))
$(eval $(call PROGRAM_RULES,clang,clang++,O2))

# clang 14 cannot compile libstdc++'s <coroutine>.
GCC_PROGRAM = g++ -$(1) -$* $(PROGRAM_FLAGS) -finstrument-functions-exclude-file-list=/include/c++/ $^ -o $@
PROGRAMS += $(foreach p,coroutines20 handlers,$(PROGRAM_DIR)/gcc-O0/$(p) $(PROGRAM_DIR)/gcc-O2/$(p))
$(PROGRAM_DIR)/gcc-%/coroutines20: tests/programs/coroutines20.cc $(PROGRAM_DIR)/truth.o
	@mkdir -p $(@D)
	$(call GCC_PROGRAM,std=gnu++20)

# What it is for is how gcc 12 divides it; as C++20 it does not.
$(PROGRAM_DIR)/gcc-%/handlers: tests/programs/handlers.cc $(PROGRAM_DIR)/truth.o
	@mkdir -p $(@D)
	$(call GCC_PROGRAM,std=gnu++17)

TEST_TOOLS := $(addprefix $(B)/tests/check_,counts laws conserved arcs)
$(B)/tests/check_%: tests/tools/check_%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ -ljansson

$(B)/tests/options_table: tests/tools/options_table.c preload/options.def | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@
TEST_TOOLS += $(B)/tests/options_table

# The library's state machine, with the objects that look at code replaced by a made-up program's.
MODEL_LIBRARY := $(filter-out %/location.o %/unwind.o %/via.o,$(PRELOAD_OBJS)) $(PRELOAD_TIMED:%=$(B)/preload/fake/%.o) $(B)/preload/clock/tick_fake.o
$(B)/tests/model: tests/unit/model.c tests/unit/model_reference.c tests/unit/model_frames.c tests/unit/model.h tests/unit/model_reference.h $(MODEL_LIBRARY) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. -include preload/clock/tick_fake.h -Wl,--wrap=sys_thread_pointer $(filter %.c %.o,$^) -o $@

$(B)/tests/stacks: tests/unit/stacks.c $(MODEL_LIBRARY) tests/unit/model_frames.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -I. $(filter %.c %.o,$^) -o $@

TEST_DEPS += $(PROGRAMS) $(TEST_TOOLS) $(B)/tests/model $(B)/tests/stacks

.PHONY: test-real test-real-full test-long stress compare-peers
test-long: $(NEED_TEST) $(ALL) $(TEST_DEPS) ## the tests of programs, the stress and the model at full length (half an hour)
	@KILLS=200 FORKS=1000 TENTHS=100 TEST_JOBS=1 tests/run $(B) 'program-*'
	@STRESS_SECONDS=600 TEST_JOBS=1 TEST_MINUTES=60 TEST_TABLE=tests/table-long tests/run $(B)

STRESS_SECONDS ?= 60
stress: $(NEED_TEST) $(ALL) $(TEST_DEPS) ## everything at once, for STRESS_SECONDS (60): counts equal the program's own
	@STRESS_SECONDS=$(STRESS_SECONDS) TEST_MINUTES=60 tests/run $(B) exact-stress

compare-peers: $(B)/.packages-peers $(B)/libzprof.so $(B)/zprof $(PROGRAM_DIR)/truth.o ## the same programs under zprof, gprof, uftrace, LTTng, XRay, callgrind
	@ZPROF_BUILD=$(CURDIR)/$(B) tests/peers/compare.sh

test-real test-real-full: export TEST_TABLE := tests/table-real
test-real test-real-full: export TEST_VERBOSE := 1
test-real: $(B)/.packages-real $(B)/libzprof.so $(B)/zprof $(TEST_TOOLS) ## hold profiles of real programs (sqlite, ninja, Lua ...) against other counters (some minutes)
	@TEST_MINUTES=30 tests/run $(B)
test-real-full: $(B)/.packages-real $(B)/libzprof.so $(B)/zprof $(TEST_TOOLS) ## the same at -O1, -O3 and -Os too (half an hour)
	@REAL_FULL=1 TEST_MINUTES=120 tests/run $(B)

# ---------------------------------------------------------------- bench
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

# Of a build's name, C compiler, C++ compiler, flags to compile and flags to link with.
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

BENCH_TESTED := $(BENCH)/bench $(BENCH_FLOORS) $(foreach w,$(BENCH_SMALL),$(foreach b,plain hooks fentry pg,$(BENCH)/$(w).$(b)))
TEST_DEPS += $(BENCH_TESTED)

BENCH_APART := $(BENCH)/truth $(BENCH)/truth_zones $(BENCH)/pause
$(BENCH_APART): $(BENCH)/%: tests/bench/%.c tests/bench/truth.h tests/bench/work.h tests/bench/work_callees.h | $(NEED_BUILD)
	@mkdir -p $(@D)
	gcc $(CSTD) -O2 -g $(WARN) -I. -finstrument-functions $< -o $@
$(BENCH)/truth_judge: tests/bench/truth_judge.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ -ljansson -lm

.PHONY: bench bench-calls bench-truth bench-long bench-pause bench-peers
ROUNDS ?= 9
BENCH_ALL := $(BENCH_TESTED) $(foreach w,$(BENCH_SMALL),$(foreach b,$(BENCH_CLANG),$(BENCH)/$(w).$(b))) \
	$(foreach w,$(BENCH_REAL),$(foreach b,plain hooks fentry pg $(BENCH_CLANG),$(BENCH)/$(w).$(b)))

bench: ## everything of the four below (some minutes; ROUNDS=9)
	@$(MAKE) -s --no-print-directory bench-calls
	@$(MAKE) -s --no-print-directory bench-truth
	@$(MAKE) -s --no-print-directory bench-long
	@$(MAKE) -s --no-print-directory bench-pause

bench-calls: $(B)/libzprof.so $(B)/zprof $(BENCH_ALL) ## what a call costs, over the floors and under every peer installed
	@$(BENCH)/bench --rounds $(ROUNDS) --json $(BENCH)/run.json $(B)
	@$(BENCH)/bench --plot $(BENCH)/run.json >$(BENCH)/bench.svg

bench-truth: $(B)/libzprof.so $(B)/zprof $(BENCH)/truth $(BENCH)/truth_zones $(BENCH)/truth_judge ## self times and error bars, against programs whose true split is known
	@tests/bench/truth.sh $(B)

bench-long: $(B)/libzprof.so $(B)/zprof $(BENCH_TESTED) ## memory, file and report of 100 million calls, against 1 million
	@tests/bench/long.sh $(B)

bench-pause: $(B)/libzprof.so $(BENCH)/pause ## the longest a call takes, with the profile on disk and in memory
	@tests/bench/pause.sh $(B)

bench-peers: $(B)/.packages-peers ## install the peers (uftrace, LTTng, valgrind, clang's XRay, gprof), then make bench
	@$(MAKE) --no-print-directory bench

# ---------------------------------------------------------------- everyday targets

.PHONY: all test install clean help

all: $(ALL) ## build everything (build/libzprof.so, build/zprof, build/vm-6502)

test: $(NEED_TEST) $(ALL) $(TEST_DEPS) ## build and pass the tests (installs what they need)
	@tests/run $(B)

install: $(ALL) ## install into $(DESTDIR)$(PREFIX)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/zprof
	install -m 755 $(B)/zprof $(B)/vm-6502 $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(B)/libzprof.so $(DESTDIR)$(PREFIX)/lib
	install -m 644 preload/zprof.h preload/iprof.h $(DESTDIR)$(PREFIX)/include
	install -m 644 $(B)/forth.img $(DESTDIR)$(PREFIX)/share/zprof
	install -d $(DESTDIR)$(PREFIX)/share/zprof/presets
	install -m 644 $(VM_PRESETS) $(DESTDIR)$(PREFIX)/share/zprof/presets

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-zA-Z0-9_-]*\):.*## \(.*\)/  \1|\2/p' Makefile | column -t -s'|'

# Not what other programs' sources have of that name.
-include $(shell find $(B) -path $(B)/real -prune -o -name '*.d' -type f -print 2>/dev/null)

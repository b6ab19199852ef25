# SPDX-License-Identifier: MIT
# The emulator and its Forth.

# The emulator is instrumented, so that zprof can show it; the core's loops are one function each.
VM_CORE := $(addprefix $(B)/vm-6502.o/,cpu/m6502.o cpu/m6502-fast.o cpu/m6502-told.o cpu/m6502-exact.o cpu/m6502-decimal.o)

VM_OBJS := $(VM_CORE) $(addprefix $(B)/vm-6502.o/,cpu/m6502-table.o \
	guest/disassemble.o guest/symbols.o guest/forth-backtrace.o guest/sources.o guest/forth-image.o \
	  guest/forth-cell.o guest/forth-names.o \
	machine/machine.o machine/machine-flat.o machine/machine-c64.o machine/c64-kernal.o machine/c64-files.o machine/c64-drive.o \
	  machine/c64-screen.o machine/c64-keys.o machine/c64-petscii.o machine/machine-forth.o \
	  machine/forth-console.o machine/forth-files.o machine/forth-beneath.o machine/forth-ops.o machine/forth-help.o \
	  machine/machine-sim65.o machine/machine-sim65-counter.o machine/timer6526.o \
	command/options.o command/options-take.o command/options-other.o command/options-help.o \
	  command/debug.o command/monitor.o command/trace.o \
	  command/sha256.o command/preset.o command/watchers.o command/run.o command/report.o command/main.o \
	profile/lend.o profile/contexts.o profile/places.o profile/subroutines.o profile/counts.o \
	  profile/forth-buckets.o profile/forth-classes.o profile/forth-any.o profile/forth-buckets-file.o \
	  profile/forth-profile.o profile/forth-open.o profile/forth-lend.o profile/forth-window.o profile/forth-cells.o profile/forth-report.o \
	native/forth-next.o native/forth-next-code.o native/forth-pattern.o native/forth-search.o native/forth-words.o native/forth-sums.o)
# These files make the emulator's own profile: zprof should not show them as part of the program, whatever CFLAGS the user gives.
$(addprefix $(B)/vm-6502.o/, \
	profile/lend.o profile/contexts.o profile/places.o profile/subroutines.o profile/counts.o guest/symbols.o \
	profile/forth-any.o profile/forth-buckets.o profile/forth-classes.o profile/forth-buckets-file.o \
	  profile/forth-profile.o profile/forth-open.o profile/forth-lend.o profile/forth-window.o profile/forth-cells.o profile/forth-report.o \
	guest/forth-cell.o guest/forth-names.o \
	native/forth-words.o native/forth-sums.o): \
	override CFLAGS += -fno-instrument-functions

# The alignment of handlers makes a difference of some percent.
$(B)/vm-6502.o/cpu/m6502-fast.o $(B)/vm-6502.o/cpu/m6502-told.o: override CFLAGS += -falign-labels=16
# Optimizations that join and move code cost the pieces between computed gotos their registers.
$(B)/vm-6502.o/native/forth-next.o: override CFLAGS += -fno-gcse -fno-crossjumping -falign-labels=32

$(B)/vm-6502.o/%.o: vm-6502/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) -finstrument-functions $(ALL_CFLAGS) -c $< -o $@

$(B)/vm-6502: $(VM_OBJS)
	@mkdir -p $(@D)
	$(CC) $(SANFLAGS) $(LDFLAGS) $^ -o $@ -ledit -linih

# The devices' addresses, for ca65.
$(B)/forth-machine.inc: vm-6502/guest/forth-machine.h
	@mkdir -p $(@D)
	{ echo '; made from $<'; sed -n 's/^#define \(FORTH_[A-Z0-9_]*\) *0x\([0-9a-f]*\).*/\1 = $$\2/p' $<; } >$@

ALL += $(B)/vm-6502 $(B)/forth-machine.inc

# What is known of other people's images.
VM_PRESETS := $(addprefix $(B)/presets/,v4th-c64 cc64 cc64prof vfpy65)
$(B)/presets/%: vm-6502/presets/%
	@mkdir -p $(@D)
	cp $< $@

ALL += $(VM_PRESETS)

# The Forth: ca65 assembles the kernel; the kernel runs, loads the rest and saves the image.
FORTH := vm-6502/forth
FORTH_ASM := $(addprefix $(FORTH)/,kernel.s next.s stack.s number.s multiply.s divide.s double.s compare.s memory.s control.s text.s console.s exception.s \
	dictionary.s interpret.s include.s)
FORTH_SOURCE := $(addprefix $(FORTH)/,system.fth core.fth search.fth file.fth core-ext.fth exception.fth double.fth string.fth need.fth \
	tools.fth facility.fth memory.fth block.fth locals.fth see.fth assembler.fth profiler.fth help.fth private.fth)

$(B)/forth/%.s: $(FORTH)/%.s $(FORTH)/lines.awk
	@mkdir -p $(@D)
	awk -f $(FORTH)/lines.awk $< >$@

$(B)/forth/forth-machine.fth: vm-6502/guest/forth-machine.h vm-6502/profile/forth-profiler.h
	@mkdir -p $(@D)
	{ echo '\ made from $^'; sed -n 's/^#define \(FORTH_[A-Z0-9_]*\) *0x\([0-9a-f]*\).*/$$\2 constant \1/p' $^; } >$@

$(B)/forth/kernel.o: $(FORTH_ASM:$(FORTH)/%=$(B)/forth/%) $(FORTH)/layout.inc $(B)/forth-machine.inc
	ca65 -g -I $(B)/forth -I $(FORTH) -I $(B) $(B)/forth/kernel.s -o $@

$(B)/forth/kernel.img: $(B)/forth/kernel.o $(FORTH)/kernel.cfg
	ld65 -C $(FORTH)/kernel.cfg -Ln $(B)/forth/kernel.lbl $< -o $@

$(B)/forth.img: $(B)/forth/kernel.img $(B)/forth/forth-machine.fth $(FORTH_SOURCE) $(B)/vm-6502
	$(B)/vm-6502 --image $< --dir $(B)/forth -I $(FORTH) system.fth
	mv $(B)/forth/system.img $@

# The files that NEED loads.
FORTH_LIBRARY := $(patsubst $(FORTH)/library/%,$(B)/forth-library/%,$(addprefix $(FORTH)/library/, \
	floating.fth float-core.fth float-arithmetic.fth float-stack.fth float-words.fth float-decimal.fth \
	float-text.fth float-functions.fth))
$(B)/forth-library/%: $(FORTH)/library/%
	@mkdir -p $(@D)
	cp $< $@
ALL += $(FORTH_LIBRARY)

# HELP's text on the system's words, from the lists at the heads of the sources.
$(B)/forth.help: $(FORTH_ASM) $(FORTH_SOURCE)
	awk -F '\t' '/^[;\\]\t[^\t ]/ && NF >= 3 { n = split($$2, name, " "); \
		for (i = 1; i <= n; i++) print name[i] "\t" $$3 (NF > 3 ? "\t" $$4 : "") }' $^ >$@

ALL += $(B)/forth.img $(B)/forth.help

$(B)/tests/vm-6502/%.o: tests/vm-6502/%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

VM_TESTS := $(addprefix $(B)/tests/vm-6502/,cases lockstep decimal core fuzz)
$(VM_TESTS): $(B)/tests/vm-6502/%: $(B)/tests/vm-6502/%.o $(VM_CORE)
	$(CC) $(SANFLAGS) $^ -o $@ $(LIBS)
$(B)/tests/vm-6502/cases: LIBS := -ljansson -lz
$(B)/tests/vm-6502/core: LIBS := -lcmocka
$(B)/tests/vm-6502/core: $(B)/vm-6502.o/machine/timer6526.o
$(B)/tests/vm-6502/lockstep: $(addprefix $(B)/tests/vm-6502/,reference.o reference-alu.o reference-odd.o reference-cmos.o)
TEST_DEPS += $(VM_TESTS)

# Two Forth machines side by side.
$(B)/tests/vm-6502/forth_lockstep: $(addprefix $(B)/tests/vm-6502/,forth_lockstep.o forth_lockstep_random.o forth_lockstep_machines.o) $(filter-out %/command/main.o,$(VM_OBJS))
	$(CC) $(SANFLAGS) $(LDFLAGS) $^ -o $@ -ledit -linih
TEST_DEPS += $(B)/tests/vm-6502/forth_lockstep
# Runs a program as if on a system without openat2.
$(B)/tests/vm-6502/without_openat2: $(B)/tests/vm-6502/without_openat2.o
	$(CC) $(SANFLAGS) $^ -o $@
TEST_DEPS += $(B)/tests/vm-6502/without_openat2

$(B)/tests/vm-6502/told: $(B)/tests/vm-6502/told.o $(filter-out %/command/main.o,$(VM_OBJS))
	$(CC) $(SANFLAGS) $(LDFLAGS) $^ -o $@ -ledit -linih
TEST_DEPS += $(B)/tests/vm-6502/told
$(B)/tests/vm-6502/interrupts: $(B)/tests/vm-6502/interrupts.o $(VM_CORE)
	$(CC) $(SANFLAGS) $^ -o $@
TEST_DEPS += $(B)/tests/vm-6502/interrupts

$(B)/tests/vm-6502/buckets: $(B)/tests/vm-6502/buckets.o $(filter-out %/command/main.o,$(VM_OBJS))
	$(CC) $(SANFLAGS) $(LDFLAGS) $^ -o $@ -ledit -linih -lcmocka
TEST_DEPS += $(B)/tests/vm-6502/buckets

$(B)/tests/vm-6502/bench_forth: $(B)/tests/vm-6502/bench_forth.o
	$(CC) $(SANFLAGS) $^ -o $@

# Random programs for the Forth, with sanitizers, except in the fast core: with them it takes minutes to compile, and
# fuzz-6502 tests it. Two files have their whole loop several times, and are not optimized here: a compiler that optimizes the
# checks of both takes 50 seconds, and saves the tests one or two.
FORTH_FUZZ := $(VM_OBJS:$(B)/vm-6502.o/%=$(B)/vm-6502.fuzz/%) $(B)/tests/vm-6502/forth_fuzz.o
FORTH_FUZZ := $(filter-out %/command/main.o %/cpu/m6502-fast.o,$(FORTH_FUZZ)) $(B)/vm-6502.o/cpu/m6502-fast.o
FUZZ_SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_LEVEL := -O1
$(B)/vm-6502.fuzz/native/forth-next.o $(B)/vm-6502.fuzz/cpu/m6502-told.o: FUZZ_LEVEL := -O0
$(B)/vm-6502.fuzz/%.o: vm-6502/%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(filter-out -O%,$(ALL_CFLAGS)) $(FUZZ_LEVEL) $(FUZZ_SAN) -c $< -o $@
$(B)/tests/vm-6502/forth_fuzz: $(FORTH_FUZZ)
	@mkdir -p $(@D)
	$(CC) $(FUZZ_SAN) -Wl,--wrap=nanosleep $^ -o $@ -ledit -linih
TEST_DEPS += $(B)/tests/vm-6502/forth_fuzz

# Whole runs with random command lines and files, with sanitizers.
$(B)/tests/vm-6502/vm-6502: $(B)/vm-6502.fuzz/command/main.o $(filter-out %/forth_fuzz.o,$(FORTH_FUZZ))
	@mkdir -p $(@D)
	$(CC) $(FUZZ_SAN) $^ -o $@ -ledit -linih
$(B)/tests/vm-6502/command_fuzz: $(B)/tests/vm-6502/command_fuzz.o
	$(CC) $(SANFLAGS) $^ -o $@
TEST_DEPS += $(addprefix $(B)/tests/vm-6502/,vm-6502 command_fuzz)

VM_BENCH := $(addprefix $(B)/bench/6502/,functional.sim asm.sim forth.sim)
$(B)/bench/6502/%.sim: tests/vm-6502/bench/%.s tests/vm-6502/bench/header.inc tests/vm-6502/bench/sim65.cfg | $(NEED_BUILD)
	@mkdir -p $(@D)
	ca65 -g -I tests/vm-6502/bench $< -o $(@:.sim=.o)
	ld65 -C tests/vm-6502/bench/sim65.cfg $(@:.sim=.o) -Ln $(@:.sim=.lab) -o $@
$(B)/bench/6502/bench: $(B)/tests/vm-6502/bench.o $(VM_CORE)
	@mkdir -p $(@D)
	$(CC) $^ -o $@

$(B)/tests/vm-6502/fuzz-clang: tests/vm-6502/fuzz.c $(addprefix vm-6502/,cpu/m6502.c cpu/m6502-fast.c cpu/m6502-told.c cpu/m6502-exact.c cpu/m6502-decimal.c) | $(NEED_TEST)
	@mkdir -p $(@D)
	clang $(CSTD) -O1 -g -I. -DLIBFUZZER -fsanitize=fuzzer,address,undefined $^ -o $@

CASES ?= ../shared/65x02
FUZZ_SECONDS ?= 60
.PHONY: talk test-forth-suite test-images test-6502-cases bench-6502 bench-forth fuzz-6502
bench-6502: $(B)/vm-6502 $(B)/bench/6502/bench $(VM_BENCH) ## emulated MHz of three programs, against sim65; what a hook costs
	$(B)/bench/6502/bench $(B)/vm-6502 $(VM_BENCH)
	$(B)/bench/6502/bench --trap $(B)/bench/6502/forth.sim

# Runs in a folder of its own, because the programs write files.
bench-forth: $(B)/vm-6502 $(B)/libzprof.so $(B)/forth.img $(B)/tests/vm-6502/bench_forth ## the Forth: guest cycles, emulated MHz, what its profiles cost
	@mkdir -p $(B)/bench/forth
	@cd $(B)/bench/forth && $(CURDIR)/$(B)/tests/vm-6502/bench_forth $(CURDIR)/$(B)/vm-6502 $(CURDIR)/tests/forth \
		$(CURDIR)/$(B)/forth/kernel.img $(CURDIR)/$(FORTH) $(CURDIR)/$(B)/forth

talk: $(B)/vm-6502 $(B)/forth.img $(B)/zprof $(B)/libzprof.so ## where a compiler spends its time: its profiles, until it takes a third fewer cycles
	@rm -rf $(B)/talk && mkdir -p $(B)/talk
	@cd $(B)/talk && $(CURDIR)/vm-6502/compiler/talk.sh $(CURDIR)/$(B)/vm-6502 $(CURDIR)/vm-6502/compiler/five.c

fuzz-6502: $(B)/tests/vm-6502/fuzz-clang ## fuzz the 6502 with libFuzzer (FUZZ_SECONDS=60)
	@mkdir -p $(B)/fuzz/6502
	$< -max_len=600 -max_total_time=$(FUZZ_SECONDS) $(B)/fuzz/6502

test-forth-suite: $(B)/forth.img ## pass the Forth through the Forth 2012 test suite (SUITE=DIR)
	@ZPROF_BUILD=$(CURDIR)/$(B) tests/forth/suite.sh $(SUITE)

test-images: $(ALL) ## run other people's Forths and a compiler for the C64 (IMAGES=DIR: see tests/forth/images.sh)
	@ZPROF_BUILD=$(CURDIR)/$(B) tests/forth/images.sh $(IMAGES)

test-6502-cases: $(B)/tests/vm-6502/cases ## pass the 6502 through a folder of single-step cases (CASES=DIR, FLAGS=--cpu=65c02)
	$(B)/tests/vm-6502/cases $(or $(FLAGS),--bus) $(CASES) | grep -v '^ok'

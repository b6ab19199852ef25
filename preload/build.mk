# SPDX-License-Identifier: MIT
# libzprof.so, and its relatives with other clocks for the tests.
#
# It runs inside the user's program. So it calls no libc function that takes a lock or uses a vector register (freestanding), uses no
# vector register itself, and leaves rbp as the caller has it. PRELOAD_TIMED is compiled once for each clock, and linked to that clock.

PRELOAD_FLAGS_x86_64  = -ffixed-rbp -fcf-protection=none
PRELOAD_FLAGS_aarch64 = -ffixed-x29 -mno-outline-atomics -mbranch-protection=none
PRELOAD_FLAGS = $(CSTD) $(OPT) $(CFLAGS) $(WARN) -I. -MMD -MP -fPIC -ffreestanding -fvisibility=hidden -ftls-model=initial-exec \
	-mgeneral-regs-only $(PRELOAD_FLAGS_$(PROCESSOR)) -fomit-frame-pointer -fno-stack-protector \
	-fno-tree-loop-distribute-patterns
PRELOAD_LINK  = -shared -nostartfiles -Wl,-soname,libzprof.so -Wl,-z,now -Wl,-z,relro -Wl,--no-undefined

PRELOAD_PARTS := \
	base/sys base/text \
	process/environment process/options process/request process/process \
	profile/planes profile/path profile/file profile/identity profile/zones profile/counters profile/run profile/losses profile/timebase \
	code/maps code/image code/areas code/locations code/only_cache code/module code/spawn code/resolve code/choices code/only code/module_discover code/cfi code/finalizer code/cfi_known code/location code/call_places \
	sites/scan sites/patch sites/module_hooks sites/site_table sites/sites \
	displace/plan_read displace/plan_file displace/room displace/trampoline displace/rows displace/making displace/displace displace/ask displace/later displace/takeover \
	recording/pause recording/recordings \
	tree/tree tree/fold \
	sample/kept sample/event sample/signal sample/timer sample/ring sample/counted sample/sampling sample/blocked sample/locks sample/waits sample/inside sample/chains sample/charged sample/ran sample/processor sample/happened sample/away sample/series sample/notes \
	frames/fade frames/tally frames/history frames/frames \
	track/lineage track/track track/levels track/thread_record track/lent track/open track/paused track/charge \
	calls/named calls/ends calls/watch calls/callsites \
	stacks/bounds stacks/stacks stacks/parked stacks/arrays stacks/barriers stacks/stack \
	unwind/unwind unwind/caller unwind/parts unwind/via unwind/chain unwind/context_$(PROCESSOR) unwind/check \
	entries/entries \
	entries/sampled \
	threads/recover threads/succession threads/threads \
	slow/chosen slow/awake slow/crossing slow/arrive slow/slow slow/nested \
	lent/lent_arrive \
	hooks/wake hooks/fronts hooks/bench \
	counts/counts \
	start/begin start/adapters start/attach start/choose start/asleep start/followed start/displacing start/bare start/interpreter start/unwinders start/interpose start/mutex start/signals start/finish
PRELOAD_TIMED := \
	lent/lent_events lent/lent_told lent/lent_stacks \
	hooks/hooks hooks/fentry hooks/displaced hooks/calibrate hooks/entry_price hooks/hand \
	start/control
# A processor leaves out parts that it has no code for, and has others in their place.
PRELOAD_ABSENT_aarch64 := displace/% start/followed start/displacing start/bare start/interpreter hooks/fentry hooks/displaced hooks/entry_price
PRELOAD_OTHERS_aarch64 := hooks/absent_aarch64 start/absent_aarch64 start/interpreter_aarch64
PRELOAD_PARTS := $(filter-out $(PRELOAD_ABSENT_$(PROCESSOR)),$(PRELOAD_PARTS)) $(PRELOAD_OTHERS_$(PROCESSOR))
PRELOAD_TIMED := $(filter-out $(PRELOAD_ABSENT_$(PROCESSOR)),$(PRELOAD_TIMED))
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

# The real clock's code, as if on a machine whose counter jumps, and on one whose counter cannot be used as a clock.
$(B)/tests/preload/%.o: tests/tools/%.c | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(PRELOAD_FLAGS) -c $< -o $@
$(B)/tests/libzprof-jump.so: $(PRELOAD_OBJS) $(PRELOAD_TIMED:%=$(B)/preload/jump/%.o) $(B)/preload/jump/clock/tick_tsc.o $(B)/preload/clock/tick_trust.o $(B)/tests/preload/tick_jump.o
	$(CC) $(PRELOAD_LINK) $^ -o $@
$(B)/tests/libzprof-distrusted.so: $(PRELOAD_OBJS) $(PRELOAD_TIMED:%=$(B)/preload/tsc/%.o) $(B)/preload/clock/tick_tsc.o $(B)/tests/preload/tick_distrusted.o
	$(CC) $(PRELOAD_LINK) $^ -o $@
$(B)/tests/libzprof-trusted.so: $(PRELOAD_OBJS) $(PRELOAD_TIMED:%=$(B)/preload/tsc/%.o) $(B)/preload/clock/tick_tsc.o $(B)/tests/preload/tick_trusted.o
	$(CC) $(PRELOAD_LINK) $^ -o $@
# A library that is wrong about some frames, for check= to find.
$(B)/tests/libzprof-wrong.so: $(PRELOAD_OBJS) $(PRELOAD_TIMED:%=$(B)/preload/tsc/%.o) $(B)/preload/clock/tick_tsc.o $(B)/preload/clock/tick_trust.o $(B)/tests/preload/location_wrong.o
	$(CC) $(PRELOAD_LINK) -Wl,--wrap=location_find $^ -o $@

# A library for which the processor's counters are events that each machine has.
$(B)/tests/libzprof-made-up.so: $(filter-out %/sample/processor.o,$(PRELOAD_OBJS)) $(PRELOAD_TIMED:%=$(B)/preload/tsc/%.o) $(B)/preload/clock/tick_tsc.o $(B)/preload/clock/tick_trust.o $(B)/tests/preload/processor_made_up.o
	$(CC) $(PRELOAD_LINK) $^ -o $@

# What programs include, apart from the library's own headers; `zprof cflags` points there.
$(B)/include/%.h: preload/%.h
	@mkdir -p $(@D)
	cp $< $@

ALL       += $(B)/libzprof.so $(addprefix $(B)/include/,zprof.h iprof.h)
TEST_DEPS += $(patsubst %,$(B)/tests/libzprof-%.so,fake jump distrusted wrong made-up)

.PHONY: bench-zones
bench-zones: $(NEED_BUILD) $(B)/libzprof.so ## what zones by hand and lent zones cost, beside a pair of hooks
	@mkdir -p $(B)/bench
	@$(CC) $(CSTD) -O2 -g -finstrument-functions -I. tests/bench/zones.c -o $(B)/bench/zones
	@rm -f $(B)/bench/zones.out*
	@ZPROF_OPTIONS=output=$(CURDIR)/$(B)/bench/zones.out LD_PRELOAD=$(CURDIR)/$(B)/libzprof.so $(B)/bench/zones
	@$(B)/bench/zones

# Libraries that this one loads into processes that have an interpreter in them.
include $(wildcard preload/adapters/*/build.mk)

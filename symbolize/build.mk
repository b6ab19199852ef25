# SPDX-License-Identifier: MIT
# The library that names addresses.

# Linked into the command: $(SYMBOLIZE_LIB) with $(SYMBOLIZE_LIBS) after it.
SYMBOLIZE_OBJS := $(addprefix $(B)/symbolize/,symbolize.o image.o vdso.o kernel.o elfsym.o elfplt.o nameless.o dwunit.o dwfunc.o dwline.o demangle.o intern.o \
	blocks.o codeprint.o flow.o instruction.o arm64.o $(addprefix plan/,module.o frames.o places.o sweep.o evidence.o tables.o classes.o windows.o planner.o plans.o plan_read.o))
SYMBOLIZE_LIB  := $(B)/libsymbolize.a
SYMBOLIZE_LIBS := -ldw -lelf -liberty

$(B)/symbolize/%.o: symbolize/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

# The library and the command share the reader of plans.
$(B)/symbolize/plan/plan_read.o: preload/displace/plan_read.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

$(SYMBOLIZE_LIB): $(SYMBOLIZE_OBJS)
	rm -f $@
	$(AR) rcs $@ $^

SYMBOLIZE_PRINT := $(B)/tests/symbolize_print
$(SYMBOLIZE_PRINT): tests/tools/symbolize_print.c $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ $(SYMBOLIZE_LIB) $(SYMBOLIZE_LIBS)

SYMBOLIZE_TESTS := $(addprefix $(B)/tests/symbolize/symbolize_,names lookup damage kernel)
$(SYMBOLIZE_TESTS): $(B)/tests/%: tests/%.c $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ $(SYMBOLIZE_LIB) $(SYMBOLIZE_LIBS) -lcmocka

CODEPRINT_LENGTHS := $(B)/tests/codeprint_lengths
$(CODEPRINT_LENGTHS): tests/tools/codeprint_lengths.c $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ $(SYMBOLIZE_LIB)

INSTRUCTIONS := $(addprefix $(B)/tests/symbolize/,instructions arm64)
$(INSTRUCTIONS): $(B)/tests/%: tests/%.c $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ $(SYMBOLIZE_LIB) -lcmocka

PLAN_TESTS := $(addprefix $(B)/tests/plan/,plan_damage)
$(PLAN_TESTS): $(B)/tests/%: tests/%.c $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ $(SYMBOLIZE_LIB) $(SYMBOLIZE_LIBS) -lcmocka

PLAN_RANDOM := $(B)/tests/plan_random
$(PLAN_RANDOM): tests/plan/plan_random.c $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ $(SYMBOLIZE_LIB) $(SYMBOLIZE_LIBS) -ldl

TEST_DEPS += $(PLAN_RANDOM) $(PLAN_TESTS) $(SYMBOLIZE_PRINT) $(SYMBOLIZE_TESTS) $(CODEPRINT_LENGTHS) $(INSTRUCTIONS)

.PHONY: bench-symbolize
bench-symbolize: $(NEED_TEST) $(SYMBOLIZE_PRINT) ## names 10,000 addresses of a big program, against eu-addr2line
	@tests/bench/symbolize.sh $(B)

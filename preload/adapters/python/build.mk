# SPDX-License-Identifier: MIT
# libzprof-python.so, which libzprof.so loads into programs that have CPython in them. It needs neither Python's headers nor its library:
# cpython.h declares what it uses, and the process that loads it has that.

PYTHON_OBJS := $(patsubst %,$(B)/adapters/python/%.o,audit functions monitored open profiled python)

$(B)/adapters/python/%.o: preload/adapters/python/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -I. -MMD -MP -fPIC -fvisibility=hidden -c $< -o $@
$(B)/libzprof-python.so: $(PYTHON_OBJS)
	$(CC) -shared -Wl,-soname,libzprof-python.so -Wl,-z,now -Wl,-z,relro $^ -o $@

ALL += $(B)/libzprof-python.so

.PHONY: bench-python bench-python-truth
bench-python: $(NEED_BUILD) $(B)/libzprof.so $(B)/libzprof-python.so ## what recording a Python program costs, beside cProfile and yappi
	@tests/bench/python.sh $(B)

bench-python-truth: $(NEED_BUILD) $(B)/zprof $(B)/libzprof.so $(B)/libzprof-python.so ## how far the times of Python functions are from those that perf finds, with Debian 13's Python (as root)
	@tests/bench/python_truth/run $(B)

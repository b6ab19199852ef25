# SPDX-License-Identifier: MIT
# libzprof-lua.so, which libzprof.so loads into programs that have a Lua in them. It needs neither Lua's headers nor its library.

LUA_OBJS := $(patsubst %,$(B)/adapters/lua/%.o,imports slots fill library functions frames coroutines events chain fronts inside lua)

$(B)/adapters/lua/%.o: preload/adapters/lua/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -I. -MMD -MP -fPIC -fvisibility=hidden -c $< -o $@
$(B)/libzprof-lua.so: $(LUA_OBJS)
	$(CC) -shared -Wl,-soname,libzprof-lua.so -Wl,-z,now -Wl,-z,relro $^ -o $@

ALL += $(B)/libzprof-lua.so

.PHONY: bench-lua
bench-lua: $(NEED_BUILD) $(B)/libzprof.so $(B)/libzprof-lua.so ## what recording a Lua program costs, beside a counter in Lua and LuaJIT's profiler
	@tests/bench/lua.sh $(B) $(ROUNDS)

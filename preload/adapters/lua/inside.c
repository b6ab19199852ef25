/* SPDX-License-Identifier: MIT */
/* inside.c - see inside.h. */
#include "preload/adapters/lua/inside.h"

#include "preload/adapters/lua/fronts.h"
#include "preload/adapters/lua/library.h"

#include <string.h>

bool inside_take_over(take_function *take, struct liblua *lua)
{
	void *const wanted[FRONTS_COUNT] = {&lua->newstate,    &lua->sethook, &lua->gethook,
					    &lua->gethookmask, &lua->close,   &lua->setmode};
	void *functions[FRONTS_COUNT], *ours[FRONTS_COUNT];
	/* LuaJIT alone has the last one. */
	size_t count = FRONTS_COUNT, i;
	bool taken;

	if (!library_find(NULL, lua))
		return false;
	if (!lua->setmode)
		count--;
	for (i = 0; i < count; i++) {
		memcpy(&functions[i], wanted[i], sizeof(functions[i]));
		ours[i] = fronts[lua->number][i].ours;
	}
	taken = take(functions, ours, count);
	for (i = 0; i < count; i++)
		memcpy(wanted[i], &functions[i], sizeof(functions[i]));
	return taken;
}

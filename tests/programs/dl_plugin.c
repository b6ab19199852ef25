/* SPDX-License-Identifier: MIT */
/* dl_plugin.c - a plugin of dl.c; COLOUR makes its names its own: red_work, blue_helper. */
#define PASTE(a, b) a##_##b
#define JOIN(a, b)  PASTE(a, b)
#define NAME(name)  JOIN(COLOUR, name)

void NAME(work)(void (*call_back)(void));

static void NAME(helper)(void)
{
	__asm__ volatile("");
}

void NAME(work)(void (*call_back)(void))
{
	NAME(helper)();
	call_back();
	NAME(helper)();
}

/* SPDX-License-Identifier: MIT */
/* wait_calls.c - the system calls in which a thread may wait, by number. See waits.h. */
#include "preload/format.h"
#include "report/core/load/waits.h"

#define CALL(number, name)  [number] = {#name, false},
#define ALONE(number, name) [number] = {#name, true},

static const struct {
	const char *name;
	bool alone;
} calls[] = {
#include "report/core/load/wait_calls_x86_64.def"
#undef CALL
#undef ALONE
#define CALL(number, name)  [ZPROF_WAIT_ARM64 + number] = {#name, false},
#define ALONE(number, name) [ZPROF_WAIT_ARM64 + number] = {#name, true},
#include "report/core/load/wait_calls_aarch64.def"
};

static bool is_listed(int32_t number)
{
	return number >= 0 && (size_t)number < sizeof calls / sizeof *calls;
}

const char *wait_calls_name(int32_t number)
{
	return is_listed(number) ? calls[number].name : NULL;
}

bool wait_calls_alone(int32_t number)
{
	return is_listed(number) && calls[number].alone;
}

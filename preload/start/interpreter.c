/* SPDX-License-Identifier: MIT */
/* interpreter.c - see inside.h. */
#include "preload/start/interpreter.h"

#include "preload/base/text.h"
#include "preload/displace/displace.h"
#include "preload/displace/takeover.h"
#include "preload/process/environment.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/start/displacing.h"

#include <linux/limits.h>

#define MOST 16 /* functions of an interpreter */

bool interpreter_is_ready(void)
{
	char folder[PATH_MAX];
	const char *why;

	if (process_off || !environment_option("interpreter=", folder, sizeof(folder)) ||
	    !displacing_has_plan(folder))
		return false;
	why = displace_forbidden();
	if (why)
		text_complain("the interpreter's functions are not recorded, as no entry could be "
			      "displaced",
			      NULL, 0, why);
	return !why;
}

bool interpreter_take(void **functions, void *const *ours, size_t count)
{
	struct process *p = process_begin(NULL);
	struct takeover all[MOST];
	bool taken;
	size_t i;

	if (!p || !p->options->interpreter || count > MOST)
		return false;
	for (i = 0; i < count; i++)
		all[i] = (struct takeover){.function = (uintptr_t)functions[i],
					   .ours = (uintptr_t)ours[i]};
	taken = takeover(p, p->options->interpreter, all, count);
	for (i = 0; i < count; i++)
		if (all[i].original)
			functions[i] = (void *)all[i].original;
	return taken;
}

/* SPDX-License-Identifier: MIT */
/* say.c - see say.h. */
#include "report/core/base/say.h"

#include <stdarg.h>
#include <stdio.h>

#include "report/core/base/progress.h"
#include "report/core/base/str.h"
#include "report/core/base/visible.h"

void say(const char *format, ...)
{
	struct str message = {0}, shown = {0};
	va_list list;
	va_start(list, format);
	str_add_list(&message, format, list);
	va_end(list);
	visible_add(&shown, str_text(&message));
	progress_end();
	fprintf(stderr, "zprof: %s\n", str_text(&shown));
	str_free(&message);
	str_free(&shown);
}

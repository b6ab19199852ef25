/* SPDX-License-Identifier: MIT */
/* message.c - see message.h. */
#include "report/top/message.h"

#include <stdarg.h>

void message_say(struct top *t, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	str_clear(&t->message);
	str_add_list(&t->message, format, list);
	va_end(list);
}

/* SPDX-License-Identifier: MIT */
/* message.h - the message at the foot of a live view, which stays until the next key. */
#ifndef REPORT_MESSAGE_H
#define REPORT_MESSAGE_H

#include "report/top/top.h"

void message_say(struct top *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

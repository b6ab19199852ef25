/* SPDX-License-Identifier: MIT */
/* maps.c - see maps.h. */
#include "preload/code/maps.h"

#include "preload/base/text.h"

/* Fields after the offset: the device and the inode, then spaces up to the path. */
#define FIELDS_BEFORE_PATH 2

static char *past_spaces(char *s)
{
	while (*s == ' ')
		s++;
	return s;
}

static char *past_field(char *s)
{
	while (*s && *s != ' ' && *s != '\n')
		s++;
	return s;
}

bool maps_next(char **text, struct mapping *m)
{
	char *s = *text;
	int i;

	m->start = text_take_hex(&s);
	if (s == *text || *s++ != '-')
		return false;
	m->end = text_take_hex(&s);
	if (*s++ != ' ')
		return false;
	for (i = 0; i < 4; i++)
		if (!s[i])
			return false;
	m->readable = s[0] == 'r';
	m->executable = s[2] == 'x';
	s = past_spaces(s + 4);
	m->offset = text_take_hex(&s);
	for (i = 0; i < FIELDS_BEFORE_PATH; i++)
		s = past_field(past_spaces(s));
	s = past_spaces(s);
	m->path = s;
	while (*s && *s != '\n')
		s++;
	if (*s)
		*s++ = 0;
	*text = s;
	return true;
}

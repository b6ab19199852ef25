/* SPDX-License-Identifier: MIT */
/* short_name.c - see short_name.h. */
#include "report/cxx/short_name.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/text_width.h"
#include "report/cxx/brackets.h"
#include "report/cxx/plain_name.h"

void short_name_begin(struct name_cut *c, const char *name, int room)
{
	struct str plain = {0}, within = {0};
	plain_name(&plain, name);
	const char *bare = plain_name_behind_type(str_text(&plain));
	if (text_width(bare) > room)
		plain_name_within(&within, bare);
	name_cut_init(c, within.used ? within.text : bare);
	str_free(&plain);
	str_free(&within);
}

void short_name(struct str *text, const char *name)
{
	struct name_cut cut;
	short_name_begin(&cut, name, SHORT_NAME_MOST);
	name_cut_fit(&cut, text, SHORT_NAME_MOST, false);
	name_cut_free(&cut);
}

/* Cuts TEXT at its end. */
static void cut_to(struct str *text, int room)
{
	while (text->used && text_width(text->text) > room)
		text->text[--text->used] = 0;
	while (text->used && ((unsigned char)text->text[text->used - 1] & 0xc0) == 0xc0)
		text->text[--text->used] = 0;
}

/* TEXT becomes the name, or half of it and the argument in which it differs from OTHER. Where the
 * names differ outside arguments, what comes from there on is shown. */
static void show_difference(struct name_cut *c, struct str *text, const char *name,
			    const char *other, int room)
{
	struct name_cut without, half;
	struct str argument = {0};
	size_t same = 0;
	short_name_begin(&without, other, 0);
	while (c->name[same] && c->name[same] == without.name[same])
		same++;
	name_cut_free(&without);
	name_cut_need(c, same);
	name_cut_fit(c, text, room, false);
	if (text_width(str_text(text)) <= room)
		return;
	bool within = name_cut_argument(c, &argument, same);
	while (same && brackets_is_word(c->name[same - 1]))
		same--;
	short_name_begin(&half, name, 0);
	name_cut_fit(&half, text, room / 2, true);
	name_cut_free(&half);
	cut_to(text, room / 2);
	str_add(text, "~%s", within ? argument.text : c->name + same);
	str_free(&argument);
}

void short_name_fit(struct str *text, const char *name, const char *other, int room)
{
	struct name_cut cut;
	short_name_begin(&cut, name, other ? 0 : room);
	if (other)
		show_difference(&cut, text, name, other, room);
	else
		name_cut_fit(&cut, text, room, true);
	name_cut_free(&cut);
}

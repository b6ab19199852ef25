/* SPDX-License-Identifier: MIT */
/* choices.c - see choices.h. */
#include "preload/code/choices.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"

#define SECTION_BYTES ((uint64_t)64 << 10)

static char sign_of(enum zprof_choice_what what)
{
	return what == ZPROF_CHOICE_WATCH ? '+' : '-';
}

/* The end of the line that begins at `s`. */
static const char *end_of_line(const char *s)
{
	while (*s && *s != '\n')
		s++;
	return s;
}

static bool is_line(const char *line, const char *end, const char *patterns)
{
	size_t n = strlen(patterns);

	return (size_t)(end - line) == n + 1 && !memcmp(line + 1, patterns, n);
}

static bool is_one_line(const char *patterns)
{
	return *patterns && !*end_of_line(patterns);
}

char *choices_with(const struct choices *c, enum zprof_choice_what what, const char *patterns)
{
	char *rules = is_one_line(patterns) ? sys_memory(CHOICES_BYTES) : NULL;
	const char *line, *end;
	struct text t;

	if (!rules)
		return NULL;
	text_init(&t, rules, CHOICES_BYTES);
	for (line = c->rules; line && *line; line = end + 1) {
		end = end_of_line(line);
		if (!is_line(line, end, patterns))
			text_bytes(&t, line, (size_t)(end + 1 - line));
	}
	text_char(&t, sign_of(what));
	text_add(&t, patterns);
	text_char(&t, '\n');
	if (!t.cut)
		return rules;
	choices_free(rules);
	return NULL;
}

void choices_free(char *rules)
{
	sys_memory_free(rules, CHOICES_BYTES);
}

/* ---- in the profile */

bool choices_record(struct process *p, struct choices *c, const struct zprof_choice *choice,
		    const char *patterns)
{
	size_t n = strlen(patterns);
	uint32_t bytes = ZPROF_RECORD_BYTES((uint32_t)(sizeof(*choice) + n));
	struct zprof_section *s = c->section;
	struct zprof_choice *record;

	if (!s || s->used + bytes > s->bytes)
		s = file_section(p, ZPROF_SECTION_CHOICES, 0,
				 bytes + sizeof(*s) > SECTION_BYTES ? bytes + sizeof(*s)
								    : SECTION_BYTES);
	if (!s)
		return false;
	c->section = s;
	record = (struct zprof_choice *)((char *)s + s->used);
	*record = *choice;
	record->bytes = bytes;
	record->text_bytes = (uint32_t)n;
	memcpy(record->text, patterns, n);
	__atomic_store_n(&s->used, s->used + bytes, __ATOMIC_RELEASE);
	return true;
}

void choices_inherit(struct process *p, struct choices *c, const struct choices *from)
{
	struct zprof_choice choice = {.ticks = p->header->start_ticks, .ns = p->header->start_ns};
	char *copy, *line, *end;

	*c = (struct choices){.rules = from->rules};
	copy = c->rules ? sys_memory(CHOICES_BYTES) : NULL;
	if (!copy)
		return;
	memcpy(copy, c->rules, CHOICES_BYTES);
	for (line = copy; *line; line = end + 1) {
		end = (char *)end_of_line(line);
		*end = 0;
		choice.what = *line == '+' ? ZPROF_CHOICE_WATCH : ZPROF_CHOICE_UNWATCH;
		if (!choices_record(p, c, &choice, line + 1))
			losses_count(p, ZPROF_LOSS_SPACE, 1);
	}
	choices_free(copy);
}

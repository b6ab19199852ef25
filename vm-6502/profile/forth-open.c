/* SPDX-License-Identifier: MIT */
/*
 * forth-open: which words are open; see forth-profile-inside.h. Open words are in the tree of
 * forth-words.h; or on a stack here, if each is entered in contexts.h at once.
 */
#include <stdlib.h>
#include <string.h>

#include "vm-6502/profile/forth-profile-inside.h"

uint32_t forth_open_word_zone(struct forth_profile *p, uint16_t xt)
{
	struct forth_word word;

	if (!p->zone[xt]) {
		forth_names_word(p->names, xt, &word);
		p->zone[xt] = contexts_zone(p->zones, word.name, "forth", word.file, word.line);
	}
	return p->zone[xt];
}

static uint32_t class_zone(struct forth_profile *p, uint32_t class)
{
	struct forth_class *k = &p->buckets->class[class];
	char group[64] = "";

	if (!k->zone) {
		if (k->buckets)
			forth_bucket_group(&p->buckets->bucket[k->inner], group);
		k->zone =
		    contexts_zone(p->zones, forth_class_name(p->buckets, class), group, NULL, 0);
	}
	return k->zone;
}

void forth_open_leave_top(struct forth_profile *p)
{
	if (p->leaf)
		contexts_leave(p->zones);
	if (p->inner)
		contexts_leave(p->zones);
	p->leaf = p->inner = false;
}

void forth_open_enter_top(struct forth_profile *p, long primitive)
{
	if (primitive >= 0)
		contexts_enter(p->zones, forth_open_word_zone(p, primitive), 0, false);
	p->inner = primitive >= 0;
	p->leaf =
	    p->options.buckets && p->buckets->buckets && (p->window.open || !p->options.started);
	if (p->leaf)
		contexts_enter(p->zones, class_zone(p, p->buckets->now), 0, false);
}

void forth_open_push(struct forth_profile *p, uint16_t xt, int rise, uint16_t back)
{
	if (p->tree) {
		forth_words_enter(&p->words, xt, forth_open_word_zone(p, xt), rise, back);
		return;
	}
	if (p->depth == FORTH_OPEN_MOST) {
		contexts_leave(p->zones);
		p->depth--;
	}
	contexts_enter(p->zones, forth_open_word_zone(p, xt), 0, false);
	p->open[p->depth++] = (struct open_word){.rise = rise, .back = back, .xt = xt};
}

static void pop_word(struct forth_profile *p)
{
	if (p->tree) {
		forth_words_leave(&p->words);
		return;
	}
	contexts_leave(p->zones);
	p->depth--;
}

/* Whether the innermost word goes on although its return address has gone: the word itself may have
 * taken the address, to read it or to drop it. */
static bool goes_on(const struct forth_profile *p, uint16_t ip)
{
	struct open_word open = forth_open_word(p, 0);
	uint16_t code = m6502_peek16(p->m, open.xt + p->image.direct);

	return !forth_open_risen(p, 1) && ip != open.back &&
	       forth_names_same(p->names, ip, code == p->image.docol ? open.xt : code);
}

void forth_open_leave_risen(struct forth_profile *p, uint16_t ip)
{
	while (forth_open_risen(p, 0) && !goes_on(p, ip))
		pop_word(p);
}

void forth_open_leave_all(struct forth_profile *p)
{
	forth_open_leave_top(p);
	while (p->depth)
		pop_word(p);
}

void forth_open_save(struct forth_profile *p, int rp)
{
	struct task *task = NULL;

	for (int i = 0; i < p->tasks; i++) {
		if (p->task[i]->rp == rp)
			task = p->task[i];
	}
	if (!task && p->tasks < FORTH_OPEN_TASKS && (task = malloc(sizeof *task)))
		p->task[p->tasks++] = task;
	if (!task)
		return;
	task->rp = rp;
	task->depth = p->depth;
	memcpy(task->open, p->open, p->depth * sizeof *p->open);
}

void forth_open_restore(struct forth_profile *p, int rp)
{
	for (int i = 0; i < p->tasks; i++) {
		struct task *task = p->task[i];
		if (task->rp != rp)
			continue;
		for (int k = 0; k < task->depth; k++)
			forth_open_push(p, task->open[k].xt, task->open[k].rise,
					task->open[k].back);
		p->task[i] = p->task[--p->tasks];
		free(task);
		return;
	}
}

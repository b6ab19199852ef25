/* SPDX-License-Identifier: MIT */
/* ask.c - see ask.h. */
#include "report/process/ask.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/process/areas.h"
#include "report/process/binary.h"

#define AT(member) (offsetof(struct zprof_request, member))

/* ---- its memory */

static bool write_at(struct running *r, uint64_t at, const void *from, size_t bytes)
{
	return reach_write(&r->reach, at, from, bytes);
}

static bool write_number(struct running *r, uint64_t at, uint32_t number)
{
	return write_at(r, at, &number, sizeof number);
}

/* ---- asking */

static void open_doors(struct running *r)
{
	uint64_t doors[REQUEST_DOORS];
	if (!running_read(r, r->request + AT(doors), doors, sizeof doors))
		return;
	for (int i = 0; i < REQUEST_DOORS; i++) {
		uint64_t asks = REQUEST_DOOR_ASKS, now = asks;
		if (running_read(r, doors[i], &now, sizeof now) && now == REQUEST_DOOR_SHUT)
			write_at(r, doors[i], &asks, sizeof asks);
	}
}

/* Finds the entries in one module's file. */
static void find_entries_in(struct running *r, const struct running_module *m)
{
	struct str path = {0}, no_program = {0};
	struct scan_hooks hooks;
	running_path(r, m->path, &path);
	struct binary b = {.path = str_text(&path)};
	bool has = binary_open(&b, &no_program) && binary_find_sites(&b, &hooks);
	for (size_t i = 0; has && i < b.count; i++) {
		if (!scan_enters(&b.sites[i]))
			continue;
		*memory_next(r->entries, r->entry_count, r->entry_room) = (struct running_entry){
		    .at = b.sites[i].address - b.image.start + m->start,
		    .off = scan_byte(&b.sites[i], true),
		    .on = scan_byte(&b.sites[i], false),
		};
	}
	binary_close(&b);
	str_free(&path);
	str_free(&no_program);
}

static void find_entries(struct running *r)
{
	for (size_t i = 0; !r->entry_count && i < r->module_count; i++)
		find_entries_in(r, &r->modules[i]);
	if (!r->entry_count)
		areas_find(r);
}

#define HEARD_EVERY 64 /* entries between two checks for the process's answer */

/* Switches entries on. A byte that does not mean "off" stays: the entry is on, or its code has
 * changed. */
static bool knock(struct running *r, struct str *err)
{
	for (size_t i = 0; i < r->entry_count; i++) {
		struct running_entry *e = &r->entries[i];
		bool heard = false;
		uint8_t now;
		if (i % HEARD_EVERY == 0 && ask_answered(r, &heard, err) && heard)
			return true;
		if (!running_read(r, e->at, &now, 1) || now != e->off)
			continue;
		e->knocked = write_at(r, e->at, &e->on, 1);
		if (!e->knocked)
			return reach_refused(&r->reach, "the code", err);
	}
	return true;
}

bool ask_knock(struct running *r, struct str *err)
{
	uint64_t word = running_word(r);
	find_entries(r);
	open_doors(r);
	if (word && !write_number(r, word, REQUEST_WORD_OVER))
		return running_has_ended(r, err);
	bool ok = reach_begin(&r->reach, err) && knock(r, err);
	reach_end(&r->reach);
	return ok;
}

static bool put_request(struct running *r, enum request_what what, const char *options,
			uint32_t number)
{
	return write_at(r, r->request + AT(options), options, strlen(options) + 1) &&
	       write_number(r, r->request + AT(hands_over), r->reach.stops) &&
	       write_number(r, r->request + AT(what), what) &&
	       write_number(r, r->request + AT(asked), number);
}

static bool put_and_wake(struct running *r, enum request_what what, const char *options,
			 struct str *err)
{
	uint32_t asked = 0;
	uint64_t word;
	if (!running_read(r, r->request + AT(claimed), &asked, sizeof asked))
		return running_has_ended(r, err);
	if (!put_request(r, what, options, asked + 1))
		return reach_refused(&r->reach, "the memory", err);
	/* After put_request(): a thread that changes the word later sees the request. */
	word = running_word(r);
	if (what != REQUEST_BEGIN)
		return !word || write_number(r, word, REQUEST_WORD_OVER) ||
		       running_has_ended(r, err);
	open_doors(r);
	return knock(r, err);
}

bool ask_for(struct running *r, enum request_what what, const char *options, struct str *err)
{
	for (size_t i = 0; i < r->entry_count; i++)
		r->entries[i].knocked = false;
	if (strlen(options) >= REQUEST_TEXT_BYTES)
		return str_fail(err, "the options are too long: %d bytes at most",
				REQUEST_TEXT_BYTES - 1);
	if (what == REQUEST_BEGIN)
		find_entries(r);
	bool ok = reach_begin(&r->reach, err) && put_and_wake(r, what, options, err);
	reach_end(&r->reach);
	return ok;
}

/* ---- storing what the process hands over */

static bool is_handed(const struct running *r, uint32_t *number)
{
	uint32_t handed, stored;
	if (!running_read(r, r->request + AT(handed), &handed, sizeof handed) ||
	    !running_read(r, r->request + AT(stored), &stored, sizeof stored))
		return false;
	*number = handed;
	return handed != stored;
}

/* Stores one batch, while all threads stand still. */
static bool store_batch(struct running *r, struct str *err)
{
	struct request_store all[REQUEST_BATCH];
	uint32_t number, count;
	uint64_t at;
	if (!is_handed(r, &number))
		return true; /* the process has taken the batch back */
	if (!running_read(r, r->request + AT(batch), &at, sizeof at) ||
	    !running_read(r, r->request + AT(batch_count), &count, sizeof count) ||
	    count > REQUEST_BATCH || !running_read(r, at, all, count * sizeof *all))
		return running_has_ended(r, err);
	for (uint32_t i = 0; i < count; i++) {
		uint8_t now;
		if (running_read(r, all[i].at, &now, 1) && now == all[i].from &&
		    !write_at(r, all[i].at, &all[i].to, 1))
			return reach_refused(&r->reach, "the code", err);
	}
	return write_number(r, r->request + AT(stored), number) || running_has_ended(r, err);
}

bool ask_store(struct running *r, struct str *err)
{
	uint32_t number;
	if (!is_handed(r, &number))
		return true;
	bool ok = reach_begin(&r->reach, err) && store_batch(r, err);
	reach_end(&r->reach);
	return ok;
}

/* ---- the answer */

static void take_knocks_back(struct running *r)
{
	struct str err = {0};
	if (reach_begin(&r->reach, &err))
		for (size_t i = 0; i < r->entry_count; i++)
			if (r->entries[i].knocked)
				write_at(r, r->entries[i].at, &r->entries[i].off, 1);
	reach_end(&r->reach);
	str_free(&err);
}

bool ask_answered(struct running *r, bool *answered, struct str *err)
{
	uint32_t asked, done;
	if (!running_read(r, r->request + AT(asked), &asked, sizeof asked) ||
	    !running_read(r, r->request + AT(answered), &done, sizeof done))
		return running_has_ended(r, err);
	*answered = asked == done;
	return true;
}

bool ask_answer(struct running *r, struct str *profile, struct str *err)
{
	struct zprof_request *q = memory_zeroed(1, sizeof *q);
	bool ok = running_read(r, r->request, q, sizeof *q) || running_has_ended(r, err);
	if (ok && q->result == REQUEST_FAILED) {
		take_knocks_back(r);
		ok = str_fail(err, "process %d cannot do that, and says why on its stderr",
			      (int)r->pid);
	}
	r->matched = q->matched;
	r->switched = q->switched;
	q->profile[sizeof q->profile - 1] = 0;
	str_clear(profile);
	str_add(profile, "%s", q->profile);
	free(q);
	return ok;
}

bool ask_is_taken_on(struct running *r)
{
	uint32_t asked, claimed;
	return running_read(r, r->request + AT(asked), &asked, sizeof asked) &&
	       running_read(r, r->request + AT(claimed), &claimed, sizeof claimed) &&
	       asked == claimed;
}

/* If a thread claims the request at this very moment, the request is done, and entries stay on. */
void ask_withdraw(struct running *r)
{
	uint32_t before, claimed;
	if (!running_read(r, r->request + AT(claimed), &before, sizeof before) ||
	    !write_number(r, r->request + AT(asked), before) ||
	    !running_read(r, r->request + AT(claimed), &claimed, sizeof claimed))
		return;
	if (claimed == before)
		take_knocks_back(r);
	else
		write_number(r, r->request + AT(asked), claimed);
}

/* SPDX-License-Identifier: MIT */
/* profile_records.c - see profile_records.h. A record states its length; a piece that reaches
 * beyond it is refused. */
#include "report/core/read/profile_records.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

/* ---- texts */

static void keep_text(char **slot, const char *text, size_t n)
{
	free(*slot);
	*slot = memory_text(text, n);
}

static void read_command(struct profile *p, const char *text, size_t n)
{
	for (const char *end = text + n; text < end;) {
		size_t length = strnlen(text, (size_t)(end - text));
		p->command =
		    memory_room(p->command, p->command_count, &p->command_room, sizeof *p->command);
		p->command[p->command_count++] = memory_text(text, length);
		text += length + 1;
	}
}

void profile_records_take_text(struct profile *p, const void *record)
{
	const struct zprof_text *t = record;
	switch (t->kind) {
	case ZPROF_TEXT_COMMAND:
		if (!p->command_count)
			read_command(p, t->text, t->text_bytes);
		break;
	case ZPROF_TEXT_EXE:
		keep_text(&p->exe, t->text, t->text_bytes);
		break;
	case ZPROF_TEXT_HOST:
		keep_text(&p->host, t->text, t->text_bytes);
		break;
	case ZPROF_TEXT_RANK:
		keep_text(&p->rank, t->text, t->text_bytes);
		break;
	case ZPROF_TEXT_OPTIONS:
		keep_text(&p->options, t->text, t->text_bytes);
		break;
	case ZPROF_TEXT_COUNTER:
		if (p->counter_count < ZPROF_EXTRA_COUNTERS)
			p->counters[p->counter_count++] = memory_text(t->text, t->text_bytes);
		break;
	case ZPROF_TEXT_NOTE:
		p->notes = memory_room(p->notes, p->note_count, &p->note_room, sizeof *p->notes);
		p->notes[p->note_count++] = memory_text(t->text, t->text_bytes);
		break;
	}
}

/* ---- any records */

static uint64_t piece_bytes(const struct record_piece *piece, const char *record)
{
	uint32_t units;
	memcpy(&units, record + piece->length, sizeof units);
	return (uint64_t)units * piece->unit;
}

static void copy_pieces(const struct record_kind *k, char *to, const char *record)
{
	const char *at = record + k->fixed;
	for (size_t i = 0; i < RECORD_PIECES && k->pieces[i].unit; i++) {
		uint64_t n = piece_bytes(&k->pieces[i], record);
		char *copy = memory_text(at, n);
		memcpy(to + k->pieces[i].copy, &copy, sizeof copy);
		at += n;
	}
}

/* Adds the record of BYTES to P; returns what is wrong with it, or NULL. */
static const char *take(struct profile *p, const struct record_kind *k, const char *record,
			size_t bytes)
{
	uint64_t rest = 0;
	for (size_t i = 0; i < RECORD_PIECES && k->pieces[i].unit; i++)
		rest += piece_bytes(&k->pieces[i], record);
	if (rest > bytes - k->fixed)
		return k->too_long;
	if (k->take)
		return k->take(p, record), NULL;
	char *to = record_kind_room(p, k, 1);
	memset(to, 0, k->bytes);
	memcpy(to, record, k->fixed);
	const char *wrong = k->check ? k->check(to) : NULL;
	if (wrong)
		return wrong;
	copy_pieces(k, to, record);
	record_kind_set(p, k, record_kind_records(p, k) + 1);
	return NULL;
}

bool profile_records_read(struct profile *p, const struct record_kind *k, const void *records,
			  size_t n, uint64_t offset, struct str *err)
{
	const char *all = records, *wrong = NULL;
	size_t at = 0;
	while (!wrong && at < n) {
		uint32_t bytes = 0;
		if (n - at >= sizeof bytes)
			memcpy(&bytes, all + at, sizeof bytes);
		if (bytes < k->fixed || bytes % 8)
			wrong = "a record's size makes no sense";
		else if (bytes > n - at)
			wrong = "a record goes beyond the end of its section";
		else if (!(wrong = take(p, k, all + at, bytes)))
			at += bytes;
	}
	/* In a file that is cut short, the last record is cut too; p->damage says so already. */
	if (wrong && !p->damage.used)
		return profile_bad(p, err, offset + at, wrong);
	return true;
}

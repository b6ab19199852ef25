/* SPDX-License-Identifier: MIT */
/* profile_write.c - see profile_write.h. */
#include "report/core/read/profile_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/read/record_kinds.h"

static void put(struct profile_writer *w, const void *bytes, size_t n)
{
	if (n)
		fwrite(bytes, 1, n, w->file.to); /* the end looks for errors */
	w->at += n;
}

static void pad(struct profile_writer *w)
{
	static const char zeros[ZPROF_GRANULE];
	put(w, zeros, (size_t)(-w->at % ZPROF_GRANULE));
}

bool profile_write_begin(struct profile_writer *w, const char *path, struct str *err)
{
	static const char header[ZPROF_GRANULE];
	*w = (struct profile_writer){0};
	if (!replace_begin(&w->file, path, 0600, err))
		return false;
	if (replace_is_stream(&w->file)) {
		replace_cancel(&w->file);
		return str_fail(err, "cannot write '%s': a profile needs a regular file", path);
	}
	put(w, header, sizeof header);
	return true;
}

/* Copies the bytes from the writer's place to offset END. */
static bool copy(struct profile_writer *w, const char *path, uint64_t end, struct str *err)
{
	char block[1 << 16];
	FILE *from = fopen(path, "rbe");
	bool ok = from && !fseek(from, (long)w->at, SEEK_SET);
	while (ok && w->at < end) {
		size_t got = end - w->at < sizeof block ? (size_t)(end - w->at) : sizeof block;
		ok = fread(block, 1, got, from) == got;
		if (ok)
			put(w, block, got);
	}
	if (!ok)
		str_fail(err, "cannot read '%s': %s", path,
			 from && feof(from) ? "it has become shorter" : strerror(errno));
	if (from)
		fclose(from);
	return ok;
}

bool profile_write_add_to(struct profile_writer *w, const char *path, const char *from, uint64_t n,
			  struct str *err)
{
	if (!profile_write_begin(w, path, err))
		return false;
	if (copy(w, from, n, err))
		return true;
	profile_write_cancel(w);
	return false;
}

uint64_t profile_write_reference(const struct profile_writer *w)
{
	return (w->at + sizeof(struct zprof_section)) / ZPROF_NODE_BYTES;
}

void profile_write_section(struct profile_writer *w, uint32_t type, const void *records,
			   size_t bytes)
{
	struct zprof_section s = {.type = type, .used = sizeof s + bytes};
	if (!bytes)
		return;
	s.bytes = (s.used + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
	put(w, &s, sizeof s);
	put(w, records, bytes);
	pad(w);
}

bool profile_write_end(struct profile_writer *w, struct zprof_header *header, struct str *err)
{
	header->mapped_bytes = w->at;
	if (!fseek(w->file.to, 0, SEEK_SET))
		fwrite(header, sizeof *header, 1, w->file.to);
	return replace_end(&w->file, err);
}

void profile_write_cancel(struct profile_writer *w)
{
	replace_cancel(&w->file);
}

void profile_records_put(struct profile_records *r, const void *bytes, size_t n)
{
	if (r->used + n > r->room) {
		r->room = (r->used + n) * 2;
		r->bytes = memory_resize(r->bytes, r->room, 1);
	}
	if (n)
		memcpy(r->bytes + r->used, bytes, n);
	r->used += n;
}

void profile_records_add(struct profile_records *r, uint32_t section, const void *fixed,
			 const void *const *pieces)
{
	static const char zeros[8];
	const struct record_kind *k = record_kind_find(section);
	size_t first = r->used;
	profile_records_put(r, fixed, k->fixed);
	for (size_t i = 0; i < RECORD_PIECES && k->pieces[i].unit; i++) {
		const struct record_piece *piece = &k->pieces[i];
		uint32_t length = piece->is_text ? (uint32_t)strlen(pieces[i]) : 0;
		if (piece->is_text)
			memcpy(r->bytes + first + piece->length, &length, sizeof length);
		profile_records_put(r, pieces[i], record_piece_bytes(piece, r->bytes + first));
	}
	profile_records_put(r, zeros, -(r->used - first) % sizeof zeros);
	uint32_t bytes = (uint32_t)(r->used - first);
	memcpy(r->bytes + first, &bytes, sizeof bytes);
}

void profile_records_free(struct profile_records *r)
{
	free(r->bytes);
	*r = (struct profile_records){0};
}

/* SPDX-License-Identifier: MIT */
/* profile_write.c - see profile_write.h. */
#include "report/profile/profile_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/memory.h"

static void put(struct profile_writer *w, const void *bytes, size_t n)
{
	if (n && fwrite(bytes, 1, n, w->to) != n)
		w->failed = true;
	w->at += n;
}

static void pad(struct profile_writer *w)
{
	static const char zeros[ZPROF_GRANULE];
	put(w, zeros, (size_t)(-w->at % ZPROF_GRANULE));
}

bool profile_write_begin(struct profile_writer *w, const char *path, struct str *err)
{
	struct str hidden = {0};
	static const char header[ZPROF_GRANULE];
	str_add(&hidden, "%s.XXXXXX", path);
	int fd = mkstemp(hidden.text);
	if (fd < 0) {
		str_fail(err, "cannot write '%s': %s", path, strerror(errno));
		str_free(&hidden);
		return false;
	}
	mode_t mask = umask(0);
	umask(mask);
	fchmod(fd, 0666 & ~mask);
	*w = (struct profile_writer){
	    .to = fdopen(fd, "wb"), .path = memory_text(path, strlen(path)), .hidden = hidden.text};
	if (!w->to)
		memory_exhausted(BUFSIZ);
	put(w, header, sizeof header);
	return true;
}

bool profile_write_append(struct profile_writer *w, const char *path, uint64_t at, struct str *err)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	*w = (struct profile_writer){.to = fd < 0 ? NULL : fdopen(fd, "r+b"), .at = at};
	if (!w->to || ftruncate(fd, (off_t)at) || fseek(w->to, 0, SEEK_END)) {
		str_fail(err, "cannot add to '%s': %s", path, strerror(errno));
		if (w->to)
			fclose(w->to);
		return false;
	}
	w->path = memory_text(path, strlen(path));
	return true;
}

bool profile_write_copy(struct profile_writer *w, const char *path, uint64_t n, struct str *err)
{
	char block[1 << 16];
	FILE *from = fopen(path, "rbe");
	bool ok = from && !fseek(from, ZPROF_GRANULE, SEEK_SET);
	while (ok && w->at < n) {
		size_t got = n - w->at < sizeof block ? (size_t)(n - w->at) : sizeof block;
		ok = fread(block, 1, got, from) == got;
		if (ok)
			put(w, block, got);
	}
	if (!ok)
		str_fail(err, "cannot read '%s': %s", path, strerror(errno));
	if (from)
		fclose(from);
	return ok;
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

static void close_writer(struct profile_writer *w)
{
	free(w->path);
	free(w->hidden);
	*w = (struct profile_writer){0};
}

bool profile_write_end(struct profile_writer *w, struct zprof_header *header, struct str *err)
{
	header->mapped_bytes = w->at;
	bool ok = !w->failed && !fflush(w->to) && !fseek(w->to, 0, SEEK_SET) &&
		  fwrite(header, 1, sizeof *header, w->to) == sizeof *header;
	ok = !fclose(w->to) && ok;
	ok = ok && (!w->hidden || !rename(w->hidden, w->path));
	if (!ok) {
		str_fail(err, "cannot write '%s': %s", w->path, strerror(errno));
		if (w->hidden)
			unlink(w->hidden);
	}
	close_writer(w);
	return ok;
}

void profile_write_cancel(struct profile_writer *w)
{
	fclose(w->to);
	if (w->hidden)
		unlink(w->hidden);
	close_writer(w);
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

void profile_records_add(struct profile_records *r, const void *fixed, size_t fixed_bytes,
			 const char *const *texts, size_t count)
{
	static const char zeros[8];
	size_t first = r->used;
	profile_records_put(r, fixed, fixed_bytes);
	for (size_t i = 0; i < count; i++)
		profile_records_put(r, texts[i], strlen(texts[i]));
	profile_records_put(r, zeros, -(r->used - first) % sizeof zeros);
	uint32_t bytes = (uint32_t)(r->used - first);
	memcpy(r->bytes + first, &bytes, sizeof bytes);
}

void profile_records_free(struct profile_records *r)
{
	free(r->bytes);
	*r = (struct profile_records){0};
}

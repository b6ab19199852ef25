/* SPDX-License-Identifier: MIT */
/*
 * make_fleet.c - the profiles of a fleet out of a few that were recorded.
 *
 *     make_fleet FOLDER COUNT HOSTS PROFILE...
 *
 * Profile number I of FOLDER is a copy of PROFILE number I % their count, as if another process had
 * run on host number I % HOSTS, `h000`, `h001` ..., a minute after the one before: it has a run, a
 * number and a beginning of its own, and all its counts are multiplied by 1 to 4, by its number. So
 * a whole fleet takes seconds, is the same each time, and what it adds up to is known.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "preload/format.h"

struct file {
	unsigned char *bytes;
	size_t count;
};

static struct file read_file(const char *path)
{
	struct file f = {0};
	struct stat st;
	FILE *from = fopen(path, "rb");
	if (from && !fstat(fileno(from), &st) && (f.bytes = malloc((size_t)st.st_size)))
		f.count = fread(f.bytes, 1, (size_t)st.st_size, from);
	if (from)
		fclose(from);
	return f;
}

static void change_nodes(struct zprof_section *s, unsigned times)
{
	struct zprof_node *n = (struct zprof_node *)(s + 1);
	struct zprof_node *end = (struct zprof_node *)((char *)s + s->used);
	for (; n < end; n++) {
		n->calls *= times;
		n->self_ticks *= times;
	}
}

static void change_threads(struct zprof_section *s, unsigned times)
{
	struct zprof_thread *t = (struct zprof_thread *)(s + 1);
	struct zprof_thread *end = (struct zprof_thread *)((char *)s + s->used);
	for (; t < end; t++) {
		t->active_ticks *= times;
		t->last_ticks = t->first_ticks + (t->last_ticks - t->first_ticks) * times;
	}
}

/* A name of four letters always fits: a record has eight bytes of text or more. */
static void change_host(struct zprof_section *s, unsigned host)
{
	char *at = (char *)(s + 1), *end = (char *)s + s->used;
	while (at < end) {
		struct zprof_text *t = (struct zprof_text *)at;
		char name[8];
		if (t->kind == ZPROF_TEXT_HOST) {
			snprintf(name, sizeof name, "h%03u", host % 1000);
			memcpy(t->text, name, 4);
			t->text_bytes = 4;
		}
		at += t->bytes;
	}
}

static void change(struct file *f, unsigned number, unsigned hosts)
{
	struct zprof_header *h = (struct zprof_header *)f->bytes;
	unsigned times = 1 + (number * 2654435761u >> 16) % 4;
	h->pid = 1000 + number;
	memset(h->run_id, 0, sizeof h->run_id);
	memcpy(h->run_id, "fleet", 5);
	memcpy(h->run_id + 8, &number, sizeof number);
	h->start_realtime_ns = (1700000000u + 60ull * number) * 1000000000u;
	h->start_ns += number;
	for (size_t at = sizeof *h; at + sizeof(struct zprof_section) <= f->count;) {
		struct zprof_section *s = (struct zprof_section *)(f->bytes + at);
		if (s->type == ZPROF_SECTION_NODES)
			change_nodes(s, times);
		else if (s->type == ZPROF_SECTION_THREADS)
			change_threads(s, times);
		else if (s->type == ZPROF_SECTION_TEXT)
			change_host(s, number % hosts);
		at += s->type ? s->bytes : ZPROF_GRANULE;
	}
}

static bool write_file(const char *folder, unsigned number, const struct file *f)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%06u.zp", folder, number);
	FILE *to = fopen(path, "wb");
	bool ok = to && fwrite(f->bytes, 1, f->count, to) == f->count;
	return to && fclose(to) == 0 && ok;
}

int main(int argc, char **argv)
{
	unsigned count = argc > 4 ? (unsigned)atoi(argv[2]) : 0,
		 hosts = argc > 4 ? (unsigned)atoi(argv[3]) : 0;
	if (!count || !hosts) {
		fprintf(stderr, "usage: make_fleet FOLDER COUNT HOSTS PROFILE...\n");
		return 2;
	}
	for (unsigned i = 0; i < count; i++) {
		struct file f = read_file(argv[4 + i % (unsigned)(argc - 4)]);
		bool ok = f.count > sizeof(struct zprof_header);
		if (ok)
			change(&f, i, hosts);
		ok = ok && write_file(argv[1], i, &f);
		free(f.bytes);
		if (!ok) {
			fprintf(stderr, "make_fleet: profile %u could not be made\n", i);
			return 1;
		}
	}
	return 0;
}

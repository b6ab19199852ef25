/* SPDX-License-Identifier: MIT */
/* identity.c - see identity.h. */
#include "preload/profile/identity.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/environment.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"

#include <fcntl.h>

static void write_text(struct zprof_section *s, uint32_t kind, const char *text, size_t n)
{
	size_t room = s->bytes - s->used;
	struct zprof_text *record = (struct zprof_text *)((char *)s + s->used);
	uint32_t bytes;

	if (!n || room < sizeof(*record) + 8)
		return;
	if (n > room - sizeof(*record) - 8)
		n = room - sizeof(*record) - 8;
	bytes = ZPROF_RECORD_BYTES((uint32_t)(sizeof(*record) + n));
	record->bytes = bytes;
	record->kind = kind;
	record->text_bytes = (uint32_t)n;
	memcpy(record->text, text, n);
	__atomic_store_n(&s->used, s->used + bytes, __ATOMIC_RELEASE);
}

#define NOTES_BYTES 1024 /* room for identity_note(), and as much again for events= */
#define PATH_BYTES  4096

static void write_texts(struct process *p)
{
	char *command = NULL, *path = sys_memory(PATH_BYTES), host[65];
	const char *rank = environment_rank();
	size_t mapped = 0, room = p->options->events ? 2 * NOTES_BYTES : NOTES_BYTES;
	long command_bytes = sys_read_file(SYS_SELF "cmdline", &command, &mapped);
	long path_bytes =
	    path ? sys4(SYS_readlinkat, AT_FDCWD, SYS_SELF "exe", path, PATH_BYTES) : 0;
	struct zprof_section *s;

	environment_host(host);
	if (command_bytes > 1l << 20)
		command_bytes = 1l << 20;
	if (command_bytes > 0)
		room += (size_t)command_bytes;
	if (path_bytes > 0)
		room += (size_t)path_bytes;
	s = file_section(p, ZPROF_SECTION_TEXT, 0,
			 room + strlen(host) + strlen(rank) + strlen(p->options->raw));
	p->texts = s;
	if (s) {
		write_text(s, ZPROF_TEXT_COMMAND, command,
			   command_bytes > 0 ? (size_t)command_bytes : 0);
		write_text(s, ZPROF_TEXT_EXE, path, path_bytes > 0 ? (size_t)path_bytes : 0);
		write_text(s, ZPROF_TEXT_HOST, host, strlen(host));
		write_text(s, ZPROF_TEXT_RANK, rank, strlen(rank));
		write_text(s, ZPROF_TEXT_OPTIONS, p->options->raw, strlen(p->options->raw));
	}
	sys_memory_free(command, mapped);
	sys_memory_free(path, PATH_BYTES);
}

void identity_write(struct process *p)
{
	write_texts(p);
}

void identity_note(struct process *p, const char *what, uint64_t number)
{
	char line[256];
	struct text t;

	text_init(&t, line, sizeof(line));
	text_add(&t, what);
	text_number(&t, number);
	if (!p->texts || __atomic_exchange_n(&p->noting, 1, __ATOMIC_ACQUIRE))
		return;
	write_text(p->texts, ZPROF_TEXT_NOTE, line, t.used);
	__atomic_store_n(&p->noting, 0, __ATOMIC_RELEASE);
}

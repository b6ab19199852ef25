/* SPDX-License-Identifier: MIT */
/* identity.c - see identity.h. */
#include "preload/profile/identity.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"

#include <sys/utsname.h>

extern char **environ;

/* ---- the environment */

/*
 * Points at the number of arguments; behind it the arguments, NULL, the environment, NULL. The
 * dynamic linker defines it; weak, since we are linked with libc alone.
 */
extern long *__libc_stack_end __attribute__((weak));

char **identity_variables(void)
{
	static char *none;

	if (environ)
		return environ;
	if (!&__libc_stack_end)
		return &none;
	return (char **)__libc_stack_end + 1 + *__libc_stack_end + 1;
}

const char *identity_environment(const char *name)
{
	char **e;

	for (e = identity_variables(); *e; e++) {
		const char *a = *e, *b = name;

		while (*b && *a == *b) {
			a++;
			b++;
		}
		if (!*b && *a == '=')
			return a + 1;
	}
	return NULL;
}

void identity_host(char *host)
{
	struct utsname names;

	host[0] = 0;
	if (!SYS_FAILED(sys1(SYS_uname, &names)))
		memcpy(host, names.nodename, 65);
}

const char *identity_rank(void)
{
	static const char *const launchers[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
						"SLURM_PROCID"};
	const char *rank = NULL;
	size_t i;

	for (i = 0; !rank && i < sizeof(launchers) / sizeof(launchers[0]); i++)
		rank = identity_environment(launchers[i]);
	return rank ? rank : "0";
}

/* ---- texts about the process */

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

#define NOTES_BYTES 1024 /* room for identity_note() */
#define PATH_BYTES  4096

static void write_texts(struct process *p)
{
	char *command = NULL, *path = sys_memory(PATH_BYTES), host[65];
	const char *rank = identity_rank();
	size_t mapped = 0, room = NOTES_BYTES;
	long command_bytes = sys_read_file(SYS_SELF "cmdline", &command, &mapped);
	long path_bytes = path ? sys3(SYS_readlink, SYS_SELF "exe", path, PATH_BYTES) : 0;
	struct zprof_section *s;

	identity_host(host);
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

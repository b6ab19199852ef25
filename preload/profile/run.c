/* SPDX-License-Identifier: MIT */
/* run.c - see run.h. */
#include "preload/profile/run.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/environment.h"
#include "preload/process/process.h"

#include <fcntl.h>
#include <sys/stat.h>

#define ANCESTORS 64

static bool from_text(uint8_t *id, const char *text)
{
	int i;

	if (!text || strlen(text) != 32)
		return false;
	for (i = 0; i < 32; i++) {
		char c = text[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
						   : -1;

		if (digit < 0)
			return false;
		id[i / 2] = (uint8_t)(id[i / 2] << 4 | digit);
	}
	return true;
}

/* ---- /proc/PID */

static long read_of(uint64_t pid, const char *name, char **memory, size_t *mapped)
{
	char path[64];
	struct text t;

	text_init(&t, path, sizeof(path));
	text_add(&t, "/proc/");
	text_number(&t, pid);
	text_add(&t, name);
	return sys_read_file(path, memory, mapped);
}

/*
 * A field of /proc/PID/stat, 4 or later, counted from 1 as in proc(5); 0: the file cannot be read.
 */
static uint64_t stat_field(uint64_t pid, int field)
{
	char *text = NULL, *s, *end = NULL;
	uint64_t number = 0;
	size_t mapped = 0;
	int i;

	if (read_of(pid, "/stat", &text, &mapped) <= 0)
		return 0;
	/* The program's name, in brackets, may hold anything: the last ')' ends it. */
	for (s = text; *s; s++)
		if (*s == ')')
			end = s;
	for (s = end ? end : s, i = 2; *s && i < field; s++)
		i += *s == ' ';
	for (; *s >= '0' && *s <= '9'; s++)
		number = number * 10 + (uint64_t)(*s - '0');
	sys_memory_free(text, mapped);
	return number;
}

/* ---- ancestors */

static bool read_header(struct zprof_header *h, const char *path)
{
	struct stat st;
	long fd, n;

	/* To open anything but a regular file, say a device, may have effects. */
	if (SYS_FAILED(sys4(SYS_newfstatat, AT_FDCWD, path, &st, 0)) || !S_ISREG(st.st_mode))
		return false;
	fd = sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	if (SYS_FAILED(fd))
		return false;
	n = sys3(SYS_read, fd, h, sizeof(*h));
	sys1(SYS_close, fd);
	return n == sizeof(*h) && !memcmp(h->magic, ZPROF_MAGIC, sizeof(h->magic));
}

/*
 * Is there a profile at `path` that process `pid` writes? If so, this process belongs to the same
 * run. (A header is a page: more than the stack may have.)
 */
static bool from_profile(uint8_t *id, const char *path, uint64_t pid)
{
	struct zprof_header *h = sys_memory(sizeof(*h));
	bool found = h && read_header(h, path) && h->pid == pid;

	if (found)
		memcpy(id, h->run_id, sizeof(h->run_id));
	sys_memory_free(h, sizeof(*h));
	return found;
}

/*
 * A line of /proc/PID/maps is "START-END PERMISSIONS OFFSET DEVICE INODE PATH". Returns the path of
 * a mapping that is shared and written to, else NULL.
 */
static char *path_of_shared(char *line)
{
	char *s = line;

	while (*s && *s != ' ')
		s++;
	if (memcmp(s, " rw-s", 5))
		return NULL;
	while (*s && *s != '/')
		s++;
	return *s ? s : NULL;
}

/*
 * Finds the run id in a profile that process `pid` has mapped. The lines of /proc/PID/maps are cut
 * apart in place.
 */
static bool from_maps(uint8_t *id, uint64_t pid)
{
	char *text = NULL, *line, *next, *path;
	const char *last = "";
	bool found = false;
	size_t mapped = 0;

	if (read_of(pid, "/maps", &text, &mapped) <= 0)
		return false;
	for (line = text; !found && *line; line = next) {
		for (next = line; *next && *next != '\n'; next++)
			;
		if (*next)
			*next++ = 0;
		path = path_of_shared(line);
		if (path && !text_same(path, last)) {
			found = from_profile(id, path, pid);
			last = path;
		}
	}
	sys_memory_free(text, mapped);
	return found;
}

static bool from_ancestor(uint8_t *id)
{
	uint64_t pid = (uint64_t)sys0(SYS_getppid);
	int i;

	for (i = 0; i < ANCESTORS && pid > 1; i++) {
		if (from_maps(id, pid))
			return true;
		pid = stat_field(pid, 4);
	}
	return pid == 1 && from_maps(id, pid);
}

/* ---- a new run */

/* The finalizer of splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static uint64_t add_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = mix(hash + (unsigned char)*text);
	return hash;
}

static void from_self(uint8_t *id)
{
	uint64_t pid = (uint64_t)sys0(SYS_getpid), began = stat_field(pid, 22), half[2];
	char *boot = NULL;
	size_t mapped = 0;

	if (!began || sys_read_file("/proc/sys/kernel/random/boot_id", &boot, &mapped) <= 0) {
		sys3(SYS_getrandom, id, 16, 0);
		return;
	}
	half[0] = add_text(mix(began), boot) + pid;
	half[1] = mix(half[0] + 1);
	memcpy(id, half, sizeof(half));
	sys_memory_free(boot, mapped);
}

void run_choose(struct process *p, const struct process *from)
{
	p->first = false;
	if (from)
		memcpy(p->run_id, from->run_id, sizeof(p->run_id));
	else if (!from_text(p->run_id, environment_value("ZPROF_RUN")) &&
		 !from_ancestor(p->run_id)) {
		p->first = true;
		from_self(p->run_id);
	}
}

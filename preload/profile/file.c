/* SPDX-License-Identifier: MIT */
/* file.c - see file.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "preload/profile/file.h"

#include "preload/format.h"
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/identity.h"
#include "preload/profile/losses.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static long open_known(const struct file *file)
{
	struct stat st;
	long fd;

	if (file->unnamed)
		return file->unnamed - 1;
	fd = sys3(SYS_open, file->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
	if (SYS_FAILED(fd))
		return fd;
	if (SYS_FAILED(sys2(SYS_fstat, fd, &st)) || st.st_dev != file->device ||
	    st.st_ino != file->inode) {
		sys1(SYS_close, fd);
		return -ESTALE;
	}
	return fd;
}

static void close_known(const struct file *file, long fd)
{
	if (!file->unnamed)
		sys1(SYS_close, fd);
}

/* Past the limit on file sizes the kernel would send SIGXFSZ, so the limit is looked at first. */
static long within_limit(uint64_t end)
{
	struct rlimit limit;

	if (SYS_FAILED(sys2(SYS_getrlimit, RLIMIT_FSIZE, &limit)))
		return 0;
	return limit.rlim_cur != RLIM_INFINITY && end > limit.rlim_cur ? -EFBIG : 0;
}

static long write_zeros(long fd, uint64_t offset, uint64_t bytes)
{
	static const char zeros[ZPROF_GRANULE];

	while (bytes) {
		long n = sys4(SYS_pwrite64, fd, zeros, ZPROF_GRANULE, offset);

		if (n == -EINTR)
			continue;
		if (SYS_FAILED(n))
			return n;
		if (n == 0)
			return -ENOSPC;
		offset += (uint64_t)n;
		bytes -= (uint64_t)n < bytes ? (uint64_t)n : bytes;
	}
	return 0;
}

static long allocate(struct file *file, long fd, uint64_t offset, uint64_t bytes)
{
	long r = within_limit(offset + bytes);

	if (r)
		return r;
	if (!file->plain) {
		do
			r = sys4(SYS_fallocate, fd, 0, offset, bytes);
		while (r == -EINTR);
		if (r != -EOPNOTSUPP && r != -ENOSYS)
			return r;
		file->plain = true;
	}
	return write_zeros(fd, offset, bytes);
}

/* ---- address space */

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* Linux 4.17; to older ones the address is a mere hint */
#endif

/* Private memory, exactly there or not at all. */
static long map_at(char *at, uint64_t bytes)
{
	long r;

	if (!sys_take(bytes))
		return -ENOMEM;
	r = sys6(SYS_mmap, at, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (r == (long)at)
		return 0;
	sys_give_back(bytes);
	if (SYS_FAILED(r))
		return r;
	sys2(SYS_munmap, r, bytes);
	return -EEXIST;
}

static void unmap(char *at, uint64_t bytes)
{
	sys2(SYS_munmap, at, bytes);
	sys_give_back(bytes);
}

static long map_both(char *base, uint64_t bytes)
{
	long r = map_at(base, bytes);

	if (r)
		return r;
	r = map_at(base + FILE_TWIN, bytes);
	if (r)
		unmap(base, bytes);
	return r;
}

/*
 * The kernel puts libraries, stacks and large blocks of malloc near each other, and us among them.
 * Nothing is mapped by itself far below them and far above the program and its heap. Some tools
 * (ThreadSanitizer) have taken all that lies between; then a place nearer by is used, which still
 * leaves room for the program's mappings. The files of the processes that this one was forked from
 * are still mapped here, at such places.
 */
char *file_planes(uint64_t bytes)
{
	static const uintptr_t far[] = {(uintptr_t)16 << 40, (uintptr_t)64 << 30};
	const uintptr_t span = 2 * FILE_TWIN, here = (uintptr_t)&process_now & ~(span - 1);
	size_t i, n;

	for (i = 0; i < sizeof(far) / sizeof(far[0]); i++)
		for (n = 1; n <= 32 && far[i] + n * span < here; n++) {
			char *base = (char *)(here - far[i] - n * span);
			long r = map_both(base, bytes);

			if (!r)
				return base;
			if (r != -EEXIST)
				return NULL;
		}
	return NULL;
}

void file_planes_free(char *base, uint64_t bytes)
{
	unmap(base, bytes);
	unmap(base + FILE_TWIN, bytes);
}

/* A piece is noted while its place is ours: a forked child may map over it then. */
static void note_piece(struct file *file, uint64_t offset, uint64_t bytes, bool ours)
{
	uint64_t i, end = (offset + bytes) / ZPROF_GRANULE;

	for (i = offset / ZPROF_GRANULE; i < end; i++) {
		uint64_t *word = &file->pieces[i / 64], bit = (uint64_t)1 << i % 64;

		if (ours)
			__atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
		else
			__atomic_fetch_and(word, ~bit, __ATOMIC_RELAXED);
	}
}

static bool is_ours(const struct file *file, uint64_t granule)
{
	return __atomic_load_n(&file->pieces[granule / 64], __ATOMIC_ACQUIRE) >> granule % 64 & 1;
}

/* The next run of granules that are mapped, from *end on; false: there is none. */
static bool next_run(const struct file *file, uint64_t *start, uint64_t *end)
{
	uint64_t i = *end / ZPROF_GRANULE;

	while (i < FILE_GRANULES && !is_ours(file, i))
		i += i % 64 || file->pieces[i / 64] ? 1 : 64;
	*start = i * ZPROF_GRANULE;
	while (i < FILE_GRANULES && is_ours(file, i))
		i++;
	*end = i * ZPROF_GRANULE;
	return *start < *end;
}

static long map_file(const struct file *file, long fd, uint64_t offset, uint64_t bytes, int flags)
{
	long r = sys6(SYS_mmap, file->base + offset, bytes, PROT_READ | PROT_WRITE,
		      flags | MAP_FIXED, fd, offset);

	return SYS_FAILED(r) ? r : 0;
}

static long map_more(struct file *file, long fd, uint64_t offset, uint64_t bytes, bool with_twins)
{
	char *at = file->base + offset;
	long r = with_twins ? map_both(at, bytes) : map_at(at, bytes);

	if (r)
		return r;
	note_piece(file, offset, bytes, true);
	r = allocate(file, fd, offset, bytes);
	if (!SYS_FAILED(r))
		r = map_file(file, fd, offset, bytes, MAP_SHARED);
	if (!SYS_FAILED(r))
		return 0;
	note_piece(file, offset, bytes, false);
	unmap(at, bytes);
	if (with_twins)
		unmap(at + FILE_TWIN, bytes);
	return r;
}

/* ---- the name */

static void add_name_part(struct text *t, const char *s)
{
	for (; *s && *s != '.'; s++)
		text_char(t, *s == '/' ? '_' : *s);
}

static void add_program(struct text *t)
{
	char *path = sys_memory(4096);
	const char *name = path;
	long n, i;

	if (!path)
		return;
	n = sys3(SYS_readlink, "/proc/self/exe", path, 4095);
	for (i = 0; i < n; i++)
		if (path[i] == '/')
			name = path + i + 1;
	text_add(t, name);
	sys_memory_free(path, 4096);
}

static void expand(struct text *t, const char *pattern)
{
	char host[65];

	for (; *pattern; pattern++) {
		if (*pattern != '%') {
			text_char(t, *pattern);
			continue;
		}
		switch (*++pattern) {
		case 'p':
			text_number(t, (uint64_t)sys0(SYS_getpid));
			break;
		case 'e':
			add_program(t);
			break;
		case 'h':
			identity_host(host);
			add_name_part(t, host);
			break;
		case 'r':
			text_add(t, identity_rank());
			break;
		case '%':
			text_char(t, '%');
			break;
		default:
			text_char(t, '%');
			pattern--;
		}
	}
}

/*
 * A name without a folder is taken from where the program was when it first recorded: a child that
 * has gone elsewhere (a daemon, in /) leaves its profile beside its parent's.
 */
static bool start_path(struct file *file, const char *pattern, const struct file *parents)
{
	long n;

	if (*pattern == '/')
		return true;
	if (parents) {
		memcpy(file->path, parents->path, parents->folder_bytes);
		file->folder_bytes = parents->folder_bytes;
		return true;
	}
	n = sys2(SYS_getcwd, file->path, 4096);
	if (SYS_FAILED(n) || file->path[0] != '/') {
		text_complain("cannot tell the current folder, needed for output", pattern,
			      n < 0 ? (int)-n : 0,
			      "give output=/an/absolute/path; running unprofiled");
		return false;
	}
	file->folder_bytes = (uint32_t)strlen(file->path);
	if (file->folder_bytes > 1)
		file->path[file->folder_bytes++] = '/';
	return true;
}

static bool absolute_path(struct file *file, const char *pattern, const struct file *parents)
{
	struct text t = {.at = file->path, .room = sizeof(file->path) - 16};

	if (!start_path(file, pattern, parents))
		return false;
	t.used = file->folder_bytes;
	expand(&t, pattern);
	if (t.cut)
		text_complain("the output's path is too long", pattern, 0,
			      "give a shorter output=; running unprofiled");
	return !t.cut;
}

/* O_EXCL, or what amounts to it: never somebody else's file, never through a symlink. */
static long create_here(const struct file *file)
{
	return sys3(SYS_open, file->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Gives the unnamed file its name; a link never replaces what is there. */
static long link_here(const struct file *file)
{
	char from[32];
	struct text t;

	text_init(&t, from, sizeof(from));
	text_add(&t, "/proc/self/fd/");
	text_number(&t, (uint64_t)(file->unnamed - 1));
	return sys6(SYS_linkat, AT_FDCWD, from, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW, 0);
}

/* Tries the path, then the path with `.2`, `.3` ..., while there is one of that name. */
static long first_free_name(struct file *file, long (*attempt)(const struct file *))
{
	size_t stem = strlen(file->path);
	long r = -EEXIST;
	uint64_t n;

	for (n = 1; n < 100000 && r == -EEXIST; n++) {
		if (n > 1) {
			struct text t = {
			    .at = file->path, .room = sizeof(file->path), .used = stem};

			text_char(&t, '.');
			text_number(&t, n);
		}
		r = attempt(file);
	}
	if (SYS_FAILED(r))
		file->path[stem] = 0;
	return r;
}

/*
 * A file in the folder, but without a name: whatever ends the process before the profile is whole
 * leaves nothing behind. Where the file system cannot do that, or there is no /proc to name it by
 * (a bare chroot), the file has its name from the start.
 */
static long open_new(struct file *file)
{
	size_t n = strlen(file->path);
	char cut;
	long fd;

	if (SYS_FAILED(sys2(SYS_access, "/proc/self/fd", F_OK)))
		return first_free_name(file, create_here);
	while (n > 1 && file->path[n - 1] != '/')
		n--;
	cut = file->path[n];
	file->path[n] = 0;
	fd = sys3(SYS_open, file->path, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	file->path[n] = cut;
	if (fd == -EOPNOTSUPP || fd == -EISDIR)
		return first_free_name(file, create_here);
	if (!SYS_FAILED(fd))
		file->unnamed = (int32_t)fd + 1;
	return fd;
}

/* ---- create, grow */

/*
 * What the smallest useful profile takes: header, texts, modules, zones, a thread and its first
 * nodes. Where there is no room for that there shall be no file.
 */
#define START_BYTES ((uint64_t)8 * ZPROF_GRANULE)

/* The header, and its twin: until threads begin, no other twins are there. */
#define FIRST_BYTES ((uint64_t)ZPROF_GRANULE)

static const char *remedy_for(long error)
{
	switch (-error) {
	case EFBIG:
		return "raise ulimit -f; running unprofiled";
	case EMFILE:
	case ENFILE:
		return "raise ulimit -n; running unprofiled";
	case ENOSPC:
	case EDQUOT:
		return "give output=FILE on a disk with room; running unprofiled";
	default:
		return "give output=FILE in a folder that can be written; running unprofiled";
	}
}

static bool give_up(struct file *file, const char *what, long error)
{
	text_complain(what, file->path, (int)-error, remedy_for(error));
	file_remove(file);
	return false;
}

bool file_create(struct process *p, const struct process *from)
{
	struct file *file = p->file;
	struct stat st;
	long fd, r;

	if (!absolute_path(file, p->options->output, from ? from->file : NULL))
		return false;
	file->base = file_planes(FIRST_BYTES);
	if (!file->base) {
		text_complain(
		    "no address space to begin with", NULL, ENOMEM,
		    "raise ulimit -v (valgrind leaves no room, either); running unprofiled");
		return false;
	}
	note_piece(file, 0, FIRST_BYTES, true);
	fd = open_new(file);
	if (SYS_FAILED(fd))
		return give_up(file, "cannot create", fd);
	r = sys2(SYS_fstat, fd, &st);
	file->device = st.st_dev;
	file->inode = st.st_ino;
	if (!SYS_FAILED(r))
		r = allocate(file, fd, 0, START_BYTES);
	if (!SYS_FAILED(r))
		r = map_file(file, fd, 0, FIRST_BYTES, MAP_SHARED);
	close_known(file, fd);
	if (SYS_FAILED(r))
		return give_up(file, "cannot write", r);
	file->end = FIRST_BYTES;
	return true;
}

bool file_name(struct file *file)
{
	long r;

	if (!file->unnamed)
		return true;
	r = first_free_name(file, link_here);
	if (SYS_FAILED(r))
		return give_up(file, "cannot create", r);
	sys1(SYS_close, file->unnamed - 1);
	file->unnamed = 0;
	return true;
}

void file_remove(struct file *file)
{
	uint64_t start, end = 0;

	if (file->unnamed)
		sys1(SYS_close, file->unnamed - 1);
	else if (file->inode)
		sys1(SYS_unlink, file->path);
	file->unnamed = 0;
	if (!file->base)
		return;
	while (next_run(file, &start, &end))
		unmap(file->base + start, end - start);
	unmap(file->base + FILE_TWIN, FIRST_BYTES);
	file->base = NULL;
}

/*
 * After a failure: try again at the 1st, 2nd, 4th, 8th ... call, so that a full disk does not turn
 * every call into system calls.
 */
static bool worth_trying(struct file *file)
{
	uint32_t n = __atomic_load_n(&file->failures, __ATOMIC_RELAXED);

	if (!n)
		return true;
	n = __atomic_add_fetch(&file->failures, 1, __ATOMIC_RELAXED);
	return (n & (n - 1)) == 0;
}

static uint64_t grow_failed(struct process *p, long error)
{
	struct file *file = p->file;

	__atomic_add_fetch(&file->failures, 1, __ATOMIC_RELAXED);
	if (file->aside)
		losses_count(p, ZPROF_LOSS_SHUT, 1);
	if (!__atomic_exchange_n(&file->complained, true, __ATOMIC_RELAXED))
		text_complain(
		    "cannot grow", file->path, (int)-error,
		    "new contexts will be known by their caller alone (the report says how many)");
	return 0;
}

static void raise(uint64_t *mark, uint64_t to)
{
	uint64_t seen = __atomic_load_n(mark, __ATOMIC_RELAXED);

	while (seen < to && !__atomic_compare_exchange_n(mark, &seen, to, false, __ATOMIC_RELEASE,
							 __ATOMIC_RELAXED))
		;
}

/* Where something lies in the way, a few places further on are tried. */
#define PLACES 8

/* The next place that can be had. */
static long claim(struct file *file, long fd, uint64_t bytes, bool with_twins, uint64_t *offset)
{
	long r = -EEXIST;
	int i;

	for (i = 0; i < PLACES && r == -EEXIST; i++) {
		uint64_t expected;

		*offset = __atomic_fetch_add(&file->end, bytes, __ATOMIC_RELAXED);
		expected = *offset + bytes;
		r = expected <= FILE_TWIN ? map_more(file, fd, *offset, bytes, with_twins) : -EFBIG;
		if (r && r != -EEXIST)
			__atomic_compare_exchange_n(&file->end, &expected, *offset, false,
						    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
	return r;
}

/* ---- what is set aside */

#define ASIDE       ((uint64_t)16 << 20)
#define ASIDE_LEAST ((uint64_t)256 << 10)

static uint64_t aside(uint64_t start, uint64_t end)
{
	return end / ZPROF_GRANULE << 32 | start / ZPROF_GRANULE;
}

static uint64_t aside_start(uint64_t piece)
{
	return (uint64_t)(uint32_t)piece * ZPROF_GRANULE;
}

static uint64_t aside_end(uint64_t piece)
{
	return (piece >> 32) * ZPROF_GRANULE;
}

/* What is left of an earlier piece is given up for one that is larger. */
void file_set_aside(struct process *p)
{
	struct file *file = p->file;
	uint64_t seen = __atomic_load_n(&file->aside, __ATOMIC_ACQUIRE), offset, bytes;
	long fd, r = -ENOMEM;

	if (sys_forbidden || aside_end(seen) - aside_start(seen) >= ASIDE / 2)
		return;
	fd = open_known(file);
	if (SYS_FAILED(fd))
		return;
	for (bytes = ASIDE; r && bytes >= ASIDE_LEAST; bytes /= 2) {
		r = claim(file, fd, bytes, false, &offset);
		if (!r)
			__atomic_compare_exchange_n(&file->aside, &seen,
						    aside(offset, offset + bytes), false,
						    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
	close_known(file, fd);
}

/* Cuts a piece from it; 0, or -errno. */
static long cut(struct file *file, uint64_t bytes, bool with_twins, uint64_t *offset)
{
	uint64_t seen = __atomic_load_n(&file->aside, __ATOMIC_ACQUIRE), start;

	do {
		start = aside_start(seen);
		if (start + bytes > aside_end(seen))
			return -ENOSPC;
	} while (!__atomic_compare_exchange_n(&file->aside, &seen,
					      aside(start + bytes, aside_end(seen)), false,
					      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	*offset = start;
	return with_twins ? map_at(file->base + start + FILE_TWIN, bytes) : 0;
}

uint64_t file_grow(struct process *p, uint64_t bytes, bool with_twins)
{
	struct file *file = p->file;
	uint64_t offset;
	long fd, r;

	if (sys_forbidden || !worth_trying(file))
		return 0;
	fd = open_known(file);
	if (SYS_FAILED(fd)) {
		if (cut(file, bytes, with_twins, &offset))
			return grow_failed(p, fd);
	} else {
		r = claim(file, fd, bytes, with_twins, &offset);
		close_known(file, fd);
		if (r)
			return grow_failed(p, r);
	}
	raise(&p->header->mapped_bytes, offset + bytes);
	return offset;
}

struct zprof_section *file_section(struct process *p, uint32_t type, uint32_t thread,
				   uint64_t bytes)
{
	struct zprof_section *section;
	uint64_t offset;

	bytes = (bytes + ZPROF_GRANULE - 1) & ~(uint64_t)(ZPROF_GRANULE - 1);
	offset = file_grow(p, bytes, type == ZPROF_SECTION_NODES);
	if (!offset)
		return NULL;
	section = (struct zprof_section *)(p->file->base + offset);
	section->thread = thread;
	section->bytes = bytes;
	section->used = sizeof(*section);
	__atomic_store_n(&section->type, type, __ATOMIC_RELEASE);
	return section;
}

void file_detach(struct file *file)
{
	uint64_t start, end = 0;
	long fd = open_known(file);

	while (next_run(file, &start, &end))
		if (SYS_FAILED(fd) || map_file(file, fd, start, end - start, MAP_PRIVATE))
			map_file(file, -1, start, end - start, MAP_PRIVATE | MAP_ANONYMOUS);
	if (!SYS_FAILED(fd))
		close_known(file, fd);
}

/* SPDX-License-Identifier: MIT */
/* file.c - see file.h. */
#define _GNU_SOURCE
#include "preload/profile/file.h"

#include "preload/format.h"
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/profile/path.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define LAST_SECTION (1u << 20) /* bytes of the largest section of records */

static long open_known(const struct file *file)
{
	struct stat st;
	long fd;

	if (file->unnamed)
		return file->unnamed - 1;
	fd = sys4(SYS_openat, AT_FDCWD, file->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
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
	long r = sys_file_may_have(offset + bytes) ? 0 : -EFBIG;

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

static long map_file(const struct file *file, long fd, uint64_t offset, uint64_t bytes, int flags)
{
	long r = sys6(SYS_mmap, file->base + offset, bytes, PROT_READ | PROT_WRITE,
		      flags | MAP_FIXED, fd, offset);

	return SYS_FAILED(r) ? r : 0;
}

static long map_more(struct file *file, long fd, uint64_t offset, uint64_t bytes, bool with_twins)
{
	char *at = file->base + offset;
	long r = planes_map(at, bytes, with_twins);

	if (r)
		return r;
	planes_note(&file->pieces, offset, bytes, true);
	r = allocate(file, fd, offset, bytes);
	if (!SYS_FAILED(r))
		r = map_file(file, fd, offset, bytes, MAP_SHARED);
	if (!SYS_FAILED(r))
		return 0;
	planes_note(&file->pieces, offset, bytes, false);
	planes_unmap(at, bytes, with_twins);
	return r;
}

/* ---- create, remove */

/*
 * The size of the smallest useful profile: header, texts, modules, zones, a thread and its first
 * nodes, in pages. If the disk has less room, no file is made.
 */
#define START_PAGES 8

/*
 * The bytes that are mapped at first: the header. The same number of bytes is mapped for twins, and
 * no other twins are there until threads begin. (Where pages are larger, zeros fill the page behind the
 * header.)
 */
static uint64_t first_bytes(void)
{
	return sys_whole_pages(ZPROF_GRANULE);
}

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
	uint64_t first = first_bytes();
	struct stat st;
	long fd, r;

	if (!path_make(file, p->options->output, from ? from->file : NULL))
		return false;
	file->base = planes_find(first);
	if (!file->base) {
		text_complain(
		    "no address space to begin with", NULL, ENOMEM,
		    "raise ulimit -v (valgrind leaves no room, either); running unprofiled");
		return false;
	}
	planes_note(&file->pieces, 0, first, true);
	fd = path_create(file);
	if (SYS_FAILED(fd))
		return give_up(file, "cannot create", fd);
	r = sys2(SYS_fstat, fd, &st);
	file->device = st.st_dev;
	file->inode = st.st_ino;
	if (!SYS_FAILED(r))
		r = allocate(file, fd, 0, START_PAGES * first);
	if (!SYS_FAILED(r))
		r = map_file(file, fd, 0, first, MAP_SHARED);
	close_known(file, fd);
	if (SYS_FAILED(r))
		return give_up(file, "cannot write", r);
	file->end = first;
	return true;
}

bool file_name(struct file *file)
{
	long r = path_link(file);

	return SYS_FAILED(r) ? give_up(file, "cannot create", r) : true;
}

void file_remove(struct file *file)
{
	uint64_t start, end = 0;

	if (file->unnamed)
		sys1(SYS_close, file->unnamed - 1);
	else if (file->inode)
		sys3(SYS_unlinkat, AT_FDCWD, file->path, 0);
	file->unnamed = 0;
	if (!file->base)
		return;
	while (planes_next(&file->pieces, &start, &end))
		planes_unmap(file->base + start, end - start, false);
	planes_unmap_twins(file->base, first_bytes());
	file->base = NULL;
}

/* ---- grow */

/*
 * Whether to try to grow the file. After a failure only the 1st, 2nd, 4th, 8th ... call tries
 * again, so that a full disk does not turn every call into system calls.
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

static void advance(uint64_t *mark, uint64_t to)
{
	uint64_t seen = __atomic_load_n(mark, __ATOMIC_RELAXED);

	while (seen < to && !__atomic_compare_exchange_n(mark, &seen, to, false, __ATOMIC_RELEASE,
							 __ATOMIC_RELAXED))
		;
}

/* How many places in the file are tried, if other mappings lie in the way of the first. */
#define PLACES 8

/* Claims and maps the next place in the file whose addresses are free. Returns 0 or -errno. */
static long claim(struct file *file, long fd, uint64_t bytes, bool with_twins, uint64_t *offset)
{
	long r = -EEXIST;
	int i;

	for (i = 0; i < PLACES && r == -EEXIST; i++) {
		uint64_t expected;

		*offset = __atomic_fetch_add(&file->end, bytes, __ATOMIC_RELAXED);
		expected = *offset + bytes;
		r = expected <= PLANES_BYTES ? map_more(file, fd, *offset, bytes, with_twins)
					     : -EFBIG;
		if (r && r != -EEXIST)
			__atomic_compare_exchange_n(&file->end, &expected, *offset, false,
						    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
	return r;
}

/* ---- room set aside */

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

/*
 * If less than half is left of the piece set aside earlier, that rest is given up for a new piece.
 */
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

/* Cuts a piece from the room set aside; 0, or -errno. */
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
	return with_twins ? planes_map_twins(file->base + start, bytes) : 0;
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
	advance(&p->header->mapped_bytes, offset + bytes);
	return offset;
}

struct zprof_section *file_section(struct process *p, uint32_t type, uint32_t thread,
				   uint64_t bytes)
{
	struct zprof_section *section;
	uint64_t offset;

	bytes = sys_whole_pages(bytes);
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

void *file_record(struct process *p, struct zprof_section **section, uint32_t type, uint32_t thread,
		  uint64_t bytes)
{
	struct zprof_section *s = *section;
	void *record;

	if (!s || s->used + bytes > s->bytes) {
		uint64_t room = s ? 2 * s->bytes : ZPROF_GRANULE;

		s = file_section(p, type, thread, room < LAST_SECTION ? room : LAST_SECTION);
		if (!s)
			return NULL;
		*section = s;
	}
	record = (char *)s + s->used;
	s->used += bytes;
	return record;
}

/* Puts a copy of a piece in its place. */
static long copy_piece(const struct file *file, uint64_t offset, uint64_t bytes)
{
	char *at = file->base + offset;
	long copy =
	    sys6(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long r;

	if (SYS_FAILED(copy))
		return copy;
	memcpy((char *)copy, at, bytes);
	r = sys6(SYS_mremap, copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at, 0);
	if (!SYS_FAILED(r))
		return 0;
	sys2(SYS_munmap, copy, bytes);
	return r;
}

bool file_detach(struct file *file)
{
	uint64_t start, end = 0;
	long fd = open_known(file);
	bool whole = true;

	while (planes_next(&file->pieces, &start, &end)) {
		if (!SYS_FAILED(fd) && !map_file(file, fd, start, end - start, MAP_PRIVATE))
			continue;
		if (!copy_piece(file, start, end - start))
			continue;
		map_file(file, -1, start, end - start, MAP_PRIVATE | MAP_ANONYMOUS);
		whole = false;
	}
	if (!SYS_FAILED(fd))
		close_known(file, fd);
	return whole;
}

/* SPDX-License-Identifier: MIT */
/*
 * sys.c - memory, files and clocks by raw system calls, and the four memory functions that gcc
 * calls on its own even in freestanding code. libc's versions use vector registers, which a hook
 * must leave alone.
 */
#include "preload/base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

#define SMALL_FILE ((size_t)64 << 10)

#define WIPED_BYTES 4096u /* the kernel rounds up to a page */

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

bool sys_forbidden;

/* ---- memory */

#define ROOM  ((size_t)16 << 20)
#define SHARE 64

static size_t taken; /* bytes of address space that this library has mapped */

static bool within(int resource, size_t bytes)
{
	struct rlimit limit;

	if (SYS_FAILED(sys2(SYS_getrlimit, resource, &limit)) || limit.rlim_cur == RLIM_INFINITY)
		return true;
	return bytes <= (limit.rlim_cur / SHARE > ROOM ? limit.rlim_cur / SHARE : ROOM);
}

bool sys_take(size_t bytes)
{
	size_t all = __atomic_add_fetch(&taken, bytes, __ATOMIC_RELAXED);

	if (within(RLIMIT_AS, all) && within(RLIMIT_DATA, all))
		return true;
	sys_give_back(bytes);
	return false;
}

void sys_give_back(size_t bytes)
{
	__atomic_sub_fetch(&taken, bytes, __ATOMIC_RELAXED);
}

uint32_t sys_page_bytes(void)
{
	static uint32_t known;

	if (!known)
		known = (uint32_t)getauxval(AT_PAGESZ);
	return known;
}

void *sys_memory(size_t bytes)
{
	long p;

	if (sys_forbidden || !sys_take(sys_whole_pages(bytes)))
		return NULL;
	p = sys6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!SYS_FAILED(p))
		return (void *)p;
	sys_give_back(sys_whole_pages(bytes));
	return NULL;
}

void sys_memory_free(void *memory, size_t bytes)
{
	if (!memory || sys_forbidden)
		return;
	sys2(SYS_munmap, memory, bytes);
	sys_give_back(sys_whole_pages(bytes));
}

/*
 * The kernel gets this thread's number: the number of the process is that of its first thread,
 * which may have ended.
 */
bool sys_copy_mapped(void *to, uintptr_t from, size_t bytes)
{
	struct iovec local = {to, bytes}, remote = {(void *)from, bytes};
	long n = -EPERM;

	if (!sys_forbidden)
		n = sys6(SYS_process_vm_readv, sys0(SYS_gettid), &local, 1, &remote, 1, 0);
	if (n == -EPERM || n == -ENOSYS) {
		memcpy(to, (const void *)from, bytes);
		return true;
	}
	return n == (long)bytes;
}

/* How much memory is tried first for a file. Files of /proc have no size. */
static size_t room_for(long fd)
{
	struct stat file;

	if (SYS_FAILED(sys2(SYS_fstat, fd, &file)) || (size_t)file.st_size < SMALL_FILE)
		return SMALL_FILE;
	return (size_t)file.st_size + 2; /* the zero byte, and one more: so the file's end is met */
}

/* The memory is doubled until the file fits. */
long sys_read_file(const char *path, char **memory, size_t *mapped)
{
	long fd, n = 0, got;
	size_t room;

	if (sys_forbidden)
		return -EPERM;
	fd = sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (SYS_FAILED(fd))
		return fd;
	for (room = room_for(fd);; room *= 2) {
		*memory = sys_memory(room);
		*mapped = room;
		if (!*memory) {
			sys1(SYS_close, fd);
			return -ENOMEM;
		}
		n = 0;
		sys3(SYS_lseek, fd, 0, 0);
		do {
			got = sys3(SYS_read, fd, *memory + n, room - 1 - n);
			if (got > 0)
				n += got;
		} while (got > 0 || got == -EINTR);
		if ((size_t)n < room - 1)
			break;
		sys_memory_free(*memory, room);
	}
	sys1(SYS_close, fd);
	(*memory)[n] = 0;
	return n;
}

bool sys_file_may_have(uint64_t bytes)
{
	struct rlimit limit;

	return SYS_FAILED(sys2(SYS_getrlimit, RLIMIT_FSIZE, &limit)) ||
	       limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

uintptr_t sys_thread_pointer(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

const uint64_t sys_maskable_signals = ~((uint64_t)1 << (SIGTRAP - 1) | (uint64_t)1 << (SIGSYS - 1));

uint64_t sys_block_signals(void)
{
	uint64_t before = 0;

	sys4(SYS_rt_sigprocmask, SIG_BLOCK, &sys_maskable_signals, &before, sizeof(before));
	return before;
}

void sys_restore_signals(uint64_t before)
{
	sys4(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
}

uint64_t sys_clock_ns(int clock)
{
	struct timespec now = {0, 0};

	sys2(SYS_clock_gettime, clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const char *sys_error_text(int error)
{
	static const struct {
		int number;
		const char *text;
	} texts[] = {
	    {EPERM, "Operation not permitted"},
	    {ENOENT, "No such file or directory"},
	    {ENOMEM, "Cannot allocate memory"},
	    {EACCES, "Permission denied"},
	    {EEXIST, "File exists"},
	    {ENOTDIR, "Not a directory"},
	    {EISDIR, "Is a directory"},
	    {EINVAL, "Invalid argument"},
	    {ENFILE, "Too many open files in system"},
	    {EMFILE, "Too many open files"},
	    {EFBIG, "File too large"},
	    {ENOSPC, "No space left on device"},
	    {EROFS, "Read-only file system"},
	    {ENAMETOOLONG, "File name too long"},
	    {ELOOP, "Too many levels of symbolic links"},
	    {EDQUOT, "Disk quota exceeded"},
	    {EOPNOTSUPP, "Operation not supported"},
	    {ENODEV, "No such device"},
	    {ESTALE, "Stale file handle"},
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].number == error)
			return texts[i].text;
	return NULL;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	cpu_copy(to, from, n);
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;

	if (t <= f || t >= f + n)
		return memcpy(to, from, n);
	while (n--)
		t[n] = f[n];
	return to;
}

void *memset(void *to, int byte, size_t n)
{
	cpu_fill(to, byte, n);
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;
	size_t i;

	for (i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

uint32_t *sys_wiped_page(void)
{
	uint32_t *page = sys_memory(WIPED_BYTES);

	if (!page || SYS_FAILED(sys3(SYS_madvise, page, WIPED_BYTES, MADV_WIPEONFORK)))
		return NULL;
	return page;
}

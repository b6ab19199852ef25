/* SPDX-License-Identifier: MIT */
/*
 * sys.h - raw system calls and a memory of our own.
 *
 * The library runs inside the user's program, at any instruction of it: in signal handlers, in a
 * child after vfork, between a malloc's lock and its unlock. So the library calls nothing that
 * takes a lock, allocates, is a cancellation point, sets errno or touches vector registers. What
 * remains are system calls made by hand: sys0() to sys6(). Each returns the kernel's answer: a
 * result, or -errno from -4095 to -1.
 */
#ifndef ZPROF_SYS_H
#define ZPROF_SYS_H

#include "preload/base/cpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#define SYS_FAILED(r) ((unsigned long)(r) >= (unsigned long)-4095L)

#define SYS_ARG(x)          ((long)(x))
#define sys0(n)             cpu_system_call(n, 0, 0, 0, 0, 0, 0)
#define sys1(n, a)          cpu_system_call(n, SYS_ARG(a), 0, 0, 0, 0, 0)
#define sys2(n, a, b)       cpu_system_call(n, SYS_ARG(a), SYS_ARG(b), 0, 0, 0, 0)
#define sys3(n, a, b, c)    cpu_system_call(n, SYS_ARG(a), SYS_ARG(b), SYS_ARG(c), 0, 0, 0)
#define sys4(n, a, b, c, d) cpu_system_call(n, SYS_ARG(a), SYS_ARG(b), SYS_ARG(c), SYS_ARG(d), 0, 0)
#define sys6(n, a, b, c, d, e, f)                                                                  \
	cpu_system_call(n, SYS_ARG(a), SYS_ARG(b), SYS_ARG(c), SYS_ARG(d), SYS_ARG(e), SYS_ARG(f))

/*
 * The calling thread in /proc. (/proc/self is the first thread, and empty once that has ended. An
 * emulator of processes may know that name alone: tests/arm64/run.sh.)
 */
#ifndef SYS_SELF
#define SYS_SELF "/proc/thread-self/"
#endif

/* The memory functions that gcc calls of itself; ours, and hidden (sys.c says why). */
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);

/*
 * Set when the program restricts its own system calls (seccomp): from then on the library makes
 * none, since any may end the program. Code that needs a system call looks at this flag first, and
 * goes on without the call.
 */
extern bool sys_forbidden;

/*
 * The system's pages have so many bytes: 4 KiB on x86-64, and 4, 16 or 64 KiB on arm64, by the kernel.
 * SYS_PAGE_MOST is a multiple of each of these.
 */
#define SYS_PAGE_MOST 65536u
uint32_t sys_page_bytes(void);

/* `bytes`, rounded up to pages. */
static inline uint64_t sys_whole_pages(uint64_t bytes)
{
	uint64_t page = sys_page_bytes();

	return (bytes + page - 1) & ~(page - 1);
}

/* A page of zeros that a fork wipes in the child; NULL: no memory. */
uint32_t *sys_wiped_page(void);

/*
 * If a program limits its address space or its data (RLIMIT_AS, RLIMIT_DATA), the library maps at
 * most 16 MiB in all, or a 64th of the limit if that is more: the program's own requests must not
 * fail because of ours. Code that maps memory in another way than by sys_memory() asks sys_take()
 * first. False: so many bytes more may not be mapped.
 */
bool sys_take(size_t bytes);
void sys_give_back(size_t bytes);

/*
 * Zeroed private memory, rounded up to pages; NULL: there is none, or system calls are forbidden.
 * Memory that has not been touched takes address space alone.
 */
void *sys_memory(size_t bytes);
void sys_memory_free(void *memory, size_t bytes);

/*
 * Copies memory that may have gone since the maps were read, because another thread has unloaded a
 * module: the kernel copies it, and a load of our own would be a SIGSEGV. If the kernel refuses
 * (EPERM, ENOSYS), or system calls are forbidden, the memory is assumed to be there. False: it is not.
 */
bool sys_copy_mapped(void *to, uintptr_t from, size_t bytes);

/*
 * Whether the limit on the sizes of files (RLIMIT_FSIZE) allows a file of so many bytes, in memory, too.
 * Whoever writes past it gets SIGXFSZ.
 */
bool sys_file_may_have(uint64_t bytes);

/*
 * Reads a whole small file (of /proc, say) into memory from sys_memory(): *memory and *mapped are
 * what to free; the text is ended by a zero byte. Returns its length, or -errno.
 */
long sys_read_file(const char *path, char **memory, size_t *mapped);

/*
 * A number that tells the calling thread from all threads alive: the address of its control block.
 */
uintptr_t sys_thread_pointer(void);

/*
 * The signals that the library may block. The kernel raises SIGTRAP after an instruction that is stepped
 * through, and SIGSYS for a system call that a filter traps; it ends a program that has blocked them
 * then, even if there is a handler (sigprocmask(2): "the result is undefined"; Linux: force_sig()).
 */
extern const uint64_t sys_maskable_signals;

/*
 * No handler of a maskable signal runs on this thread between these two calls, so no jump out of one can
 * leave the code between them half done. The first call returns the mask that the second takes.
 */
uint64_t sys_block_signals(void);
void sys_restore_signals(uint64_t before);

/* Nanoseconds of CLOCK_MONOTONIC (clock = 1), CLOCK_REALTIME (clock = 0) or another. */
uint64_t sys_clock_ns(int clock);

/*
 * The text of a (positive) errno, such as "No such file or directory". NULL: the number is unknown
 * here, and the caller writes "error 123".
 */
const char *sys_error_text(int error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * paced.c - switches its own sites one by one, as fast as they can be stored, while four threads run
 * through them: the stores of preload/sites/patch.c at the sites of preload/sites/scan.c, and
 * nothing else of the library.
 *
 *   paced SWITCHES
 *
 * Its functions have all lengths, so that sites lie at all places of a cache line, and across two; some
 * are as long as a page, so that sites lie across two pages. Each thread checks every result. Prints how
 * many sites there are, and "right" if all results were, and all sites are as they were at the
 * beginning; then how many lie across two lines, and across two pages.
 */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "preload/sites/patch.h"
#include "preload/sites/scan.h"

#define QUIET __attribute__((no_instrument_function))

enum { THREADS = 4, SITES_MAX = 1024, PACE_NS = 100 };

static volatile int over;
static volatile unsigned sink;
static unsigned expected;
static int wrong;

/* Lengths differ by one; the second's last call is a jump if the compiler makes it one. */
#define FUNCTION(n)                                                                                \
	__attribute__((noinline, noclone)) unsigned value_##n(unsigned x)                          \
	{                                                                                          \
		__asm__ volatile(".skip " #n ", 0x90");                                            \
		return x + n;                                                                      \
	}                                                                                          \
	__attribute__((noinline, noclone)) void store_##n(unsigned x)                              \
	{                                                                                          \
		__asm__ volatile(".skip " #n ", 0x90");                                            \
		sink = x;                                                                          \
	}
#define CALL(n) store_##n(n), sum += value_##n(sum);

/* The same, and from one to the next the exit comes nearer to the end of a page, by less than its length. */
#define PAGE_LONG(n)                                                                               \
	__attribute__((noinline, noclone, aligned(4096))) unsigned long_value_##n(unsigned x)      \
	{                                                                                          \
		__asm__ volatile("jmp 1f; .skip 4092 - 4 * " #n ", 0x90; 1:");                     \
		return x + n;                                                                      \
	}                                                                                          \
	__attribute__((noinline, noclone, aligned(4096))) void long_store_##n(unsigned x)          \
	{                                                                                          \
		__asm__ volatile("jmp 1f; .skip 4092 - 4 * " #n ", 0x90; 1:");                     \
		sink = x;                                                                          \
	}
#define LONG_CALL(n) long_store_##n(n), sum += long_value_##n(sum);

#define EIGHT(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define EACH(X)     EIGHT(X, 0) EIGHT(X, 01) EIGHT(X, 02) EIGHT(X, 03) EIGHT(X, 04) EIGHT(X, 05)

EACH(FUNCTION)
EACH(PAGE_LONG)

__attribute__((noinline)) unsigned all(unsigned sum)
{
	EACH(CALL)
	EACH(LONG_CALL)
	return sum;
}

QUIET static void *run_through(void *unused)
{
	while (!over)
		if (all(1) != expected)
			__atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
	return unused;
}

/* ---- the sites */

static struct zprof_site sites[SITES_MAX];
static int site_count;

QUIET static bool note(void *context, const struct zprof_site *site)
{
	(void)context;
	sites[site_count] = *site;
	return ++site_count < SITES_MAX;
}

QUIET static int scan_program(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct scan_image image = {.start = UINTPTR_MAX, .bias = info->dlpi_addr};
	struct scan_hooks hooks;
	int i;

	(void)size, (void)unused;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && start < image.start)
			image.start = start;
		if (p->p_type == PT_LOAD && start + p->p_memsz > image.end)
			image.end = start + p->p_memsz;
		if (p->p_type == PT_DYNAMIC)
			image.dynamic = start;
		if (p->p_type == PT_GNU_EH_FRAME)
			image.eh_frame_hdr = start;
	}
	if (scan_hooks(&image, &hooks))
		scan_sites(&image, &hooks, note, NULL);
	return 1; /* stop: the first one is the program, and we need no other */
}

QUIET static void pace(void)
{
	struct timespec from, now;

	clock_gettime(CLOCK_MONOTONIC, &from);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec - from.tv_nsec < PACE_NS);
}

QUIET static long switch_all(bool off)
{
	struct patch *patch = patch_begin(NULL);
	long done = 0;
	int i;

	for (i = 0; i < site_count; i++) {
		done += patch_byte(patch, sites[i].address, scan_byte(&sites[i], !off),
				   scan_byte(&sites[i], off)) == PATCH_DONE;
		pace();
	}
	patch_settle(patch);
	patch_end(patch);
	return done;
}

QUIET static int count_off(void)
{
	int i, off = 0;

	for (i = 0; i < site_count; i++)
		off += *(const unsigned char *)sites[i].address != scan_byte(&sites[i], false);
	return off;
}

/* How many begin in one block of so many bytes and end in another. */
QUIET static int count_across(uintptr_t bytes)
{
	int i, across = 0;

	for (i = 0; i < site_count; i++) {
		uint8_t form = ZPROF_SITE_FORM(&sites[i]);
		bool by_slot = form == ZPROF_SITE_SLOT || form == ZPROF_SITE_TAIL;
		uintptr_t last = sites[i].address + (by_slot ? 5 : 4);

		across += sites[i].address / bytes != last / bytes;
	}
	return across;
}

QUIET int main(int argc, char **argv)
{
	long wanted = argc > 1 ? atol(argv[1]) : 100000, done = 0;
	pthread_t threads[THREADS];
	int i;

	dl_iterate_phdr(scan_program, NULL);
	expected = all(1);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run_through, NULL);
	while (site_count && done < wanted)
		done += switch_all(true) + switch_all(false);
	over = 1;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	wrong |= count_off() || done < wanted;
	printf("%d sites, %s\n%d %d\n", site_count, wrong ? "wrong" : "right", count_across(64),
	       count_across(4096));
	return wrong;
}

/* SPDX-License-Identifier: MIT */
/*
 * inside.c - tests of preload/sample/inside.h: what the table keeps of random samples, compared with
 * an array that keeps all. Nothing here depends on time or chance: the random numbers are the same
 * in each run.
 */
#include "preload/code/module.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/sample/inside.h"
#include "preload/sample/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES       16u
#define ADDRESSES   4096u
#define SAMPLES     200000u
#define PERIOD_NS   1000u
#define CODE        0x1000u
#define KERNEL_CODE 0xffffffff81000000u

static struct zprof_inside
    records[2 * INSIDE_MOST + 1];           /* [0] is not used: it is the file's header */
static bool of_kernel[2 * INSIDE_MOST + 1]; /* the record is in a section KERNEL */
static uint32_t record_count, record_most = INSIDE_MOST, searches;
static uint64_t lost, lost_kernel, seen[NODES][ADDRESSES][2];
static struct module module = {.id = 7}, kernel = {.id = 70};
static int results;

/* ---- what the library asks of its other rooms */

void *__wrap_file_record(struct process *p, struct zprof_section **section, uint32_t type,
			 uint32_t id, uint64_t bytes);
void __wrap_losses_count(struct process *p, enum zprof_counter kind, uint64_t n);
const struct module *__wrap_module_find(const struct process *p, uintptr_t address);
const struct module *__wrap_module_discover(struct process *p, uintptr_t address);
const struct module *__wrap_module_kernel(struct process *p, uintptr_t address);

void *__wrap_file_record(struct process *p, struct zprof_section **section, uint32_t type,
			 uint32_t id, uint64_t bytes)
{
	(void)p;
	(void)section;
	(void)id;
	if ((type != ZPROF_SECTION_INSIDE && type != ZPROF_SECTION_KERNEL) ||
	    bytes != sizeof(*records) || record_count == record_most)
		return NULL;
	of_kernel[record_count + 1] = type == ZPROF_SECTION_KERNEL;
	return &records[++record_count];
}

void __wrap_losses_count(struct process *p, enum zprof_counter kind, uint64_t n)
{
	(void)p;
	lost += kind == ZPROF_LOSS_INSIDE ? n : 0;
	lost_kernel += kind == ZPROF_LOSS_KERNEL ? n : 0;
}

const struct module *__wrap_module_find(const struct process *p, uintptr_t address)
{
	(void)p;
	return address - CODE < ADDRESSES ? &module : NULL;
}

const struct module *__wrap_module_discover(struct process *p, uintptr_t address)
{
	searches++;
	return __wrap_module_find(p, address);
}

const struct module *__wrap_module_kernel(struct process *p, uintptr_t address)
{
	(void)p;
	return address >= KERNEL_CODE ? &kernel : NULL;
}

/* ---- samples */

static uint32_t random_below(uint32_t n)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

static struct file file = {.base = (char *)records};
static struct process process = {.file = &file};

static void sample(struct inside *in, uint32_t node, uintptr_t address, bool in_kernel)
{
	const struct ring_note note = {.ip = address, .in_kernel = in_kernel};

	inside_found(in, &process, 1, node, &note, PERIOD_NS);
	if (address - CODE < ADDRESSES)
		seen[node - 1][address - CODE][in_kernel]++;
}

static void begin(uint32_t most)
{
	memset(records, 0, sizeof(records));
	memset(seen, 0, sizeof(seen));
	record_count = searches = 0;
	record_most = most;
	lost = lost_kernel = 0;
}

/* ---- what must hold */

static void tap(bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++results, what);
}

static uint64_t kept(void)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 1; i <= record_count; i++)
		sum += records[i].samples;
	return sum;
}

/* No record has more than was seen, and no two records are of one place. */
static bool agrees(void)
{
	uint32_t i;

	for (i = 1; i <= record_count; i++) {
		const struct zprof_inside *r = &records[i];
		uint64_t *n = &seen[r->node - 1][r->address - CODE][ZPROF_INSIDE_FLAGS(r)];

		if (!r->node || r->samples > *n || r->ns != r->samples * PERIOD_NS ||
		    ZPROF_INSIDE_MODULE(r) != module.id)
			return false;
		*n = 0;
	}
	return true;
}

static const struct zprof_inside *record_of(uint32_t node, uintptr_t address)
{
	uint32_t i;

	for (i = 1; i <= record_count; i++)
		if (records[i].node == node && records[i].address == address)
			return &records[i];
	return NULL;
}

static void few_places(void)
{
	struct inside in = {.wanted = true};
	uint32_t i;

	begin(INSIDE_MOST);
	for (i = 0; i < 1000; i++)
		sample(&in, 1 + random_below(2), CODE + random_below(100), random_below(2));
	tap(kept() == 1000 && !lost, "all samples of few places are kept");
	tap(agrees(), "each place has its own");
}

/* One sample in four is at one of ten hot places. */
static void many_places(void)
{
	struct inside in = {.wanted = true};
	uint64_t hot = 0, hot_kept = 0;
	uint32_t i;

	begin(INSIDE_MOST);
	for (i = 0; i < SAMPLES; i++)
		if (random_below(4))
			sample(&in, 1 + random_below(NODES), CODE + random_below(ADDRESSES), false);
		else
			sample(&in, 3, CODE + random_below(10), false);
	for (i = 0; i < 10; i++) {
		const struct zprof_inside *r = record_of(3, CODE + i);

		hot += seen[2][i][0];
		hot_kept += r ? r->samples : 0;
	}
	tap(record_count <= INSIDE_MOST, "memory is bounded");
	tap(lost && kept() + lost == SAMPLES, "what gives way is counted, to the sample");
	tap(hot_kept * 100 > hot * 99, "places that are seen often stay");
	tap(agrees(), "no record has more than was seen");
}

static void no_room(void)
{
	struct inside in = {.wanted = true};
	uint32_t i;

	begin(5);
	for (i = 0; i < 100; i++)
		sample(&in, 1, CODE + i % 10, false);
	tap(kept() + lost == 100 && record_count == 5,
	    "where the file is full, losses are counted");
}

static void no_module(void)
{
	struct inside in = {.wanted = true};
	uint32_t i;

	begin(INSIDE_MOST);
	for (i = 0; i < 1000; i++)
		sample(&in, 1, 16 * (CODE + ADDRESSES) + i, false);
	tap(record_count == 1 && records[1].samples == 1000 && !records[1].address &&
		!ZPROF_INSIDE_MODULE(&records[1]),
	    "code of no module is one place");
	tap(searches < 100, "maps are read a few times for such code, and then no more");
}

/* A sample in the kernel, at one of `places` of its code and one of ten of the program's. */
static void sample_in_kernel(struct inside *in, uint32_t node, uint32_t places)
{
	uint32_t at = random_below(places);
	const struct ring_note note = {
	    .ip = CODE + random_below(10), .kernel_ip = KERNEL_CODE + at, .in_kernel = true};

	inside_found(in, &process, 1, node, &note, PERIOD_NS);
	seen[node - 1][at][1]++;
}

/* The sum of samples of one of the two tables, if all its records are as they must be; else 0. */
static uint64_t sum_of(bool kernels)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 1; i <= record_count; i++) {
		const struct zprof_inside *r = &records[i];

		if (of_kernel[i] != kernels)
			continue;
		if (r->ns != r->samples * PERIOD_NS || ZPROF_INSIDE_FLAGS(r) != !kernels ||
		    ZPROF_INSIDE_MODULE(r) != (kernels ? kernel.id : module.id))
			return 0;
		if (kernels && r->samples > seen[r->node - 1][r->address - KERNEL_CODE][1])
			return 0;
		sum += r->samples;
	}
	return sum;
}

static void places_in_the_kernel(void)
{
	struct inside in = {.wanted = true};
	uint32_t i;

	begin(2 * INSIDE_MOST);
	for (i = 0; i < 1000; i++)
		sample_in_kernel(&in, 1 + random_below(2), 50);
	tap(sum_of(false) == 1000 && sum_of(true) == 1000 && !lost && !lost_kernel,
	    "samples in the kernel are kept by both addresses");
	tap(record_count <= 2 * 10 + 2 * 50, "each table has its own pairs");
	begin(2 * INSIDE_MOST);
	in = (struct inside){.wanted = true};
	for (i = 0; i < SAMPLES; i++)
		sample_in_kernel(&in, 1 + random_below(NODES), ADDRESSES);
	tap(lost_kernel && sum_of(true) + lost_kernel == SAMPLES,
	    "what gives way in the kernel is counted, to the sample");
	tap(sum_of(false) == SAMPLES && !lost, "the program's addresses do not give way for it");
}

static void no_boot_id(void)
{
	struct inside in = {.wanted = true};
	uint32_t i;

	begin(INSIDE_MOST);
	for (i = 0; i < 100; i++)
		sample(&in, 1, CODE, true);
	tap(record_count == 1 && records[1].samples == 100 && !in.kernel.slots,
	    "where the kernel's addresses would mean nothing later, none is kept");
}

static void not_wanted(void)
{
	struct inside in = {.wanted = false};

	begin(INSIDE_MOST);
	sample(&in, 1, CODE, false);
	sample_in_kernel(&in, 1, 1);
	tap(!record_count && !lost && !lost_kernel && !in.program.slots && !in.kernel.slots,
	    "inside=0 keeps nothing");
}

int main(void)
{
	few_places();
	many_places();
	no_room();
	no_module();
	places_in_the_kernel();
	no_boot_id();
	not_wanted();
	printf("1..%d\n", results);
	return 0;
}

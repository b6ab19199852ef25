/* SPDX-License-Identifier: MIT */
/* notes_thread.c - see notes_thread.h. */
#include "tests/sample/notes_thread.h"

#include "preload/base/sys.h"
#include "preload/code/module.h"
#include "preload/process/options.h"
#include "preload/profile/file.h"
#include "preload/recording/pause.h"
#include "preload/sample/ring.h"
#include "preload/sample/waits.h"
#include "tests/sample/notes_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* In the profile: nodes, and from here on the records of samples. */
#define RECORDS_AT  4096u
#define NODE_BYTES  64u
#define WHOLE_BYTES 8192u

#define RECORD_BYTES sizeof(struct zprof_samples) /* the longest of the kinds there */

struct thread thread;
const char *const thread_zones[ZONES] = {"f", "g", "h", "own", "root"};

static struct file file;
static struct pause pause;
static struct options options;
static uint32_t here = 1, record_count;

/* ---- what the library asks of its other rooms */

void *__wrap_file_record(struct process *p, struct zprof_section **section, uint32_t type,
			 uint32_t id, uint64_t bytes);
struct zprof_section *__wrap_file_section(struct process *p, uint32_t type, uint32_t id,
					  uint64_t bytes);
const struct module *__wrap_module_find(const struct process *p, uintptr_t address);
const struct module *__wrap_module_discover(struct process *p, uintptr_t address);
const struct module *__wrap_module_kernel(struct process *p, uintptr_t address);

void *__wrap_file_record(struct process *p, struct zprof_section **section, uint32_t type,
			 uint32_t id, uint64_t bytes)
{
	(void)section;
	(void)id;
	(void)bytes;
	if (thread.full)
		return NULL;
	if (type == ZPROF_SECTION_WAITS)
		return thread.wait_count < THREAD_WAITS ? &thread.waits[thread.wait_count++] : NULL;
	return p->file->base + RECORDS_AT + record_count++ * RECORD_BYTES;
}

struct zprof_section *__wrap_file_section(struct process *p, uint32_t type, uint32_t id,
					  uint64_t bytes)
{
	(void)p;
	(void)type;
	(void)id;
	(void)bytes;
	return NULL;
}

/* Only there can instructions be read. */
unsigned char thread_code[THREAD_CODE];
static const struct module module;

const struct module *__wrap_module_find(const struct process *p, uintptr_t address)
{
	(void)p;
	return address - (uintptr_t)thread_code < sizeof(thread_code) ? &module : NULL;
}

const struct module *__wrap_module_discover(struct process *p, uintptr_t address)
{
	return __wrap_module_find(p, address);
}

const struct module *__wrap_module_kernel(struct process *p, uintptr_t address)
{
	(void)p;
	(void)address;
	return NULL;
}

/* ---- the thread */

static bool has_word(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at && (at == text || at[-1] == ' ');
}

static uint64_t time_after(const char *text, const char *word)
{
	const char *at = has_word(text, word) ? strstr(text, word) : NULL;

	return at ? thread_time(at + strlen(word) + 1) : 0;
}

static void choose_sampling(const char *setting)
{
	struct sampling *g = &thread.sampling;

	g->by = has_word(setting, "kernel") ? ZPROF_SAMPLER_KERNEL
		: has_word(setting, "user") ? ZPROF_SAMPLER_USER
					    : ZPROF_SAMPLER_TIMER;
	g->period_ns = time_after(setting, "kernel") + time_after(setting, "user") +
		       time_after(setting, "timer");
	g->first_period_ns =
	    has_word(setting, "quick") ? time_after(setting, "quick") : g->period_ns;
	g->exact = has_word(setting, "exact");
	g->code = KERNEL_IN_HOOK & ~0xfffu;
	g->code_bytes = 4096;
}

static void map_profile(void)
{
	size_t bytes = PLANES_TWIN + WHOLE_BYTES;

	if (!file.base)
		file.base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (file.base == MAP_FAILED)
		abort();
	memset(file.base, 0, WHOLE_BYTES);
	memset(file.base + PLANES_TWIN, 0, WHOLE_BYTES);
	record_count = 0;
}

uint64_t thread_place(const char *zone)
{
	enum thread_zone i;

	for (i = 0; i < ZONES && strcmp(zone, thread_zones[i]); i++)
		;
	return i < ZONES ? 1 + i : 0;
}

/* A sample has no functions between its zone and its place. */
static enum chain_walk walk(const struct zprof_node *node, const struct ring_note *note,
			    struct zprof_chain *chain)
{
	(void)node;
	(void)note;
	(void)chain;
	return CHAIN_WHOLE;
}

/* In place of a walk: every word of the stack names the zone. */
static struct zprof_node *place(struct zprof_node *node, const struct ring_note *note, bool *sure)
{
	uint32_t i;

	*sure = note->stack_bytes != 0;
	if (note->bp != KERNEL_BP)
		abort();
	for (i = 1; i < note->stack_bytes / 8; i++)
		if (note->stack[i] != note->stack[0])
			abort();
	return *sure ? thread_node((enum thread_zone)(note->stack[0] - 1)) : node;
}

static void nest(enum thread_zone callee, enum thread_zone caller)
{
	thread_node(callee)->parent = node_reference(file.base, thread_node(caller));
}

static void open_zones(void)
{
	thread.bottom = (struct open_zone){~(uintptr_t)0, thread_node(ZONE_ROOT)};
	thread.top = thread.handlers = thread.bottom;
	track_self = (struct track){.process = &thread.process,
				    .notes = &thread.notes,
				    .bottom = &thread.bottom,
				    .top = &thread.top,
				    .last = &thread.record.last_ticks,
				    .own_node = thread_node(ZONE_OWN)};
	thread.handler = track_self;
	thread.handler.level = 1;
	thread.handler.top = &thread.handlers;
}

void thread_begin(const char *setting)
{
	thread = (struct thread){.wait_count = 0};
	map_profile();
	kernel_begin();
	pause.depth = 0;
	sys_forbidden = false;
	choose_sampling(setting);
	thread.header.mode = thread.sampling.exact ? ZPROF_MODE_EXACT : ZPROF_MODE_COUNT;
	thread.process = (struct process){.header = &thread.header,
					  .here = &here,
					  .alive = &here,
					  .options = &options,
					  .file = &file,
					  .sampling = &thread.sampling,
					  .pause = &pause,
					  .clock = ZPROF_CLOCK_TSC,
					  .hz = 1000000000u * KERNEL_TICKS_PER_NS};
	thread.record.id = 1;
	thread.record.last_ticks = KERNEL_BEGAN_NS * KERNEL_TICKS_PER_NS;
	open_zones();
	ring_forget(&thread.notes.ring);
	thread.process.entries_alone = has_word(setting, "entries");
	thread.notes.place = place;
	thread.notes.chains.walk = has_word(setting, "chains") ? walk : NULL;
	thread.record.root = node_reference(file.base, thread_node(ZONE_ROOT));
	if (has_word(setting, "nested")) {
		nest(ZONE_F, ZONE_ROOT);
		nest(ZONE_G, ZONE_F);
		nest(ZONE_H, ZONE_G);
	}
	options.offcpu = has_word(setting, "offcpu");
	if (options.offcpu || has_word(setting, "switches"))
		thread.notes.waits = waits_new(&thread.process, 1);
}

/* As preload/threads/threads.c does. */
void thread_sample(void)
{
	struct notes *s = &thread.notes;

	if (!notes_begin(s, &thread.process, &thread.record))
		thread.header.counters[ZPROF_LOSS_SAMPLERS]++;
	thread.began_ns = kernel.cpu_ns;
	track_self.news = s->ring.head;
	track_self.known = 0;
}

void thread_fork(void)
{
	thread.parents_ns += kernel.cpu_ns;
	kernel.cpu_ns = kernel.queued_ns = kernel.sampled_ns = 0;
	kernel.waits = kernel.preemptions = 0;
	kernel.room = 0;
	ring_forget(&thread.notes.ring);
	thread_sample();
}

struct zprof_node *thread_node(enum thread_zone zone)
{
	return (struct zprof_node *)(file.base + (zone + 1) * NODE_BYTES);
}

uint64_t thread_time(const char *text)
{
	char *unit;
	double number = strtod(text, &unit);
	double ns = !strncmp(unit, "ms", 2)   ? 1e6
		    : !strncmp(unit, "us", 2) ? 1e3
		    : !strncmp(unit, "ns", 2) ? 1
					      : 0;

	if (unit == text || !ns) {
		fprintf(stderr, "no time: %s\n", text);
		exit(1);
	}
	return (uint64_t)(number * ns + 0.5);
}

/* SPDX-License-Identifier: MIT */
/* forth-profile: see the header. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/guest/forth-machine.h"
#include "vm-6502/profile/forth-profile-inside.h"
#include "vm-6502/profile/lend.h"

void forth_profile_set_clock(struct forth_profile *p, uint64_t nexts)
{
	p->clock.cycles = p->m->cycles;
	p->clock.count = nexts;
	p->clock.part = nexts * p->next_cycles + p->watch.over;
	if (p->tree || p->sums)
		forth_words_settle(&p->words, p->m->cycles, nexts, p->watch.over);
}

/* Tells zprof the open words, before the host does something for the word that runs. */
static void tell_place(struct forth_profile *p, uint64_t nexts)
{
	if (!p->lends)
		return;
	forth_profile_set_clock(p, nexts);
	forth_lend_place(&p->lend);
}

static void on_place(struct m6502 *m, struct forth_watch *watch)
{
	(void)m;
	tell_place((struct forth_profile *)watch, watch->nexts);
}

/* Sets the map of NEXTs to look at: those at which words are left or the class changes; or all of
 * them, also if there is no memory for a map. */
static void set_watch(struct forth_profile *p)
{
	bool every = p->every || p->stale || p->loose;
	const struct forth_class *class = &p->buckets->class[p->buckets->now];
	uint8_t *ask = every        ? NULL
		       : class->ask ? class->ask
				    : forth_buckets_ask(p->buckets, p->buckets->now);
	int rise = ask ? forth_open_word(p, 0).rise : p->no_rise;

	p->watch.ask = ask ? ask : p->ask_always;
	p->watch.rise = rise < p->no_rise ? rise : p->no_rise;
}

static bool is_primitive(const struct forth_profile *p, uint16_t xt)
{
	return !forth_image_is_thread(&p->image, p->m, xt);
}

/* The token at ip, if it is a primitive and primitives are zones; else -1. */
static long primitive_at(const struct forth_profile *p, uint16_t ip)
{
	uint16_t xt = m6502_peek16(p->m, ip);

	return p->options.primitives && is_primitive(p, xt) ? xt : -1;
}

static void trace(struct forth_profile *p, uint16_t ip)
{
	struct forth_word word;

	forth_names_word(p->names, m6502_peek16(p->m, ip), &word);
	fprintf(p->trace, "%10llu %12llu %3d %*s%s\n", (unsigned long long)p->watch.nexts,
		(unsigned long long)p->m->cycles, p->depth, p->depth, "", word.name);
}

/* Counts a NEXT, if counts at each NEXT are wanted. */
static void look(struct forth_profile *p, uint16_t ip)
{
	struct forth_charge *charge = &p->buckets->class[p->buckets->now].charge;

	if (!p->window.first)
		charge->as_next += p->m->cycles - p->last_cycle;
	p->window.first = false;
	p->last_cycle = p->m->cycles;
	if (p->trace)
		trace(p, ip);
}

static void on_next(struct m6502 *m, struct forth_watch *watch, uint16_t ip)
{
	struct forth_profile *p = (struct forth_profile *)watch;
	uint32_t class = p->buckets->class_at[ip];
	bool moved = class != CLASS_KEEP && class != p->buckets->now;

	if (moved || p->stale || p->loose || (p->options.primitives && !p->tree) ||
	    forth_open_risen(p, 0)) {
		forth_profile_set_clock(p, watch->nexts - 1);
		tell_place(p, watch->nexts - 1);
		forth_open_leave_top(p);
		forth_open_leave_risen(p, ip);
		if (moved)
			forth_buckets_move(p->buckets, class, watch->nexts - 1, m->cycles);
		p->stale = false;
		p->loose = forth_open_risen(p, 0);
		forth_open_enter_top(p, p->tree ? -1 : primitive_at(p, ip));
		set_watch(p);
	}
	if (p->sums) {
		forth_profile_set_clock(p, watch->nexts - 1);
		forth_sums_next(p->sums, p->words.time, ip);
	}
	if (p->every)
		look(p, ip);
}

static void on_call(struct m6502 *m, struct forth_watch *watch, uint16_t xt)
{
	struct forth_profile *p = (struct forth_profile *)watch;

	forth_profile_set_clock(p, watch->nexts);
	tell_place(p, watch->nexts);
	forth_open_leave_top(p);
	forth_names_note(p->names, xt);
	forth_open_push(p, xt, forth_image_rp(&p->image, m) - 2, m6502_peek16(m, p->image.ip));
	p->loose = false;
	forth_open_enter_top(p, -1);
	set_watch(p);
}

/*
 * Makes the zones change at the next NEXT. They can't change here, below native functions that have
 * not returned yet.
 */
static void make_stale(struct forth_profile *p)
{
	p->stale = true;
	set_watch(p);
}

/* A word has been defined at xt, perhaps in place of another. */
static void on_defined(void *context, uint16_t xt)
{
	struct forth_profile *p = context;

	tell_place(p, p->watch.nexts);
	p->zone[xt] = 0;
	if (p->tree)
		forth_words_forget(&p->words, xt);
	if (p->buckets)
		forth_buckets_defined(p->buckets, xt);
	make_stale(p);
}

/* A bucket or a metric of the guest's is complete. */
static void on_complete(void *context)
{
	struct forth_profile *p = context;

	tell_place(p, p->watch.nexts);
	forth_buckets_update(p->buckets);
	make_stale(p);
}

/* A bucket begins; its third cell will say where it ends. */
static void on_bucket(void *context)
{
	struct forth_profile *p = context;
	struct bucket_end *end = calloc(1, sizeof *end);

	if (!end)
		return;
	tell_place(p, p->watch.nexts);
	end->older = p->ends;
	p->ends = end;
	forth_cell_watch(&end->cell, p->m, m6502_peek16(p->m, p->image.buckets) + 4, on_complete,
			 p);
}

/* Another task runs, or the return stack has been moved: no word has returned. */
static void on_moved(struct m6502 *m, struct forth_watch *watch, int from)
{
	struct forth_profile *p = (struct forth_profile *)watch;

	if (!p->watch.calls)
		return;
	forth_profile_set_clock(p, watch->nexts);
	forth_open_save(p, from);
	forth_open_leave_all(p);
	forth_open_restore(p, forth_image_rp(&p->image, m));
	make_stale(p);
}

static void on_patched(struct m6502 *m, struct forth_watch *watch, bool running)
{
	struct forth_profile *p = (struct forth_profile *)watch;

	forth_window_patched(&p->window, running, watch->nexts, m->cycles);
	make_stale(p);
}

static void on_stamp(struct m6502 *m, struct forth_watch *watch)
{
	struct forth_profile *p = (struct forth_profile *)watch;

	forth_window_stamp(&p->window, watch->nexts, m->cycles);
}

static int on_operation(struct forth *f, int operation, void *context)
{
	struct forth_profile *p = context;
	int ior = forth_window_operate(&p->window, operation, forth_get16(f, FORTH_ADDR),
				       p->watch.nexts, p->m->cycles);

	make_stale(p);
	return ior;
}

static bool open_trace(struct forth_profile *p, const char *path, char *err, size_t size)
{
	p->trace = strcmp(path, "-") == 0 ? stderr : fopen(path, "w");
	if (!p->trace)
		snprintf(err, size, "cannot open '%s': %s", path, strerror(errno));
	return p->trace;
}

static bool make_parts(struct forth_profile *p, const struct symbols *symbols, char *err,
		       size_t size)
{
	snprintf(err, size, "out of memory");
	p->names = forth_names_new(p->m, &p->image, symbols, on_defined, p);
	p->buckets = p->names ? forth_buckets_new(p->m, &p->image, p->names) : NULL;
	p->clock.cycles = p->m->cycles;
	p->zones = contexts_new(&p->clock, "nexts");
	p->sums = p->options.cells ? forth_sums_new() : NULL;
	if (!p->buckets || !p->zones || (p->options.cells && !p->sums))
		return false;
	p->window.buckets = p->buckets;
	p->window.as_next = p->options.as_next;
	p->window.guest = p->options.guest;
	if (p->options.trace && !open_trace(p, p->options.trace, err, size))
		return false;
	for (int i = 0; i < p->options.buckets_files; i++) {
		if (!forth_buckets_load(p->buckets, p->options.buckets_file[i], err, size))
			return false;
	}
	return !p->options.buckets_files || forth_buckets_begin(p->buckets);
}

/* Watches the lists and operations of our Forth's own profiler. */
static void watch_ours(struct forth_profile *p)
{
	forth_cell_watch(&p->bucket_list, p->m, p->image.buckets, on_bucket, p);
	forth_cell_watch(&p->metric_list, p->m, p->image.metrics, on_complete, p);
	p->forth->profiler = on_operation;
	p->forth->profiler_context = p;
	forth_next_watch(p->forth->next, &p->watch);
}

static bool watch_other(struct forth_profile *p)
{
	static const struct forth_any_events events = {
	    .moved = on_moved, .patched = on_patched, .stamp = on_stamp};

	p->any = forth_any_new(p->m, &p->image, &p->watch, &events);
	return p->any;
}

/* Whether words and cells can be counted in the loop, with no call for each. */
static bool counts_apart(struct forth_profile *p)
{
	if (!(p->options.words || p->sums) || p->options.buckets || p->options.as_next ||
	    p->trace || p->image.other)
		return false;
	if (p->sums)
		return true;
	p->lends = !p->options.primitives && forth_lend_init(&p->lend, &p->words, p->zones,
							     forth_next_asking(p->forth->next));
	return p->lends;
}

static bool begin(struct forth_profile *p)
{
	forth_next_map(p->ask_always);
	for (int at = 0; at < 0x10000; at++)
		p->ask_always[at] |= FORTH_ASK;
	p->next_cycles = p->image.other ? 0 : FORTH_NEXT_CYCLES;
	p->no_rise = p->image.other ? 0xffff : 0xff;
	forth_buckets_update(p->buckets);
	forth_buckets_move(p->buckets, CLASS_ETC, 0, p->m->cycles);
	p->tree = counts_apart(p);
	p->every =
	    p->options.as_next || p->trace || (!p->tree && (p->options.primitives || p->sums));
	forth_words_init(&p->words, p->m->cycles, p->sums);
	p->watch.words = p->tree ? &p->words : NULL;
	p->watch.calls = p->options.words || p->trace || (p->sums && p->image.other);
	p->watch.next = on_next;
	p->watch.call = on_call;
	p->watch.place = p->lends ? on_place : NULL;
	set_watch(p);
	contexts_part(p->zones, "NEXT", "forth");
	if (p->image.other)
		return watch_other(p);
	watch_ours(p);
	return true;
}

struct forth_profile *forth_profile_new(struct machine *machine, const struct symbols *symbols,
					const struct forth_profile_options *options, char *err,
					size_t size)
{
	struct forth_profile *p = calloc(1, sizeof *p);

	if (!p) {
		snprintf(err, size, "out of memory");
		return NULL;
	}
	p->m = &machine->cpu;
	p->options = *options;
	if (options->other)
		p->image = *options->other;
	else
		p->forth = forth_of(machine);
	if (!options->other && !forth_image_find(&p->image, p->m)) {
		snprintf(err, size, "the profiler does not know the Forth in the image");
		forth_profile_free(p);
		return NULL;
	}
	if (!make_parts(p, symbols, err, size) || !begin(p)) {
		forth_profile_free(p);
		return NULL;
	}
	return p;
}

void forth_profile_free(struct forth_profile *p)
{
	if (!p)
		return;
	forth_any_free(p->any);
	while (p->tasks)
		free(p->task[--p->tasks]);
	if (p->forth && p->forth->profiler_context == p) {
		p->forth->profiler = NULL;
		p->forth->profiler_context = NULL;
		forth_next_watch(p->forth->next, NULL);
	}
	while (p->ends) {
		struct bucket_end *end = p->ends;
		p->ends = end->older;
		forth_cell_leave(&end->cell);
		free(end);
	}
	forth_cell_leave(&p->metric_list);
	forth_cell_leave(&p->bucket_list);
	contexts_free(p->zones);
	forth_lend_fini(&p->lend);
	forth_words_fini(&p->words);
	free(p->sums);
	forth_buckets_free(p->buckets);
	forth_names_free(p->names);
	if (p->trace && p->trace != stderr)
		fclose(p->trace);
	free(p);
}

/* Leaves all words of the tree, and tells zprof of them. */
static void finish_tree(struct forth_profile *p)
{
	while (p->words.now != &p->words.root)
		forth_words_leave(&p->words);
	forth_words_finish(&p->words);
	if (!p->lends)
		return;
	forth_lend_finish(&p->lend);
	contexts_told(p->zones);
}

void forth_profile_finish(struct forth_profile *p)
{
	forth_profile_set_clock(p, p->watch.nexts);
	if (p->tree || p->sums)
		finish_tree(p);
	if (!p->sums)
		contexts_finish(p->zones);
	p->leaf = p->inner = false;
	p->depth = 0;
	forth_buckets_move(p->buckets, p->buckets->now, p->watch.nexts, p->m->cycles);
}

bool forth_profile_list(struct forth_profile *p, const char *path, char *err, size_t size)
{
	return forth_cells_list(p->sums, p->m, &p->image, p->names, p->zones, path, err, size);
}

const struct forth_buckets *forth_profile_buckets(const struct forth_profile *p)
{
	return p->buckets;
}

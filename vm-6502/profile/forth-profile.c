/* SPDX-License-Identifier: MIT */
/* forth-profile: see the header. */
#include "vm-6502/profile/forth-profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/profile/forth-any.h"
#include "vm-6502/guest/forth-cell.h"
#include "vm-6502/guest/forth-machine.h"
#include "vm-6502/native/forth-next.h"
#include "vm-6502/profile/forth-window.h"
#include "vm-6502/native/forth-words.h"
#include "vm-6502/profile/lend.h"
#include "vm-6502/machine/machine-forth.h"

enum { NEVER = 0x10000, DEPTH_MOST = 1024, TASKS_MOST = 16 };

/* A bucket of the guest's that waits for its end. */
struct bucket_end {
	struct forth_cell cell;
	struct bucket_end *older;
};

struct open_word {
	int rise; /* when S, or the pointer for it, is above this, the return address has gone */
	uint16_t back; /* where that leads */
	uint16_t xt;
};

/* The open words of a return stack that a multitasker has left, with its pointer then. */
struct task {
	int rp;
	int depth;
	struct open_word open[DEPTH_MOST];
};

struct forth_profile {
	struct forth_watch watch; /* first: its functions get a pointer to it */
	struct m6502 *m;
	struct forth *forth;   /* NULL: another Forth */
	struct forth_any *any; /* NULL: ours */
	struct task *task[TASKS_MOST];
	int tasks;
	unsigned next_cycles; /* of each NEXT, besides what watch.over says */
	int no_rise;          /* a watch.rise that no return stack is above */
	struct forth_profile_options options;
	struct forth_image image;
	struct forth_names *names;
	struct forth_buckets *buckets;
	struct forth_window window;
	struct forth_cell bucket_list, metric_list;
	struct contexts *zones;
	struct contexts_clock clock;
	bool tree; /* words are in `words` until the end, in zones from the beginning otherwise */
	struct forth_words words;
	struct forth_pieces pieces; /* of `words`: for primitives, or for `cells` */
	uint16_t last_defined;
	struct forth_cells *cells;
	FILE *trace;
	struct bucket_end *ends;
	bool every;       /* each NEXT is looked at */
	bool stale;       /* what is on top is not what should be, since the guest said so */
	bool loose;       /* the innermost word has no return address, and goes on all the same */
	bool leaf, inner; /* a bucket's zone, a primitive's zone is on top */
	uint64_t last_cycle; /* of the NEXT before */
	int depth;
	struct open_word open[DEPTH_MOST];
	uint8_t ask_always[0x10000];
	uint32_t zone[0x10000]; /* of the word at an xt; 0: none yet */
};

/* The clock at this moment, when `nexts` have begun and their own cycles have gone. */
static void set_clock(struct forth_profile *p, uint64_t nexts)
{
	p->clock.cycles = p->m->cycles;
	p->clock.count = nexts;
	p->clock.part = nexts * p->next_cycles + p->watch.over;
	if (p->tree)
		forth_words_settle(&p->words, p->m->cycles, nexts, p->watch.over);
}

static uint32_t word_zone(struct forth_profile *p, uint16_t xt)
{
	struct forth_word word;

	if (!p->zone[xt]) {
		forth_names_word(p->names, xt, &word);
		p->zone[xt] = contexts_add(p->zones, word.name, "forth", word.file, word.line);
	}
	return p->zone[xt];
}

static uint32_t class_zone(struct forth_profile *p, uint32_t class)
{
	struct forth_class *k = &p->buckets->class[class];
	char group[64] = "";

	if (!k->zone) {
		if (k->buckets)
			forth_bucket_group(&p->buckets->bucket[k->inner], group);
		k->zone =
		    contexts_add(p->zones, forth_class_name(p->buckets, class), group, NULL, 0);
		contexts_stands(p->zones, k->zone);
	}
	return k->zone;
}

/* What stands on top of the words: the primitive, and on it the bucket. */
static void leave_top(struct forth_profile *p)
{
	if (p->leaf)
		contexts_leave(p->zones);
	if (p->inner)
		contexts_leave(p->zones);
	p->leaf = p->inner = false;
}

static void enter_top(struct forth_profile *p, long primitive)
{
	if (primitive >= 0)
		contexts_enter(p->zones, word_zone(p, primitive), false);
	p->inner = primitive >= 0;
	p->leaf =
	    p->options.buckets && p->buckets->buckets && (p->window.open || !p->options.started);
	if (p->leaf)
		contexts_enter(p->zones, class_zone(p, p->buckets->now), false);
}

/* The stack of open words, wherever it is. */

static struct open_word open_word(const struct forth_profile *p, int below)
{
	const struct forth_words_node *n = p->words.now;

	if (!p->tree && below >= p->depth)
		return (struct open_word){.rise = NEVER};
	if (!p->tree)
		return p->open[p->depth - 1 - below];
	if (below)
		n = n->parent;
	return (struct open_word){.rise = n->rise, .back = n->back, .xt = n->xt};
}

static void push_word(struct forth_profile *p, uint16_t xt, int rise, uint16_t back)
{
	if (p->tree) {
		forth_words_enter(&p->words, xt, word_zone(p, xt), rise, back);
		return;
	}
	if (p->depth == DEPTH_MOST) {
		contexts_leave(p->zones);
		p->depth--;
	}
	contexts_enter(p->zones, word_zone(p, xt), false);
	p->open[p->depth++] = (struct open_word){.rise = rise, .back = back, .xt = xt};
}

static void pop_word(struct forth_profile *p)
{
	if (p->tree) {
		forth_words_leave(&p->words);
		return;
	}
	contexts_leave(p->zones);
	p->depth--;
}

static bool risen(const struct forth_profile *p, int below)
{
	return forth_image_rp(&p->image, p->m) > open_word(p, below).rise;
}

/* A word whose return address has gone, and that has not returned there, may have taken it itself,
 * to look at it or to drop it. */
static bool goes_on(const struct forth_profile *p, uint16_t ip)
{
	struct open_word open = open_word(p, 0);
	uint16_t code = m6502_peek16(p->m, open.xt + p->image.direct);

	return !risen(p, 1) && ip != open.back &&
	       forth_names_same(p->names, ip, code == p->image.docol ? open.xt : code);
}

static void leave_risen(struct forth_profile *p, uint16_t ip)
{
	while (risen(p, 0) && !goes_on(p, ip))
		pop_word(p);
}

/* Says at which NEXTs to look: where words are left or the class changes, or at all. Where memory
 * is out for a map, it asks at all. */
static void set_watch(struct forth_profile *p)
{
	bool every = p->every || p->stale || p->loose;
	uint8_t *ask = every ? NULL : forth_buckets_ask(p->buckets, p->buckets->now);

	p->watch.ask = ask ? ask : p->ask_always;
	p->watch.rise =
	    ask && open_word(p, 0).rise < p->no_rise ? open_word(p, 0).rise : p->no_rise;
}

static bool is_primitive(const struct forth_profile *p, uint16_t xt)
{
	return !forth_image_is_thread(&p->image, p->m, xt);
}

/* The token that is about to be fetched, if it is no word; -1. */
static long primitive_at(const struct forth_profile *p, uint16_t ip)
{
	uint16_t xt = m6502_peek16(p->m, ip);

	return p->options.primitives && is_primitive(p, xt) ? xt : -1;
}

/* A piece of thread that the cells of a context are counted in: the definition that IP is in, as
 * far as it has come. */
static void add_piece(struct forth_profile *p, uint16_t ip)
{
	long from = forth_names_within(p->names, ip);
	uint32_t here = p->image.dp ? m6502_peek16(p->m, p->image.dp) : 0, end = ip + 2;

	if (from < 0)
		from = ip;
	while (end < here && !forth_names_begins(p->names, end))
		end++;
	forth_pieces_add(&p->pieces, &p->words.now->piece, p->words.now, p->m, ip, from, end);
}

/* The cell at IP is next, where words have been left and entered as it is. */
static void count_cell(struct forth_profile *p, uint16_t ip)
{
	set_clock(p, p->watch.nexts - 1);
	if (!forth_pieces_next(&p->pieces, &p->words.now->piece, p->words.time, ip))
		add_piece(p, ip);
}

static void trace(struct forth_profile *p, uint16_t ip)
{
	struct forth_word word;

	forth_names_word(p->names, m6502_peek16(p->m, ip), &word);
	fprintf(p->trace, "%10llu %12llu %3d %*s%s\n", (unsigned long long)p->watch.nexts,
		(unsigned long long)p->m->cycles, p->depth, p->depth, "", word.name);
}

/* What is counted at each NEXT, when anything is. */
static void look(struct forth_profile *p, uint16_t ip)
{
	struct forth_charge *charge = &p->buckets->class[p->buckets->now].charge;

	if (!p->window.first)
		charge->as_next += p->m->cycles - p->last_cycle;
	p->window.first = false;
	p->last_cycle = p->m->cycles;
	if (p->cells && !p->tree)
		forth_cells_run(p->cells, ip, p->m->cycles);
	if (p->trace)
		trace(p, ip);
}

static void on_next(struct m6502 *m, struct forth_watch *watch, uint16_t ip)
{
	struct forth_profile *p = (struct forth_profile *)watch;
	uint32_t class = p->buckets->class_at[ip];
	bool moved = class != CLASS_KEEP && class != p->buckets->now;

	if (moved || p->stale || p->loose || (p->options.primitives && !p->tree) || risen(p, 0)) {
		set_clock(p, watch->nexts - 1);
		leave_top(p);
		leave_risen(p, ip);
		if (moved)
			forth_buckets_move(p->buckets, class, watch->nexts - 1, m->cycles);
		p->stale = false;
		p->loose = risen(p, 0);
		enter_top(p, p->tree ? -1 : primitive_at(p, ip));
		set_watch(p);
	}
	if (p->words.pieces)
		count_cell(p, ip);
	if (p->every)
		look(p, ip);
}

static void on_call(struct m6502 *m, struct forth_watch *watch, uint16_t xt)
{
	struct forth_profile *p = (struct forth_profile *)watch;

	set_clock(p, watch->nexts);
	leave_top(p);
	forth_names_note(p->names, xt);
	if (p->words.pieces)
		forth_pieces_call(&p->pieces, p->words.time);
	push_word(p, xt, forth_image_rp(&p->image, m) - 2, m6502_peek16(m, p->image.ip));
	p->loose = false;
	enter_top(p, -1);
	set_watch(p);
}

/* Zones can't be changed here, amid native functions that will return: at the next NEXT, then. */
static void make_stale(struct forth_profile *p)
{
	p->stale = true;
	set_watch(p);
}

static uint16_t token_of(const struct forth_piece *piece, size_t i)
{
	return piece->thread[i] | piece->thread[i + 1] << 8;
}

/* The zones of a piece's cells: of those that are primitives and that have run. */
static void find_primitives(struct forth_profile *p, struct forth_piece *piece)
{
	if (!piece->zone)
		piece->zone = calloc(piece->size, sizeof *piece->zone);
	for (size_t i = 0; piece->zone && i < piece->size; i++) {
		uint16_t xt = token_of(piece, i);
		if (!piece->zone[i] && (piece->sum[i] || piece->count[i].runs) &&
		    is_primitive(p, xt))
			piece->zone[i] = word_zone(p, xt);
	}
}

static void forget_pieces(void *context, struct forth_words_node *n)
{
	const struct forth_profile *p = context;

	n->piece = p->pieces.first;
}

/* The dictionary has gone back, and other words will be where some were: the names of those that
 * have run are taken down, and counting goes on elsewhere. */
static void keep_primitives(struct forth_profile *p)
{
	if (!p->words.pieces || !p->options.primitives)
		return;
	for (struct forth_piece *piece = p->pieces.all; piece; piece = piece->older)
		find_primitives(p, piece);
	forth_words_each(&p->words, forget_pieces, p);
	forget_pieces(p, &p->words.root);
}

/* The word at xt is another from now on. */
static void on_defined(void *context, uint16_t xt)
{
	struct forth_profile *p = context;

	if (xt <= p->last_defined)
		keep_primitives(p);
	p->last_defined = xt;
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
	end->older = p->ends;
	p->ends = end;
	forth_cell_watch(&end->cell, p->m, m6502_peek16(p->m, p->image.buckets) + 4, on_complete,
			 p);
}

static void leave_all(struct forth_profile *p)
{
	leave_top(p);
	while (p->depth)
		pop_word(p);
}

/* The words of a stack that is left, for when it comes back. Without memory they are forgotten, and
 * what they do then is the root's. */
static void save_task(struct forth_profile *p, int rp)
{
	struct task *task = NULL;

	for (int i = 0; i < p->tasks; i++) {
		if (p->task[i]->rp == rp)
			task = p->task[i];
	}
	if (!task && p->tasks < TASKS_MOST && (task = malloc(sizeof *task)))
		p->task[p->tasks++] = task;
	if (!task)
		return;
	task->rp = rp;
	task->depth = p->depth;
	memcpy(task->open, p->open, p->depth * sizeof *p->open);
}

static void restore_task(struct forth_profile *p, int rp)
{
	for (int i = 0; i < p->tasks; i++) {
		struct task *task = p->task[i];
		if (task->rp != rp)
			continue;
		for (int k = 0; k < task->depth; k++)
			push_word(p, task->open[k].xt, task->open[k].rise, task->open[k].back);
		p->task[i] = p->task[--p->tasks];
		free(task);
		return;
	}
}

/* Another task runs, or the return stack has been put elsewhere: nothing has returned. */
static void on_moved(struct m6502 *m, struct forth_watch *watch, int from)
{
	struct forth_profile *p = (struct forth_profile *)watch;

	if (!p->watch.calls)
		return;
	set_clock(p, watch->nexts);
	save_task(p, from);
	leave_all(p);
	restore_task(p, forth_image_rp(&p->image, m));
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
	p->cells = p->options.cells ? calloc(1, sizeof *p->cells) : NULL;
	if (!p->buckets || !p->zones || (p->options.cells && !p->cells))
		return false;
	if (p->cells)
		p->cells->last = -1;
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

/* The guest's own lists and operations. */
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

static bool begin(struct forth_profile *p)
{
	bool cells;

	forth_next_map(p->ask_always);
	for (int at = 0; at < 0x10000; at++)
		p->ask_always[at] |= FORTH_ASK;
	p->next_cycles = p->image.other ? 0 : FORTH_NEXT_CYCLES;
	p->no_rise = p->image.other ? 0xffff : 0xff;
	forth_buckets_update(p->buckets);
	forth_buckets_move(p->buckets, CLASS_ETC, 0, p->m->cycles);
	p->tree = (p->options.words || p->cells) && !p->options.buckets && !p->options.as_next &&
		  !p->trace && !lend_recorded() && !p->image.other;
	p->every =
	    p->options.as_next || p->trace || (!p->tree && (p->options.primitives || p->cells));
	cells = p->tree && (p->options.primitives || p->cells);
	if (cells && !forth_pieces_init(&p->pieces, p->options.primitives))
		return false;
	forth_words_init(&p->words, p->m->cycles, cells ? &p->pieces : NULL);
	p->watch.words = p->tree ? &p->words : NULL;
	p->watch.calls = p->options.words || p->trace || (p->cells && p->image.other);
	p->watch.next = on_next;
	p->watch.call = on_call;
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
		snprintf(err, size, "the image is no Forth that the profiler knows");
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
	forth_words_fini(&p->words);
	forth_pieces_fini(&p->pieces);
	forth_buckets_free(p->buckets);
	forth_names_free(p->names);
	free(p->cells);
	if (p->trace && p->trace != stderr)
		fclose(p->trace);
	free(p);
}

/* What a node has for itself: without what its children have. */
static void take_from_parent(void *context, struct forth_words_node *n)
{
	(void)context;
	n->parent->cycles -= n->cycles;
	n->parent->nexts -= n->nexts;
}

static void graft(void *context, struct forth_words_node *n)
{
	struct forth_profile *p = context;
	struct contexts_clock self = {
	    .cycles = n->cycles, .part = n->nexts * FORTH_NEXT_CYCLES + n->over, .count = n->nexts};
	uint64_t least, most;

	n->node = contexts_graft(p->zones, n->parent->node, n->zone, n->calls, &self);
	forth_words_extremes(n, &least, &most);
	contexts_extremes(&p->zones->node[n->node], least, most);
}

/* The time of a context's primitives is theirs, and not the word's. */
static void take_primitives(struct forth_profile *p, struct forth_piece *piece, bool graft_them)
{
	struct forth_words_node *n = piece->owner;

	for (size_t i = 0; piece->zone && i < piece->size; i++) {
		const struct forth_cell_count *c = &piece->count[i];
		uint64_t over = c->runs * forth_next_over(piece->from + i);
		struct contexts_clock self = {.cycles = c->cycles,
					      .part = c->runs * FORTH_NEXT_CYCLES + over,
					      .count = c->runs};
		if (!piece->zone[i])
			continue;
		if (graft_them) {
			contexts_graft(p->zones, n->node, piece->zone[i], c->runs, &self);
			continue;
		}
		n->cycles -= self.cycles;
		n->nexts -= self.count;
		n->over -= over;
	}
}

static void finish_primitives(struct forth_profile *p, bool graft_them)
{
	for (struct forth_piece *piece = p->pieces.all; piece; piece = piece->older) {
		if (!p->options.primitives)
			return;
		find_primitives(p, piece);
		take_primitives(p, piece, graft_them);
	}
}

static void finish_cells(struct forth_profile *p)
{
	for (struct forth_piece *piece = p->pieces.all; p->cells && piece; piece = piece->older) {
		for (size_t i = 0; i < piece->size + piece->apart; i++)
			forth_cells_add(p->cells, piece->from + i % piece->size, &piece->count[i]);
	}
}

static void finish_tree(struct forth_profile *p)
{
	while (p->words.now != &p->words.root)
		forth_words_leave(&p->words);
	forth_words_finish(&p->words);
	forth_words_each(&p->words, take_from_parent, p);
	finish_primitives(p, false);
	graft(p, &p->words.root);
	forth_words_each(&p->words, graft, p);
	finish_primitives(p, true);
	finish_cells(p);
	p->zones->lost += p->words.lost + p->pieces.lost;
}

void forth_profile_finish(struct forth_profile *p)
{
	set_clock(p, p->watch.nexts);
	if (p->tree)
		finish_tree(p);
	contexts_finish(p->zones);
	p->leaf = p->inner = false;
	p->depth = 0;
	forth_buckets_move(p->buckets, p->buckets->now, p->watch.nexts, p->m->cycles);
	if (p->cells && !p->tree && p->cells->last >= 0)
		p->cells->at[p->cells->last].cycles += p->m->cycles - p->cells->since;
}

const struct contexts *forth_profile_zones(const struct forth_profile *p)
{
	return p->zones;
}

const struct forth_buckets *forth_profile_buckets(const struct forth_profile *p)
{
	return p->buckets;
}

const struct forth_cells *forth_profile_cells(const struct forth_profile *p)
{
	return p->cells;
}

const struct forth_names *forth_profile_names(const struct forth_profile *p)
{
	return p->names;
}

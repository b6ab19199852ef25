/* SPDX-License-Identifier: MIT */
/*
 * model.c - the library beside what is true, in random programs whose functions end without a hook: calls, of functions without
 * hooks too, tail calls, parts that were split off, alloca and pushed arguments, realigned frames, jumps (as of exceptions), signal
 * handlers on the same stack, on a signal stack and in hooks, coroutines that change their threads, ends of threads, forks,
 * recordings that follow one another. Every second program is recorded with recursion=0, so that no recursion is folded.
 *
 *   model [SEQUENCES [SEED]]    SEQUENCES in batches of 100; the first batch's seed
 *   model -v SEED               one batch, every step printed
 *
 * After every entry the zone stack must be just the functions that are open, and nothing may be guessed; after every sequence each
 * context must have as many calls as were made. A batch runs in a process of its own.
 *
 * Left out is what the library has no way to see: a signal as a function's first instruction begins, where an earlier call of
 * this function had the same stack frame; a function with a hook that ends by a jump to one without, which looks like a part of
 * the first; a handler on the signal stack that interrupts a coroutine before its first event.
 */
#include "tests/entries/model.h"

#include "preload/clock/tick.h"
#define HOT_BP(event) ((event)->bp)
#include "preload/track/entry.h"
#include "preload/code/call_places.h"
#include "preload/profile/file.h"
#include "preload/recording/pause.h"
#include "preload/recording/recordings.h"
#include "preload/slow/nested.h"
#include "preload/slow/slow.h"
#include "preload/stacks/stack.h"
#include "preload/track/lineage.h"
#include "preload/track/sound.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 100, LEVELS = 4 };

static struct line stacks[MODEL_STACKS];
static int own, on;    /* the thread's own stack, and the one that it runs on */
static int seen;       /* the stack of the last event */
static bool has_begun; /* the thread has had an event, in this process */
static bool folded, verbose;
static uint64_t state, batch_seed;
static long sequence, steps;
uintptr_t model_alternate_top;

/* ---- chance, and what is said */

unsigned model_chance(unsigned n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (unsigned)((state * 0x2545f4914f6cdd1du) >> 33) % n;
}

static void say(const char *what, int level, int number)
{
	steps++;
	if (verbose)
		printf("# %*s%s %d\n", 2 * level, "", what, number);
}

static _Noreturn void fail(const char *what)
{
	printf("# %s; sequence %ld, step %ld%s; all of it: model -v %llu\n", what, sequence, steps,
	       folded ? "" : ", recursion=0", (unsigned long long)batch_seed);
	fflush(stdout);
	unlink(process_now ? process_now->file->path : "");
	_exit(1);
}

static void print_path(const char *whose, const struct path *p)
{
	printf("# %s:", whose);
	for (int i = 0; i < p->count; i++)
		printf(" %d", p->zone[i]);
	printf("\n");
}

/* ---- linked in place of the library's */

bool __wrap_entries_look_at_all(struct process *p);
bool __wrap_entries_look_at_all(struct process *p)
{
	call_places_begin(p);
	p->entries_alone = true;
	__atomic_fetch_or(&p->header->flags, ZPROF_ENTRIES, __ATOMIC_RELAXED);
	return true;
}

/* A made-up thread's control block lies on its made-up stack. */
uintptr_t __wrap_sys_thread_pointer(void);
uintptr_t __wrap_sys_thread_pointer(void)
{
	return stacks[own].start;
}

/* ---- one event */

static void compare_path(const struct path *truth, const struct path *library)
{
	if (path_is(truth, library, folded))
		return;
	print_path("open", truth);
	print_path("the library", library);
	fail("other functions are open");
}

/* A barrier stands for the zone that the handler above has interrupted: zones below may have ended. */
static struct path path_of_track(const struct track *k)
{
	struct path p = {.count = 0}, to_here;
	const struct open_zone *f = k->bottom;

	if (k->barriers) {
		f += k->barrier[k->barriers - 1].depth + 1;
		p = path_of_node(k->base, f->node);
	}
	while (++f <= k->top) {
		to_here = path_of_node(k->base, f->node);
		p.zone[p.count++] = to_here.zone[to_here.count - 1];
	}
	return p;
}

static void compare(const struct line *line, int level)
{
	const struct track *k = level ? track_self.lineage->levels[level] : &track_self;
	struct path truth = path_of_line(line), library = path_of_node(k->base, k->top->node);
	const char *wrong = track_sound(k);

	if (wrong)
		fail(wrong);
	compare_path(&truth, &library);
	if (!level) {
		library = path_of_track(k);
		compare_path(&truth, &library);
	}
	if (process_now->header->counters[ZPROF_ENTRIES_GUESSED])
		fail("a caller was guessed");
	counts_add(&truth, folded);
}

static void run_handler(struct line *line, int level, bool alternate);

static bool runs_on_signal_stack(const struct line *line)
{
	for (int i = 0; i < line->count; i++)
		if (model_alternate_top - line->frame[i].sp < MODEL_STACK_BYTES)
			return true;
	return false;
}

/* Whether an earlier call of the function on top had the same stack frame. */
static bool had_frame_before(const struct line *line, const struct track *k)
{
	const struct frame *g = &line->frame[line->count - 1];

	for (const struct open_zone *f = k->top; f > k->bottom; f--)
		if (f->cfa == g->cfa && f->node->zone == model_zone(g->function))
			return true;
	return false;
}

/* The function on top calls its hook. A handler may come at the hook's begin, or at its end. */
static void happen(struct line *line, int level)
{
	struct frame *g = line_top(line);
	struct event e = {tick_now(), model_zone(g->function),     *(uintptr_t *)g->sp,
			  g->sp,      model_zone(g->function) + 5, g->bp};
	bool settled = has_begun && seen == on && *process_now->alive == PROCESS_ALIVE;
	unsigned seam = settled && level + 1 < LEVELS ? model_chance(14) : 9;
	bool alternate = !runs_on_signal_stack(line) && model_chance(3) == 0;
	struct track *k = &track_self;
	struct nested n;

	say("enter", level, g->function);
	if (!level && has_begun) {
		hot_begin(k, e.sp);
	} else if (nested_begin(&n, &e)) {
		k = n.track;
		if (k->level != (uint32_t)level)
			fail("a hook is of another level");
	} else {
		fail("a hook could not begin");
	}
	if (seam == 0 && !had_frame_before(line, k))
		run_handler(line, level + 1, alternate);
	if (level || !has_begun)
		slow_enter(k, &e);
	else if (!entry_at_home(k) || !entry_enter(k, &e))
		slow_enter(k, &e);
	g->entered = true;
	compare(line, level);
	if (seam == 1)
		run_handler(line, level + 1, alternate);
	if (!level && has_begun)
		hot_end(k, e.sp);
	else
		nested_end(&n, &e);
	has_begun = true;
	seen = on;
}

/* ---- what the program does */

static void enter(struct line *line, int level)
{
	if (line_top(line)->function < MODEL_HOOKED)
		happen(line, level);
}

/* A handler that interrupts the program, not a hook. */
static void interrupt(struct line *line, int level, bool alternate)
{
	say(alternate ? "a handler on the signal stack" : "a handler", level, 0);
	line_interrupt(line, alternate ? model_alternate_top - 512 : 0);
	line_call(line, (int)model_chance(MODEL_BARE));
	enter(line, level);
}

/* Ends the function on top, and the handler's frame if it is one. Frames below `base` stay. */
static void leave(struct line *line, int level)
{
	say("leave", level, line_top(line)->function);
	line->count--;
	if (line_top(line)->function == MODEL_RETURN)
		line->count--;
	else
		line_move(line, line_top(line)->part || model_chance(8) == 0,
			  (int)model_chance(MODEL_PLACES));
}

static void tail_call(struct line *line, int level)
{
	int bare_too = line_top(line)->function >= MODEL_HOOKED;

	say("a tail call", level, line_top(line)->function);
	line_tail_call(line, (int)model_chance(bare_too ? MODEL_BARE : MODEL_HOOKED));
	enter(line, level);
}

static void jump(struct line *line, int level, int base)
{
	int to = base + (int)model_chance((unsigned)(line->count - base));

	while (line->frame[to].function >= MODEL_RETURN)
		to++;
	say("a jump to frame", level, to);
	line->count = to + 1;
	line_move(line, model_chance(4) == 0, (int)model_chance(MODEL_PLACES));
}

/* One step of what runs above the frame `base` - 1. */
static void step(struct line *line, int level, int base)
{
	unsigned draw = model_chance(100);
	bool room = line->count < MODEL_DEPTH - 16;

	if (draw < 35 && room) {
		line_call(line, (int)model_chance(MODEL_HOOKED));
		enter(line, level);
	} else if (draw < 47 && room) {
		line_call(line, (int)(MODEL_HOOKED + model_chance(MODEL_BARE - MODEL_HOOKED)));
	} else if (draw < 53 && line_top(line)->function < MODEL_BARE) {
		tail_call(line, level);
	} else if (draw < 56 && line->count > base) {
		jump(line, level, base);
	} else if (draw < 60 && room) {
		bool can = has_begun && seen == on && !runs_on_signal_stack(line);

		interrupt(line, level, can && model_chance(2));
	} else if (line->count > base) {
		leave(line, level);
	}
}

/* A handler that interrupts a hook: its own hooks are of the next level. */
static void run_handler(struct line *line, int level, bool alternate)
{
	int before = line->count, left = 1 + (int)model_chance(10);

	say(alternate ? "a handler in a hook, on the signal stack" : "a handler in a hook", level,
	    0);
	line_hook(line);
	line_interrupt(line, alternate ? model_alternate_top - 512 : 0);
	line_call(line, (int)model_chance(MODEL_BARE));
	enter(line, level);
	while (line->count > before + 2 && left-- > 0)
		step(line, level, before + 2);
	line->count = before;
}

/* ---- rare events */

static void change_stack(void)
{
	if (runs_on_signal_stack(&stacks[on]))
		return;
	on = model_chance(2) ? own : 2 + (int)model_chance(2);
	say("stack", 0, on);
}

/* makecontext on a stack that no thread runs on. */
static void use_stack_anew(void)
{
	if (on == 2 || seen == 2 || !has_begun)
		return;
	say("stack used anew", 0, 2);
	line_empty(&stacks[2]);
	stack_learn(process_now, stacks[2].start + 64 - MODEL_STACK_BYTES, MODEL_STACK_BYTES);
}

static void end_thread(void)
{
	if (track_self.barriers || runs_on_signal_stack(&stacks[on]))
		return;
	memset(&track_self, 0, sizeof track_self);
	track_self.busy = TRACK_UNREADY;
	own = on = (int)model_chance(2);
	line_empty(&stacks[0]);
	line_empty(&stacks[1]);
	has_begun = false;
	say("a thread ends", 0, on);
}

static void compare_counts(void)
{
	for (const struct lineage *l = process_now->lineages; l; l = l->next) {
		/* else its thread is in a later recording */
		const char *wrong = l->tree.hash ? tree_sound(process_now, &l->tree) : NULL;

		if (wrong)
			fail(wrong);
	}
	for (int i = ZPROF_LOSS_BUDGET; i <= ZPROF_LOSS_CLOCK_BACK; i++)
		if (process_now->header->counters[i])
			fail("something was lost");
	if (counts_differing(folded))
		fail("contexts have other numbers of calls");
}

static char *paths[16];
static int paths_used;

static void forget_file(void)
{
	paths[paths_used++] = strdup(process_now->file->path);
}

/* What a child sees: the page that fork wipes. */
static void fork_here(void)
{
	if (!has_begun || paths_used == 15 || !*process_now->here)
		return;
	say("fork", 0, 0);
	compare_counts();
	forget_file();
	*process_now->here = *process_now->alive = 0;
	counts_clear();
	has_begun = false;
}

static void next_recording(void)
{
	struct process *p = process_now;

	if (!has_begun)
		return;
	say("the next recording", 0, 0);
	recordings_end(p, 1);
	pause_begin(p, 1);
	recordings_begin(p, 1);
	pause_end(p, 1);
}

/* ---- batches */

static uintptr_t reserve_stack(void)
{
	char *p =
	    mmap(NULL, MODEL_STACK_BYTES + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + 4096, MODEL_STACK_BYTES, PROT_READ | PROT_WRITE) != 0)
		abort();
	return (uintptr_t)p + 4096 + MODEL_STACK_BYTES;
}

/* The signal stack lies above some of the others, and below some. */
static void make_stacks(void)
{
	stack_t alternate = {.ss_size = MODEL_STACK_BYTES};

	for (int i = MODEL_STACKS - 1; i >= 0; i--) {
		stacks[i].start = reserve_stack() - 64;
		line_empty(&stacks[i]);
		if (i == 1) {
			model_alternate_top = reserve_stack();
			alternate.ss_sp = (void *)(model_alternate_top - MODEL_STACK_BYTES);
		}
	}
	if (sigaltstack(&alternate, NULL) != 0)
		abort();
}

static void run_sequence(void)
{
	int left = 20 + (int)model_chance(100);

	if (model_chance(2))
		end_thread();
	for (; left > 0; left--) {
		unsigned draw = model_chance(1000);

		if (draw < 40)
			change_stack();
		else if (draw < 50)
			use_stack_anew();
		else if (draw < 55)
			end_thread();
		else if (draw < 58)
			fork_here();
		else if (draw < 64 && batch_seed % 4 < 2)
			next_recording();
		step(&stacks[on], 0, 1);
	}
	if (process_now && has_begun)
		compare_counts();
}

static _Noreturn void run_batch(void)
{
	folded = batch_seed % 2;
	setenv("ZPROF_OPTIONS",
	       folded ? "output=model.%p,clock=count" : "output=model.%p,clock=count,recursion=0",
	       1);
	state = batch_seed * 0x9e3779b97f4a7c15u | 1;
	model_make_code();
	make_stacks();
	counts_clear();
	for (sequence = 0; sequence < BATCH; sequence++)
		run_sequence();
	if (process_now)
		forget_file();
	while (paths_used)
		unlink(paths[--paths_used]);
	exit(0);
}

static int batch(void)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0)
		run_batch();
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	if (WIFSIGNALED(status))
		printf("# died of signal %d: model -v %llu\n", WTERMSIG(status),
		       (unsigned long long)batch_seed);
	return status != 0;
}

int main(int argc, char **argv)
{
	long sequences = argc > 1 ? strtol(argv[1], NULL, 10) : 2000;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	int bad = 0;

	verbose = argc > 2 && strcmp(argv[1], "-v") == 0;
	if (verbose)
		sequences = BATCH;
	printf("# seeds from %llu\n", (unsigned long long)first);
	for (long done = 0; done < sequences && bad < 5; done += BATCH) {
		batch_seed = first + (uint64_t)(done / BATCH);
		bad += batch();
	}
	printf("%s 1 - the zone stacks and contexts of %ld random programs whose functions end "
	       "without a hook are right\n1..1\n",
	       bad ? "not ok" : "ok", sequences);
	return bad != 0;
}

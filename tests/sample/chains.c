/* SPDX-License-Identifier: MIT */
/*
 * chains.c - tests of preload/sample/chains.h and preload/unwind/chain.h: what the table keeps of
 * random chains, compared with an array that keeps all; and where walks end, on a made-up stack, with
 * made-up call frame information. Nothing here depends on time or chance: the random numbers are the
 * same in each run.
 */
#include "preload/code/cfi.h"
#include "preload/code/module.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/sample/notes.h"
#include "preload/track/track.h"
#include "preload/unwind/chain.h"

#include <stdio.h>
#include <string.h>

#define NODES       8u
#define CHAINS      2048u
#define SAMPLES     100000u
#define PERIOD_NS   1000u
#define KERNEL_CODE 0xffffffff81000000u

/* The file: nodes, and then records. */
static struct {
	struct zprof_node nodes[NODES + 1]; /* [0] is not used */
	struct zprof_chain records[CHAINS_MOST + 1];
} profile __attribute__((aligned(64)));
static uint32_t record_count, record_most;
static uint32_t searches;
static uint64_t lost, cut, deep, seen[NODES][CHAINS];
static struct module module = {.id = 7, .eh_frame_hdr = 1}, kernel = {.id = 70};
static bool kernel_is_known;
static struct file file = {.base = (char *)&profile};
static struct process process = {.file = &file};
static int results;

static void tap(bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++results, what);
}

/* ---- made-up code: functions of CODE_BYTES each */

enum function { ZONE, ALLOCATING, LEAF, RECURSIVE, UNKNOWN, FUNCTIONS };

#define CODE       0x10000u
#define CODE_BYTES 0x100u

static uintptr_t begin_of(enum function f)
{
	return CODE + f * CODE_BYTES;
}

/* Where a call in the function returns to. */
static uintptr_t call_in(enum function f)
{
	return begin_of(f) + 0x40;
}

/* From the stack pointer to the CFA; of ALLOCATING, which finds it by rbp, from the word at rbp. */
static uint32_t frame_bytes(enum function f)
{
	return f == ALLOCATING ? 16 : 32 + 16 * f;
}

/* ---- what the library asks of its other rooms */

void *__wrap_file_record(struct process *p, struct zprof_section **section, uint32_t type,
			 uint32_t id, uint64_t bytes);
void __wrap_losses_count(struct process *p, enum zprof_counter kind, uint64_t n);
const struct module *__wrap_module_find(const struct process *p, uintptr_t address);
const struct module *__wrap_module_discover(struct process *p, uintptr_t address);
const struct module *__wrap_module_kernel(struct process *p, uintptr_t address);
bool __wrap_cfi_find(uintptr_t eh_frame_hdr, uintptr_t pc, struct cfi *cfi);

void *__wrap_file_record(struct process *p, struct zprof_section **section, uint32_t type,
			 uint32_t id, uint64_t bytes)
{
	(void)p;
	(void)section;
	(void)id;
	if (type != ZPROF_SECTION_CHAINS || bytes != sizeof(*profile.records) ||
	    record_count == record_most)
		return NULL;
	return &profile.records[++record_count];
}

void __wrap_losses_count(struct process *p, enum zprof_counter kind, uint64_t n)
{
	(void)p;
	lost += kind == ZPROF_LOSS_CHAINS ? n : 0;
	cut += kind == ZPROF_LOSS_CHAINS_CUT ? n : 0;
	deep += kind == ZPROF_LOSS_CHAINS_DEEP ? n : 0;
}

const struct module *__wrap_module_find(const struct process *p, uintptr_t address)
{
	(void)p;
	return address - CODE < FUNCTIONS * CODE_BYTES ? &module : NULL;
}

const struct module *__wrap_module_discover(struct process *p, uintptr_t address)
{
	searches++;
	return __wrap_module_find(p, address);
}

const struct module *__wrap_module_kernel(struct process *p, uintptr_t address)
{
	(void)p;
	return kernel_is_known && address >= KERNEL_CODE ? &kernel : NULL;
}

bool __wrap_cfi_find(uintptr_t eh_frame_hdr, uintptr_t pc, struct cfi *cfi)
{
	enum function f = (enum function)((pc - CODE) / CODE_BYTES);

	(void)eh_frame_hdr;
	*cfi = (struct cfi){.kind = CFI_REGISTER,
			    .reg = f == ALLOCATING ? CFI_RBP : CFI_RSP,
			    .offset = frame_bytes(f),
			    .function = begin_of(f),
			    .end = begin_of(f) + CODE_BYTES,
			    .rbp_offset = -16,
			    .rbp_saved = f == ALLOCATING};
	return f != UNKNOWN;
}

/* ---- steps */

static void steps(void)
{
	struct zprof_chain c = {0};
	bool all = true, right = true;
	uint32_t i;

	for (i = 0; i < 3; i++)
		chains_step(&c, 1, 100);
	tap(c.count == 1, "a function that calls itself is one step");
	chains_step(&c, 2, 100);
	tap(c.count == 2, "the same address of another module is another step");
	c.count = 0;
	for (i = 0; i < ZPROF_CHAIN_STEPS; i++)
		all &= chains_step(&c, 1, i);
	tap(all && c.count == ZPROF_CHAIN_STEPS, "a chain has room for its steps");
	for (i = ZPROF_CHAIN_STEPS; i < 50; i++)
		all &= !chains_step(&c, 1, i);
	for (i = 0; i < ZPROF_CHAIN_STEPS / 2; i++)
		right &= c.address[i] == i && c.address[ZPROF_CHAIN_STEPS - 1 - i] == 49 - i;
	tap(all && right && c.count == ZPROF_CHAIN_STEPS,
	    "of a longer one, both ends are kept, and it says so");
}

/* ---- the table, with a made-up walk */

/* A chain by its number: the address of a sample. */
static enum chain_walk walk(const struct zprof_node *node, const struct ring_note *note,
			    struct zprof_chain *chain)
{
	uintptr_t n = note->ip;

	(void)node;
	if (n == CHAINS)
		return CHAIN_CUT;
	if (n == CHAINS + 1)
		return CHAIN_WHOLE;
	chains_step(chain, module.id, 1 + n % 8);
	chains_step(chain, module.id, 100 + n / 8 % 16);
	if (n / 128)
		chains_step(chain, module.id, 200 + n / 128);
	return n % 2 ? CHAIN_DEEP : CHAIN_WHOLE;
}

static uint32_t random_below(uint32_t n)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

static void begin(uint32_t most)
{
	uint32_t i;

	memset(&profile, 0, sizeof(profile));
	for (i = 1; i <= NODES; i++)
		profile.nodes[i].parent = 1;
	memset(seen, 0, sizeof(seen));
	record_count = 0;
	record_most = most;
	lost = cut = deep = 0;
}

static void sample(struct chains *c, uint32_t node, uintptr_t number, bool sure)
{
	const struct ring_note note = {.ip = number};

	chains_found(c, &process, 1, &profile.nodes[node], &note, PERIOD_NS, sure);
	if (number < CHAINS)
		seen[node - 1][number]++;
}

static uint64_t kept(void)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 1; i <= record_count; i++)
		sum += profile.records[i].samples;
	return sum;
}

static uint32_t number_of(const struct zprof_chain *r)
{
	uint32_t n = (uint32_t)(r->address[0] - 1 + (r->address[1] - 100) * 8);

	return r->count == 3 ? n + (uint32_t)(r->address[2] - 200) * 128 : n;
}

/* No record has more than was seen, and no two records are of one chain. */
static bool agrees(void)
{
	uint32_t i, j;

	for (i = 1; i <= record_count; i++) {
		const struct zprof_chain *r = &profile.records[i];
		uint32_t node = r->node - node_reference((char *)&profile, &profile.nodes[1]);
		uint64_t *n = &seen[node][number_of(r)];

		if (r->count < 2 || r->count > 3 || r->samples > *n ||
		    r->ns != r->samples * PERIOD_NS)
			return false;
		for (j = 0; j < ZPROF_CHAIN_STEPS; j++)
			if (r->module[j] != (j < r->count ? module.id : 0) ||
			    (j >= r->count && r->address[j]))
				return false;
		*n = 0;
	}
	return true;
}

static void few_chains(void)
{
	struct chains c = {.walk = walk};
	uint32_t i;

	begin(CHAINS_MOST);
	for (i = 0; i < 1000; i++)
		sample(&c, 1 + random_below(2), random_below(50), true);
	tap(kept() == 1000 && !lost && !cut, "all samples of few chains are kept");
	tap(agrees(), "each chain has its own");
	begin(CHAINS_MOST);
	c = (struct chains){.walk = walk};
	for (i = 0; i < 100; i++)
		sample(&c, 1, i, true);
	tap(deep == 50, "chains without their middle are counted");
}

/* One sample in four has one of ten hot chains. */
static void many_chains(void)
{
	struct chains c = {.walk = walk};
	uint64_t hot = 0, hot_kept = 0;
	uint32_t i;

	begin(CHAINS_MOST);
	for (i = 0; i < SAMPLES; i++)
		if (random_below(4))
			sample(&c, 1 + random_below(NODES), random_below(CHAINS), true);
		else
			sample(&c, 3, random_below(10), true);
	for (i = 1; i <= record_count; i++)
		if (&profile.nodes[profile.records[i].node] == &profile.nodes[3] &&
		    number_of(&profile.records[i]) < 10)
			hot_kept += profile.records[i].samples;
	for (i = 0; i < 10; i++)
		hot += seen[2][i];
	tap(record_count <= CHAINS_MOST, "memory is bounded");
	tap(lost && kept() + lost == SAMPLES, "what gives way is counted, to the sample");
	tap(hot_kept * 100 > hot * 99, "chains that are seen often stay");
	tap(agrees(), "no record has more than was seen");
}

static void no_chain(void)
{
	struct chains c = {.walk = walk}, none = {0};
	uint32_t i;

	begin(5);
	for (i = 0; i < 100; i++)
		sample(&c, 1, i % 10, true);
	tap(kept() + lost == 100 && record_count == 5,
	    "where the file is full, losses are counted");
	begin(CHAINS_MOST);
	c = (struct chains){.walk = walk};
	sample(&c, 1, CHAINS, true);
	sample(&c, 1, 3, false);
	tap(!record_count && cut == 2,
	    "a walk that did not come to its zone is counted, and so is a sample of no sure zone");
	sample(&c, 1, CHAINS + 1, true);
	tap(!record_count && cut == 2 && !lost,
	    "a sample in the zone's own function needs no chain");
	profile.nodes[1].parent = 0;
	sample(&c, 1, CHAINS, true);
	sample(&c, 1, 3, true);
	tap(!record_count && cut == 2, "nor does one outside of all zones");
	profile.nodes[1].parent = 1;
	sample(&none, 1, 3, true);
	tap(!record_count && cut == 2 && !lost && !none.slots,
	    "where chains are not wanted, none is kept");
}

static void in_the_kernel(void)
{
	struct ring_note note = {.ip = 5, .kernel_ip = KERNEL_CODE + 9, .in_kernel = true};
	struct chains c = {.walk = walk};
	const struct zprof_chain *r = &profile.records[1];

	begin(CHAINS_MOST);
	kernel_is_known = true;
	chains_found(&c, &process, 1, &profile.nodes[1], &note, PERIOD_NS, true);
	tap(r->count == 3 && r->module[0] == (70 | ZPROF_INSIDE_KERNEL << 24) &&
		r->address[0] == KERNEL_CODE + 9 && r->module[1] == 7 && r->address[1] == 1 + 5,
	    "the kernel's address is the innermost step");
	kernel_is_known = false;
	chains_found(&c, &process, 1, &profile.nodes[1], &note, PERIOD_NS, true);
	r++;
	tap(r->count == 3 && r->module[0] == ZPROF_INSIDE_KERNEL << 24 && !r->address[0] &&
		r->address[1] == 1 + 5,
	    "where the kernel's addresses would mean nothing later, the step has none");
	note.ip = CHAINS + 1;
	chains_found(&c, &process, 1, &profile.nodes[1], &note, PERIOD_NS, true);
	tap(record_count == 2, "a system call of the zone itself needs no chain");
}

/* ---- walks */

#define WORDS 64

/*
 * A made-up stack, which grows down: frames are put on it from the outermost on, below `at`. The words
 * of a sample's copy are those from sp upwards.
 */
static struct {
	uintptr_t words[WORDS], cfa[8];
	uint32_t at, frames;
	uintptr_t bp;
} stack;

static uintptr_t address_of(uint32_t word)
{
	return (uintptr_t)&stack.words[word];
}

static void call(enum function f, uintptr_t returns_to)
{
	uint32_t words = frame_bytes(f) / sizeof(uintptr_t);

	stack.cfa[stack.frames++] = address_of(stack.at);
	stack.words[stack.at - 1] = returns_to;
	if (f == ALLOCATING) {
		stack.words[stack.at - 2] = stack.bp;
		stack.bp = address_of(stack.at - 2);
		words += 6;
	}
	stack.at -= words;
}

static struct open_zone zones[3];
static struct notes notes;

/* The zone runs, and has called nothing yet. */
static void zone_runs(bool alone)
{
	memset(&stack, 0, sizeof(stack));
	stack.at = WORDS - 2;
	call(ZONE, 0x999);
	process.entries_alone = alone;
	zones[0] = (struct open_zone){UINTPTR_MAX, &profile.nodes[1]};
	zones[1] = (struct open_zone){stack.cfa[0], &profile.nodes[2]};
	track_self = (struct track){.process = &process,
				    .notes = &notes,
				    .bottom = &zones[0],
				    .top = &zones[1],
				    .stack_low = address_of(0),
				    .stack_bytes = sizeof(stack.words)};
}

static enum chain_walk walk_from(enum function f, uint32_t copied, uint32_t node,
				 struct zprof_chain *chain)
{
	uintptr_t sp = address_of(stack.at);
	struct ring_note note = {.ip = call_in(f) - 1,
				 .sp = sp,
				 .bp = stack.bp,
				 .stack = &stack.words[stack.at],
				 .stack_bytes = copied};

	*chain = (struct zprof_chain){0};
	return chain_walk(&profile.nodes[node], &note, chain);
}

static bool has(const struct zprof_chain *c, enum function a, enum function b)
{
	return c->count == 2 && c->address[0] == begin_of(a) && c->address[1] == begin_of(b) &&
	       c->module[0] == module.id && c->module[1] == module.id;
}

static void walks(void)
{
	const uint32_t all = sizeof(stack.words);
	struct zprof_chain c;
	uint32_t room;

	zone_runs(false);
	tap(walk_from(ZONE, 0, 2, &c) == CHAIN_WHOLE && !c.count,
	    "a walk from the zone's own frame needs no words, and has no steps");
	call(ALLOCATING, call_in(ZONE));
	call(LEAF, call_in(ALLOCATING));
	tap(walk_from(LEAF, all, 2, &c) == CHAIN_WHOLE && has(&c, LEAF, ALLOCATING),
	    "a walk leads to the zone's frame, through a frame that is found by rbp");
	room = (uint32_t)(stack.cfa[1] - address_of(stack.at));
	tap(walk_from(LEAF, room, 2, &c) == CHAIN_WHOLE && has(&c, LEAF, ALLOCATING),
	    "it needs the words up to the return address into the zone's function");
	tap(walk_from(LEAF, room - 8, 2, &c) == CHAIN_CUT, "without that word it is cut");
	tap(walk_from(LEAF, all, 1, &c) == CHAIN_CUT, "a node that is not on top has no chain");
	zones[1].cfa -= 8;
	tap(walk_from(LEAF, all, 2, &c) == CHAIN_CUT,
	    "a walk that passes the zone's frame has found nothing");
	zone_runs(false);
	call(RECURSIVE, call_in(ZONE));
	call(RECURSIVE, call_in(RECURSIVE));
	call(RECURSIVE, call_in(RECURSIVE));
	call(LEAF, call_in(RECURSIVE));
	tap(walk_from(LEAF, all, 2, &c) == CHAIN_WHOLE && has(&c, LEAF, RECURSIVE),
	    "a recursion is one step");
	zone_runs(false);
	call(UNKNOWN, call_in(ZONE));
	call(LEAF, call_in(UNKNOWN));
	tap(walk_from(LEAF, all, 2, &c) == CHAIN_CUT,
	    "code without call frame information ends a walk");
	zone_runs(false);
	call(LEAF, 0x999);
	searches = 0;
	for (room = 0; room < 1000; room++)
		if (walk_from(LEAF, all, 2, &c) != CHAIN_CUT)
			break;
	tap(room == 1000 && searches < 1100,
	    "maps are read a few times for code of no module, and then no more");
	track_self.stack_bytes = 8;
	tap(walk_from(LEAF, all, 2, &c) == CHAIN_CUT, "another stack than the zone's has no walk");
}

/* The zone on top has ended; the node of the zone below it is the sample's. */
static void entries_alone(void)
{
	struct zprof_chain c;

	zone_runs(true);
	call(RECURSIVE, call_in(ZONE));
	call(LEAF, call_in(RECURSIVE));
	zones[2] = (struct open_zone){stack.cfa[0] - 128, &profile.nodes[3]};
	track_self.top = &zones[2];
	tap(walk_from(LEAF, sizeof(stack.words), 2, &c) == CHAIN_WHOLE && has(&c, LEAF, RECURSIVE),
	    "without exits, the zone may be one below the top");
	zones[2].node = &profile.nodes[2];
	tap(walk_from(LEAF, sizeof(stack.words), 2, &c) == CHAIN_WHOLE && has(&c, LEAF, RECURSIVE),
	    "and of two zones of one node, that whose frame the walk comes to");
	process.entries_alone = false;
	tap(walk_from(LEAF, sizeof(stack.words), 2, &c) == CHAIN_CUT,
	    "with exits, only the frame of the zone on top will do");
}

int main(void)
{
	steps();
	few_chains();
	many_chains();
	no_chain();
	in_the_kernel();
	walks();
	entries_alone();
	printf("1..%d\n", results);
	return 0;
}

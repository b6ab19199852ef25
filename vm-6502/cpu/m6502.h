/* SPDX-License-Identifier: MIT */
/*
 * m6502: the processor. It knows registers, memory, cycles and interrupts, and nothing of consoles,
 * files, symbols or profiles; those stand on it. It allocates nothing, prints nothing, and whatever
 * bytes it runs, it stays inside its struct.
 *
 *	static struct m6502 m;                       // big (700 KiB): static, or malloc
 *	m6502_init(&m, M6502_NMOS);
 *	m6502_load(&m, 0x0400, image, size);
 *	m.pc = 0x0400;
 *	m6502_run(&m, 1000000);                      // up to that cycle, or until it is stopped
 *
 * Two memories
 *
 *	mem[]  what the guest reads as data and as operands
 *	op[]   what the guest fetches as opcodes
 *
 * They hold the same bytes, except at addresses with a *hook*: there op[] holds the reserved
 * opcode, one that would stop a real processor, and mem[] goes on showing the byte that the guest
 * put there. So:
 *
 *	an opcode fetch needs no test: a hooked address leads to the core's slow path by itself;
 *	a data read of zero page, stack or operands needs no test at all;
 *	a store compares the op[] byte that it replaces with the reserved opcode, then asks hook[];
 *	a read of pages 2 to 255 compares the value it got with M6502_SENTINEL, which mem[] holds
 *	where a hook wants to answer reads, then asks hook[].
 *
 * So hooks, however many, cost nothing at addresses that have none. For every address a:
 *
 *	hook[a] == NULL           ->  op[a] == mem[a]
 *	hook[a] != NULL           ->  op[a] == M6502_RESERVED(cpu)
 *	hook[a] && hook[a]->read  ->  mem[a] == M6502_SENTINEL, a >= 0x0200
 *
 * Rejected: one memory, with the reserved opcode in it. Every operand byte and every read of zero
 * page would have to be compared. Rejected: a table of flags per page. It costs a load per access,
 * and one hook in zero page would slow all of zero page.
 *
 * Hooks
 *
 * A hook is lent to the core by its owner, who keeps the struct alive while it is set. Each of the
 * three functions may be NULL.
 *
 *	run    is called when the guest is about to execute the address; registers are in the
 *	       struct. True: done, go on at m->pc; the handler has set pc and added the cycles that
 *	       it stands for. False: run the guest's own instruction there. A handler that loops
 *	       (a NEXT that runs primitives natively) returns when m->cycles >= m->limit.
 *	read   answers a read by the guest. m->cycles is the number of the bus cycle, from 0, in
 *	       both cores.
 *	write  is told of a write by the guest. If the hook has no read, the byte has been put
 *	       into mem[] before, so the guest sees it; the hook stays set.
 *
 * Each call of `run` costs about 2 ns, for the registers that go to the struct and back, so a
 * handler pays where it stands for ten instructions or more, or goes on with what comes next.
 *
 * Inside, memory is reached with m6502_peek and m6502_poke, and the core is left with m6502_stop.
 * Setting a second hook on an address returns the first; the new owner calls it where it wants to.
 *
 * Cycles and the budget
 *
 * `cycles` counts bus cycles since m6502_init. m6502_run stops between two instructions. There are
 * two cores, made from one source (m6502-ops.h, m6502-modes.h) and one table per
 * processor (m6502-nmos.def, m6502-cmos.def):
 *
 *	fast   looks at the budget where control is transferred (taken branches, jumps, calls,
 *	       returns, and once around the address space), so it may overshoot `limit` by a stretch
 *	       of straight-line code. Dummy bus cycles are counted, not made.
 *	exact  looks at the budget before each instruction, makes every bus cycle, polls interrupts
 *	       as the chip does, and tells an observer of instructions and bus cycles.
 *
 * A third core, made like the fast one, reports calls and returns (m6502_observer).
 *
 * m6502_run uses the fast core while no interrupt is foreseen and there is no observer. Both cores
 * give the same registers, memory and cycles: a lockstep test compares them.
 *
 * Interrupts are times, not levels. A device that pulls IRQ, or foresees that it will, writes the
 * number of the first bus cycle in which the line is low to irq_at (with m6502_irq), and
 * M6502_NEVER when it lets go; nmi_at is likewise the cycle of NMI's edge, and is cleared by taking
 * it. So the polling in the last cycle but one, the delay of CLI, SEI and PLP, and an NMI
 * that takes over the vector of a BRK or IRQ under way all follow from comparisons of numbers.
 *
 * Flags are lazy: P is made only when asked for (m6502_p, m6502_set_p).
 *
 *	N = (nz & 0x180) != 0,  Z = (nz & 0xff) == 0,  C = c (0 or 1),  V = (v & 0x80) != 0,
 *	D and I are in di
 *
 * A handler that stands for LDA sets m->a and m->nz to the value.
 */
#ifndef VM_6502_M6502_H
#define VM_6502_M6502_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum m6502_cpu {
	M6502_NMOS, /* MOS 6502, undocumented opcodes included */
	M6502_CMOS, /* WDC 65C02 */
};

enum m6502_flag {
	M6502_C = 0x01,
	M6502_Z = 0x02,
	M6502_I = 0x04,
	M6502_D = 0x08,
	M6502_B = 0x10, /* exists on the stack only */
	M6502_U = 0x20, /* always reads 1 */
	M6502_V = 0x40,
	M6502_N = 0x80,
};

enum m6502_why {
	M6502_BUDGET,  /* cycles >= limit */
	M6502_JAM,     /* a JAM opcode (65C02: STP) is at pc; nothing but a reset helps the chip */
	M6502_LOOP,    /* the instruction at pc jumps to itself: only while stop_on_loop is set */
	M6502_STOPPED, /* m6502_stop() was called */
};

enum m6502_pending { M6502_NONE, M6502_IRQ, M6502_NMI };

#define M6502_NEVER         UINT64_MAX
#define M6502_SENTINEL      0x92
#define M6502_RESERVED(cpu) ((cpu) == M6502_NMOS ? 0x92 : 0xdb)

/*
 * Each store to mem[] is made to op[] too. The two arrays must not be a multiple of 4096 bytes
 * apart, or nearly: the host's processor would confuse the store to one with a later load from the
 * other.
 */
#define M6502_APART 0x840

/* For functions called once per instruction or NEXT: a hook call would cost more than they do. */
#define M6502_HOT __attribute__((no_instrument_function))

struct m6502;

struct m6502_hook {
	bool (*run)(struct m6502 *m, struct m6502_hook *hook);
	uint8_t (*read)(struct m6502 *m, struct m6502_hook *hook, uint16_t at);
	void (*write)(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value);
};

/* The opcodes that transfer control and move S. */
enum {
	M6502_BRK = 0x00,
	M6502_JSR = 0x20,
	M6502_RTI = 0x40,
	M6502_RTS = 0x60,
	M6502_NO_OPCODE = -1
};

/* An observer, whose functions the exact core calls. Each function may be NULL. */
struct m6502_observer {
	/* Before the instruction at m->pc, with vector 0; before an interrupt is taken, with the
	 * address of its vector. */
	void (*instruction)(struct m6502 *m, struct m6502_observer *o, uint16_t vector);
	/* Bus cycle number m->cycles, dummy cycles included. */
	void (*cycle)(struct m6502 *m, struct m6502_observer *o, uint16_t at, uint8_t value,
		      bool write);

	/*
	 * For observers that need only subroutines. While no interrupt is foreseen, a fast core
	 * runs and reports only transfers, before the instruction that a transfer leads to; pc, S
	 * and cycles are in the struct, and no other register. `opcode` is one of the enum above;
	 * M6502_NO_OPCODE: something else moved S above `bound`, or the fast core begins. While an
	 * interrupt is foreseen, the exact core reports each instruction, and `instruction` must
	 * keep `last` up to date.
	 */
	void (*transfer)(struct m6502 *m, struct m6502_observer *o, int opcode);
	uint32_t bound; /* of S */
	int last;       /* the opcode that ran last and is not reported yet */
};

struct m6502 {
	uint32_t pc; /* 0 to 0xffff, except inside the core */
	uint8_t a, x, y, s;
	uint32_t nz; /* the lazy flags: see above */
	uint8_t c, v, di;
	uint8_t waiting; /* 65C02: in WAI */
	uint8_t pending; /* the interrupt polled and not yet taken: enum m6502_pending */

	uint64_t cycles;
	uint64_t limit; /* of the run under way; m6502_stop() makes it 0 */
	uint64_t irq_at, nmi_at;

	enum m6502_cpu cpu;
	enum m6502_why why;
	bool stop_on_loop;
	bool stop_asked;

	struct m6502_observer *observer; /* NULL: none. Not ours to free. */
	void *owner;                     /* for the struct that embeds the processor */

	/* Counts hooks set and removed, and bytes that the host stored under one. */
	uint32_t hook_changes;

	const void *go[256]; /* fast core: opcode -> label; filled at the first run */
	uint8_t mem[0x10000 + M6502_APART];
	uint8_t op[0x10000 + 2]; /* op[0x10000] is always reserved: running off the end goes through
				    the slow path */
	struct m6502_hook *hook[0x10000];
	const void *go_told[256]; /* as go, of the core that reports transfers */
};

/* Registers 0, S 0xfd, I set, memory 0, no hooks. */
void m6502_init(struct m6502 *m, enum m6502_cpu cpu);

/*
 * Resets as the RESET line does: 7 cycles, S -= 3, I set, pc from 0xfffc; the 65C02 clears D too.
 */
void m6502_reset(struct m6502 *m);

/* Runs until `cycles` reaches `until` or something stops the run. At return, registers and memory
 * are in the struct. */
enum m6502_why m6502_run(struct m6502 *m, uint64_t until);

/* Runs one instruction, or enters one interrupt, on the exact core. */
enum m6502_why m6502_step(struct m6502 *m);

/* Called by a hook or observer: ends the run before the next instruction. If a `read` hook calls
 * it, the fast core ends at the next transfer of control. */
void m6502_stop(struct m6502 *m);

/* Called by a device: IRQ is, or will be, low from bus cycle `at` on; M6502_NEVER: it is high. NMI
 * likewise. A device must not set irq_at and nmi_at itself, since the fast core would not
 * notice. */
void m6502_irq(struct m6502 *m, uint64_t at);
void m6502_nmi(struct m6502 *m, uint64_t at);

/* Sets the hook of an address, or removes it (NULL). Returns the hook that was there, or NULL. A
 * hook with `read` below 0x0200 is refused, since it would never be called: then that same hook is
 * returned.
 */
struct m6502_hook *m6502_set_hook(struct m6502 *m, uint16_t at, struct m6502_hook *hook);

/* Returns, and sets, the processor status register. B is never set in it, U always is. */
uint8_t m6502_p(const struct m6502 *m);
void m6502_set_p(struct m6502 *m, uint8_t p);

/* The guest's memory from the host's side: no bus cycle, no hook called. A byte behind a `read`
 * hook is M6502_SENTINEL and can't be written. Addresses wrap. The two bytes of a word are loaded
 * one by one: a load of 16 bits would have to wait for a store of 8 bits that is still under
 * way. */
static inline M6502_HOT uint8_t m6502_peek(const struct m6502 *m, uint16_t at)
{
	return m->mem[at];
}

static inline M6502_HOT uint16_t m6502_peek16(const struct m6502 *m, uint16_t at)
{
	return *(const volatile uint8_t *)&m->mem[at] | m->mem[(uint16_t)(at + 1)] << 8;
}

static inline M6502_HOT void m6502_poke(struct m6502 *m, uint16_t at, uint8_t value)
{
	if (__builtin_expect(!m->hook[at], 1))
		m->mem[at] = m->op[at] = value;
	else if (m->hook_changes++, !m->hook[at]->read)
		m->mem[at] = value;
}

/* Copies `size` bytes to `at`; false, and nothing copied, when they don't fit below 0x10000. */
bool m6502_load(struct m6502 *m, uint16_t at, const void *bytes, size_t size);

/* Whether the invariants of mem[], op[] and hook[] at the head of this file hold; for tests. */
bool m6502_sound(const struct m6502 *m);

#endif

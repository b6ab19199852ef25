/* SPDX-License-Identifier: MIT */
/*
 * forth-next-loop: the loop of forth-next.h. Included by forth-next.c, five times, with
 *
 *	LOOP      the name of the function
 *	WATCHED   what is watched:
 *		  WATCH_NOT    nothing
 *		  WATCH_CALLS  a watch wants calls, or to know when S has risen
 *		  WATCH_TREE   words are entered and left here (forth-words.h), and the watch is
 *			       called in cases that the tree can't handle
 *		  WATCH_ASKED  as WATCH_TREE, and zprof asks for the open words
 *		  WATCH_CELLS  cells are counted (forth-sums.h)
 *
 * so that no loop has an instruction for what is not watched.
 *
 * One number holds both what is left of the budget and how many NEXTs there were:
 *
 *	budget = cycles left << 20 | NEXTs
 *
 * and is negative when nothing is left. The loop is given FORTH_NEXT_MARGIN cycles less than there
 * are, so that one more primitive and one more NEXT always fit.
 *
 * The handlers of forth-native.def are written with these names:
 *
 *	ip w x s code         the machine's, except that s is 0 to 255 here; code: of this word
 *	t u v                 scratch
 *	T(i) SET_T(i, value)  cells of the data stack
 *	R(i) SET_R(i, value)  of the return stack
 *	PUSH R_PUSH           onto them
 *	READ(at) WRITE(at, value)             cells of memory that NEED_DATA or NEED_STORE passed
 *	POKE(at, byte) POKE2(at, cell)        zero page and stack
 *	COST(n)               cycles
 *	OVER(at, i)           1: at and at + i are in different pages
 *	NEXT                  the end; NEXT_RISEN after S may have risen
 *	GO(a, y, nz)          the end, too: to the word at W
 *	CALLED(at)            a word is entered, by the code at this address
 */

#define IN_TREE (WATCHED == WATCH_TREE || WATCHED == WATCH_ASKED)
#define CELLS   (WATCHED == WATCH_CELLS)
#define IN_TIME (IN_TREE || CELLS) /* the time of forth-words.h is kept */

#define LOAD16(at)                                                                                 \
	({                                                                                         \
		uint16_t load_;                                                                    \
		memcpy(&load_, m->mem + (at), 2);                                                  \
		(size_t) load_;                                                                    \
	})
#define POKE(at, value)                                                                            \
	({                                                                                         \
		size_t poke_at_ = (at);                                                            \
		m->op[poke_at_] = m->mem[poke_at_] = (value);                                      \
	})
#define POKE2(at, value)                                                                           \
	({                                                                                         \
		size_t poke_at_ = (at);                                                            \
		uint16_t poke_ = (value);                                                          \
		memcpy(m->mem + poke_at_, &poke_, 2);                                              \
		memcpy(m->op + poke_at_, &poke_, 2);                                               \
	})

#define READ(at)        LOAD16(at)
#define WRITE(at, cell) POKE2(at, cell)
#define T(i)            LOAD16(x + 2 * (i))
#define SET_T(i, cell)  POKE2(x + 2 * (i), cell)
#define PUSH(cell)                                                                                 \
	do {                                                                                       \
		uint16_t push_ = (cell);                                                           \
		x -= 2;                                                                            \
		POKE2(x, push_);                                                                   \
	} while (0)
#define R(i)           LOAD16(0x101 + s + 2 * (i))
#define SET_R(i, cell) POKE2(0x101 + s + 2 * (i), cell)
#define R_PUSH(cell)                                                                               \
	do {                                                                                       \
		s -= 2;                                                                            \
		POKE2(0x101 + s, cell);                                                            \
	} while (0)

#define GO_TO(at)   LOAD16((at) + 1) /* of a JMP */
#define OVER(at, i) ((((at)&0xff) + (i)) >> 8)
#define CROSS(i)    (cross[i])

#define COST(cycles) (budget -= (int64_t)(cycles) * ((int64_t)1 << COUNT_BITS))
#define LEFT()       (budget >> COUNT_BITS)
#define TAKE_NEXTS() (nexts = budget & (((int64_t)1 << COUNT_BITS) - 1), budget -= nexts, nexts)

#define UNLESS(good)                                                                               \
	if (UNLIKELY(!(good)))                                                                     \
	goto plain

/* How many cells must be on the data stack, and how many must have room. */
#define NEED(cells, room)   UNLESS(x - 2 * (room) <= (size_t)(FORTH_NEXT - 2 * (cells)-2 * (room)))
#define NEED_R(cells, room) UNLESS(s - 2 * (room) <= (size_t)(0xff - 2 * (cells)-2 * (room)))

/* X is where BRANCH and DOCOL accept it. */
#define NEED_SOUND(at) UNLESS((at)-FORTH_STACK_LOW <= (size_t)(FORTH_SP0 - FORTH_STACK_LOW))

/* An address, with bytes behind it, that is neither in zero page nor a device's. */
#define NEED_DATA(at, bytes) UNLESS((uint16_t)((at)-0x100) <= FORTH_PAGE - 0x100 - (bytes))
#define NEED_STORE(at, bytes)                                                                      \
	do {                                                                                       \
		NEED_DATA(at, bytes);                                                              \
		for (size_t i_ = 0; i_ < (bytes); i_++)                                            \
			UNLESS(m->op[(at) + i_] != M6502_RESERVED(M6502_NMOS));                    \
	} while (0)
#define NEED_OPERAND NEED_DATA(ip, 2)

/* A code field: even, and where NEED_DATA would have it. (An odd one could be in two pages, where
 * JMP (W) goes wrong.) */
#define GOOD_W(at)                                                                                 \
	((uint16_t)((uint16_t)((at) >> 1 | (at) << 15) - 0x80) < (FORTH_PAGE - 0x100) / 2)
#define NEED_W(at) UNLESS(GOOD_W(at))

#define DISPATCH                                                                                   \
	do {                                                                                       \
		if (UNLIKELY(budget < 0 || !GOOD_W(w)))                                            \
			goto leave_before;                                                         \
		code = LOAD16(w);                                                                  \
		goto *handler[n->kind[code]];                                                      \
	} while (0)

/* From here on, time goes to the sum of the cell at IP. */
#define BEGIN_CELL                                                                                 \
	do {                                                                                       \
		if (CELLS) {                                                                       \
			*cell -= budget;                                                           \
			cell = &n->watch->words->sums->sum[ip];                                    \
			*cell += budget;                                                           \
		}                                                                                  \
	} while (0)

#define NEXT                                                                                       \
	do {                                                                                       \
		BEGIN_CELL;                                                                        \
		if (UNLIKELY(map[ip]))                                                             \
			goto special;                                                              \
		w = LOAD16(ip);                                                                    \
		ip += 2;                                                                           \
		budget -= ((int64_t)34 << COUNT_BITS) - 1;                                         \
		DISPATCH;                                                                          \
	} while (0)

/* To be used before a word is entered or left: if zprof asks, tells the words open until now. */
#define ANSWER(at)                                                                                 \
	do {                                                                                       \
		if (WATCHED == WATCH_ASKED && UNLIKELY(zprof_lent_asks(&n->asking))) {             \
			size_t at_ = (at);                                                         \
			SAVE();                                                                    \
			m->pc = at_;                                                               \
			n->watch->place(m, n->watch);                                              \
			RELOAD();                                                                  \
		}                                                                                  \
	} while (0)

#define NEXT_RISEN                                                                                 \
	do {                                                                                       \
		ANSWER(FORTH_NEXT);                                                                \
		if (IN_TREE &&                                                                     \
		    UNLIKELY(!forth_words_return(&n->now, n->offset - budget, s, ip)) &&           \
		    (int)s > n->now->rise)                                                         \
			goto risen;                                                                \
		if (WATCHED == WATCH_CALLS && UNLIKELY((int)s > n->rise))                          \
			goto risen;                                                                \
		NEXT;                                                                              \
	} while (0)

/* Goes to the word at W, as JMP NEXT_GO does. A word that isn't native gets these registers. */
#define GO(a_, y_, nz_)                                                                            \
	do {                                                                                       \
		gone.a = (a_), gone.y = (y_), gone.nz = (nz_), gone.v = flag_v(ip);                \
		gone_at = LEFT();                                                                  \
		code = LOAD16(w);                                                                  \
		if (budget < 0 || !may_go(n, code, gone.y))                                        \
			goto plain;                                                                \
		goto *handler[n->kind[code]];                                                      \
	} while (0)

#define CALLED(at)                                                                                 \
	do {                                                                                       \
		struct forth_words_node *callee_ =                                                 \
		    IN_TREE ? forth_words_callee(n->now, w, ip) : NULL;                            \
		if (callee_) {                                                                     \
			ANSWER(at);                                                                \
			forth_words_call(&n->now, callee_, n->offset - budget, s, ip);             \
			break;                                                                     \
		}                                                                                  \
		if (IN_TREE && forth_words_recall(n->now, w, ip))                                  \
			continue;                                                                  \
		if (WATCHED && !CELLS && n->watch && n->watch->calls) {                            \
			size_t at_ = (at);                                                         \
			SAVE();                                                                    \
			m->pc = at_;                                                               \
			n->watch->call(m, n->watch, w);                                            \
			RELOAD();                                                                  \
		}                                                                                  \
		break;                                                                             \
	} while (true)

#define OPEN_TREE()                                                                                \
	do {                                                                                       \
		struct forth_words *words_ = n->watch->words;                                      \
		forth_words_settle(words_, m->cycles, n->watch->nexts, n->watch->over);            \
		n->now = words_->now;                                                              \
		n->offset = words_->time + budget;                                                 \
		if (CELLS) {                                                                       \
			cell = words_->sums->now;                                                  \
			*cell += words_->time - words_->sums->since + budget;                      \
		}                                                                                  \
	} while (0)

#define SAVE()                                                                                     \
	do {                                                                                       \
		POKE2(FORTH_IP, ip);                                                               \
		POKE2(FORTH_W, w);                                                                 \
		m->x = x, m->s = s;                                                                \
		m->cycles = n->horizon - LEFT();                                                   \
		if (IN_TIME) {                                                                     \
			n->watch->words->time = n->offset - budget;                                \
			n->watch->rise = n->now->rise;                                             \
		}                                                                                  \
		if (CELLS) {                                                                       \
			n->watch->words->sums->now = cell;                                         \
			n->watch->words->sums->since = n->offset - budget;                         \
			*cell -= budget;                                                           \
		}                                                                                  \
		if (n->watch)                                                                      \
			n->watch->nexts += TAKE_NEXTS();                                           \
		if (IN_TIME) {                                                                     \
			struct forth_words *words_ = n->watch->words;                              \
			words_->now = n->now;                                                      \
			words_->cycles = m->cycles;                                                \
			words_->nexts = n->watch->nexts;                                           \
			words_->over = n->watch->over;                                             \
		}                                                                                  \
	} while (0)

/* To be used after a call of the watch. If the call changed a value that the loop holds in
 * variables, or that decides whether the loop may run, the loop ends after the next NEXT. */
#define RELOAD()                                                                                   \
	do {                                                                                       \
		if (UNLIKELY(m->limit != n->limit || n->changes != m->hook_changes ||              \
			     watching(n->watch) != WATCHED)) {                                     \
			budget = -((int64_t)1 << COUNT_BITS);                                      \
			n->horizon = m->cycles - 1;                                                \
		}                                                                                  \
		map = n->watch ? n->watch->ask : n->map;                                           \
		n->rise = n->watch ? n->watch->rise : 0xff;                                        \
		if (IN_TIME)                                                                       \
			OPEN_TREE();                                                               \
	} while (0)

M6502_HOT static void LOOP(struct forth_next *n, struct m6502 *m, uint64_t horizon, bool at_go)
{
	static const void *const handler[] = {
	    &&look,
	    &&plain,
#define NATIVE(name, ...) &&do_##name,
#define INLINE_OPERANDS
#include "vm-6502/native/forth-native.def"
#undef NATIVE
#undef INLINE_OPERANDS
	};
	const uint8_t *map = n->watch ? n->watch->ask : n->map;
	size_t ip = m6502_peek16(m, FORTH_IP), w = m6502_peek16(m, FORTH_W);
	size_t x = m->x, s = m->s, code, t, u, v;
	int64_t budget = (int64_t)(horizon - m->cycles) * ((int64_t)1 << COUNT_BITS), nexts;
	int64_t gone_at = INT64_MAX; /* LEFT() at the last GO */
	uint64_t *cell = NULL; /* the sum of the running cell, plus the budget when it began */
	struct registers gone;

	n->horizon = horizon;
	n->limit = m->limit;
	n->rise = n->watch ? n->watch->rise : 0xff;
	if (IN_TIME)
		OPEN_TREE();
	if (at_go) {
		gone = (struct registers){m->a, m->y, m->v, m->nz};
		gone_at = LEFT();
		code = LOAD16(w);
		goto *handler[n->kind[code]];
	}
	NEXT_RISEN;

#define INLINE_OPERANDS
#define NATIVE(name, text, ...)                                                                    \
	do_##name:                                                                                 \
	{                                                                                          \
		const size_t *const cross = n->cross[KIND_##name];                                 \
		(void)cross;                                                                       \
		__VA_ARGS__                                                                        \
	}
#include "vm-6502/native/forth-native.def"
#undef NATIVE
#undef INLINE_OPERANDS

	/* IP crosses a page, the watcher asks, or only the processor may read what NEXT reads. */
special:
	if (map[ip] & MAP_FAR)
		goto leave_at_next;
	budget++;
	if (map[ip] & FORTH_ASK)
		goto ask;
	goto step;

risen:
	if (map[ip] & MAP_FAR)
		goto leave_at_next;
	budget++;
ask:
	SAVE();
	m->pc = FORTH_NEXT;
	n->watch->next(m, n->watch, ip);
	RELOAD();
step:
	w = LOAD16(ip);
	t = next_over(ip);
	if (n->watch)
		n->watch->over += t;
	if (IN_TIME)
		n->now->over += t;
	COST(34 + t);
	ip = (ip + 2) & 0xffff;
	DISPATCH;

	/* Code that has not been looked at yet. */
look:
	if (WATCHED == WATCH_ASKED) {
		SAVE();
		n->watch->place(m, n->watch);
		RELOAD();
	}
	forth_next_find(n, code);
	goto *handler[n->kind[code]];

	/* The processor takes over: at NEXT, where A, Y and flags don't matter; … */
leave_at_next:
	SAVE();
	m->pc = FORTH_NEXT;
	return;

	/* … at the JMP (W) that ends NEXT; … */
leave_before:
	if (GOOD_W(w)) {
		code = LOAD16(w);
		goto plain;
	}
	COST(-5);
	code = FORTH_NEXT_GO;

	/* … or in front of a primitive. */
plain:
	if (LEFT() == gone_at)
		set_registers(m, &gone);
	else
		set_registers(m, &(struct registers){ip & 0xff, 1, flag_v(ip), flag_nz(ip)});
	SAVE();
	m->pc = code;
}

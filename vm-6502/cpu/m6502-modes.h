/* SPDX-License-Identifier: MIT */
/*
 * m6502-modes: how each addressing mode and each kind of access goes over the bus, one bus cycle
 * after the other, in the chip's order. INS, at the end, makes a handler of a line of the tables.
 * It uses a few bus operations, which each of the two cores (m6502-fast-core.h, m6502-exact-core.h)
 * defines in its own way:
 *
 *	HANDLER(opcode)      the label of a handler; COUNT(n) takes its cycles from the table
 *	FETCH()              the byte at pc, and pc steps on
 *	RD(at, left)         a read that devices may answer; `left` cycles of the instruction follow
 *	RD0(at)              a read of zero page or stack
 *	WR(at, value)        a store, the last thing in its instruction
 *	WR0(at, value)       a store that more follows
 *	WR_BACK(at, old)     the store of the unchanged value in a MODIFY
 *	DUMMY(at)            a read whose value is not used; the fast core only counts it
 *	CROSSED(if, at)      the same when `if` holds; the cycle is not in the table's count
 *	NEXT, JUMP           the end of the instruction; the same after a transfer of control
 *	BRANCHED             after a taken branch in the same page
 *	TRANSFERRED(opcode)  JUMP after JSR, BRK, RTS or RTI
 *	S_MOVED()            S may be higher than it was, by something else
 *	I_AT_ONCE()          the I flag just set counts when this instruction polls interrupts
 *
 * CMOS is 1 for the 65C02. When indexing crosses a page, it reads the instruction's last byte
 * again, while the NMOS chip reads at the address that isn't right yet. Its extra cycle in decimal
 * mode (ONE_MORE) reads the operand again.
 */

/* ---- effective address; `pays` is the table's crossing column */

#define EA_ZPG(pays) (ea = FETCH())
#define EA_ZPX(pays) (ea = FETCH(), DUMMY(ea), ea = (ea + x) & 0xff)
#define EA_ZPY(pays) (ea = FETCH(), DUMMY(ea), ea = (ea + y) & 0xff)
#define EA_ABS(pays) (ea = FETCH(), ea |= FETCH() << 8)
#define EA_ABX(pays) (EA_ABS(0), INDEX(x, pays))
#define EA_ABY(pays) (EA_ABS(0), INDEX(y, pays))
#define EA_IZP(pays) (u = FETCH(), ea = RD0(u), ea |= RD0((u + 1) & 0xff) << 8)
#define EA_IZX(pays)                                                                               \
	(u = FETCH(), DUMMY(u), u = (u + x) & 0xff, ea = RD0(u), ea |= RD0((u + 1) & 0xff) << 8)
#define EA_IZY(pays) (EA_IZP(0), INDEX(y, pays))

/* ea += r, with the dummy read at the address whose high byte is not yet right. */
#define INDEX(r, pays)                                                                             \
	(u = (ea & 0xff) + r, base = ea, ea = (ea + r) & 0xffff,                                   \
	 (pays) ? CROSSED(u >> 8, UNFIXED) : DUMMY(UNFIXED))
#define UNFIXED (CMOS ? pc - 1 : (base & 0xff00) | (u & 0xff))

/* ---- reading the operand: zero page has no devices */

#define LOAD_ZPG(left) RD0(ea)
#define LOAD_ZPX(left) RD0(ea)
#define LOAD_ZPY(left) RD0(ea)
#define LOAD_ABS(left) RD(ea, left)
#define LOAD_ABX(left) RD(ea, left)
#define LOAD_ABY(left) RD(ea, left)
#define LOAD_IZP(left) RD(ea, left)
#define LOAD_IZX(left) RD(ea, left)
#define LOAD_IZY(left) RD(ea, left)

#define EA_IMM(pays)   (ea = pc)
#define LOAD_IMM(left) FETCH()

/* ---- kinds of access */

#define DO_READ(name, mode, pays)                                                                  \
	EA_##mode(pays);                                                                           \
	v = LOAD_##mode(0);                                                                        \
	OP_##name;                                                                                 \
	NEXT;

#define DO_WRITE(name, mode, pays)                                                                 \
	EA_##mode(pays);                                                                           \
	WR(ea, OP_##name);                                                                         \
	NEXT;

#define DO_MODIFY(name, mode, pays)                                                                \
	EA_##mode(pays);                                                                           \
	v = LOAD_##mode(2);                                                                        \
	WR_BACK(ea, v);                                                                            \
	OP_##name;                                                                                 \
	WR(ea, v);                                                                                 \
	NEXT;

#define DO_ACCU(name, mode, pays)                                                                  \
	DUMMY(pc);                                                                                 \
	v = a;                                                                                     \
	OP_##name;                                                                                 \
	a = v;                                                                                     \
	NEXT;

#define DO_REGISTER(name, mode, pays)                                                              \
	DUMMY(pc);                                                                                 \
	OP_##name;                                                                                 \
	NEXT;

/* SHA, SHX, SHY, TAS: where indexing crosses a page, the value is also the address's high byte. */
#define DO_UNSTABLE(name, mode, pays)                                                              \
	EA_##mode(0);                                                                              \
	v = OP_##name & ((base >> 8) + 1);                                                         \
	if (u >> 8)                                                                                \
		ea = v << 8 | (ea & 0xff);                                                         \
	WR(ea, v);                                                                                 \
	NEXT;

#define DO_BRANCH(name, mode, pays)                                                                \
	v = FETCH();                                                                               \
	if (!(OP_##name))                                                                          \
		NEXT;                                                                              \
	TAKE_BRANCH(2);

/* From the instruction of `length` bytes at pc - length, v bytes on: one cycle, two into another
 * page. */
#define TAKE_BRANCH(length)                                                                        \
	if (UNLIKELY(v == 0x100 - (length)))                                                       \
		SELF_JUMP(length);                                                                 \
	base = pc;                                                                                 \
	CROSSED(1, pc);                                                                            \
	pc = (pc + (size_t)(int8_t)v) & 0xffff;                                                    \
	if (UNLIKELY((base ^ pc) & 0xff00)) {                                                      \
		CROSSED(1, CMOS ? base : (base & 0xff00) | (pc & 0xff));                           \
		JUMP;                                                                              \
	}                                                                                          \
	BRANCHED;

#define DO_BITBRANCH(name, mode, pays)                                                             \
	ea = FETCH();                                                                              \
	v = RD0(ea);                                                                               \
	DUMMY(ea);                                                                                 \
	u = FETCH();                                                                               \
	if (!(OP_##name))                                                                          \
		NEXT;                                                                              \
	v = u;                                                                                     \
	TAKE_BRANCH(3);

#define DO_SHORT(name, mode, pays) NEXT;

#define DO_LONG(name, mode, pays)                                                                  \
	EA_ABS(0);                                                                                 \
	for (t = 0; t < 5; t++)                                                                    \
		DUMMY(0xff00 | (ea & 0xff));                                                       \
	NEXT;

/* ---- FLOW: each a case of its own */

#define DO_FLOW(name, mode, pays) FLOW_##name##_##mode

#define PUSH(value) (WR0(0x100 | s, value), (void)(s = (s - 1) & 0xff))
#define PULL()      (s = (s + 1) & 0xff, RD0(0x100 | s))

#define FLOW_JMP_ABS                                                                               \
	EA_ABS(0);                                                                                 \
	if (ea == ((pc - 3) & 0xffff))                                                             \
		SELF_JUMP(3);                                                                      \
	pc = ea;                                                                                   \
	JUMP;

/* The NMOS chip takes the high byte from the same page. */
#define FLOW_JMP_IND                                                                               \
	EA_ABS(0);                                                                                 \
	if (CMOS)                                                                                  \
		DUMMY(pc - 1);                                                                     \
	pc = RD(ea, 1);                                                                            \
	ea = CMOS ? (ea + 1) & 0xffff : (ea & 0xff00) | ((ea + 1) & 0xff);                         \
	pc |= RD(ea, 0) << 8;                                                                      \
	JUMP;

#define FLOW_JMP_IAX                                                                               \
	EA_ABS(0);                                                                                 \
	DUMMY(pc - 1);                                                                             \
	ea = (ea + x) & 0xffff;                                                                    \
	pc = RD(ea, 1);                                                                            \
	pc |= RD((ea + 1) & 0xffff, 0) << 8;                                                       \
	JUMP;

/* The high byte is fetched after the pushes, which may have changed it. */
#define FLOW_JSR_ABS                                                                               \
	ea = FETCH();                                                                              \
	DUMMY(0x100 | s);                                                                          \
	PUSH(pc >> 8 & 0xff);                                                                      \
	PUSH(pc & 0xff);                                                                           \
	ea |= FETCH() << 8;                                                                        \
	pc = ea;                                                                                   \
	TRANSFERRED(M6502_JSR);

#define FLOW_RTS_IMP                                                                               \
	DUMMY(pc);                                                                                 \
	DUMMY(0x100 | s);                                                                          \
	pc = PULL();                                                                               \
	pc |= PULL() << 8;                                                                         \
	DUMMY(pc);                                                                                 \
	pc = (pc + 1) & 0xffff;                                                                    \
	TRANSFERRED(M6502_RTS);

#define FLOW_RTI_IMP                                                                               \
	DUMMY(pc);                                                                                 \
	DUMMY(0x100 | s);                                                                          \
	v = PULL();                                                                                \
	SET_P(v);                                                                                  \
	I_AT_ONCE();                                                                               \
	pc = PULL();                                                                               \
	pc |= PULL() << 8;                                                                         \
	TRANSFERRED(M6502_RTI);

#define FLOW_BRK_IMP                                                                               \
	v = FETCH();                                                                               \
	ENTER(M6502_B);

/* What BRK, IRQ and NMI have in common: cycles 3 to 7. */
#define ENTER(b)                                                                                   \
	PUSH(pc >> 8 & 0xff);                                                                      \
	PUSH(pc & 0xff);                                                                           \
	PUSH(GET_P() | (b));                                                                       \
	m->di |= M6502_I;                                                                          \
	if (CMOS)                                                                                  \
		m->di &= ~M6502_D;                                                                 \
	ea = VECTOR();                                                                             \
	pc = RD(ea, 1);                                                                            \
	pc |= RD(ea + 1, 0) << 8;                                                                  \
	ENTERED;

#define PUSH_REGISTER(value)                                                                       \
	DUMMY(pc);                                                                                 \
	PUSH(value);                                                                               \
	S_MOVED();                                                                                 \
	NEXT;
#define FLOW_PHA_IMP PUSH_REGISTER(a)
#define FLOW_PHX_IMP PUSH_REGISTER(x)
#define FLOW_PHY_IMP PUSH_REGISTER(y)
#define FLOW_PHP_IMP PUSH_REGISTER(GET_P() | M6502_B)

#define PULL_REGISTER(op)                                                                          \
	DUMMY(pc);                                                                                 \
	DUMMY(0x100 | s);                                                                          \
	v = PULL();                                                                                \
	op;                                                                                        \
	S_MOVED();                                                                                 \
	NEXT;
#define FLOW_PLA_IMP PULL_REGISTER(OP_LDA)
#define FLOW_PLX_IMP PULL_REGISTER(OP_LDX)
#define FLOW_PLY_IMP PULL_REGISTER(OP_LDY)
#define FLOW_PLP_IMP PULL_REGISTER(SET_P(v))

/* 65C02: the immediate form of BIT has nothing to take N and V from. */
#define FLOW_BIT_IMM                                                                               \
	v = FETCH();                                                                               \
	ONLY_Z(a &v);                                                                              \
	NEXT;

#define FLOW_JAM_IMP JAMMED;
#define FLOW_STP_IMP JAMMED;
#define FLOW_WAI_IMP                                                                               \
	DUMMY(pc);                                                                                 \
	DUMMY(pc);                                                                                 \
	m->waiting = 1;                                                                            \
	WAIT;

#define GET_P()                                                                                    \
	((nz & 0x180 ? M6502_N : 0) | (vf & 0x80) >> 1 | M6502_U | m->di |                         \
	 (nz & 0xff ? 0 : M6502_Z) | c)

#define SET_P(p)                                                                                   \
	(c = (p)&M6502_C, vf = (p) << 1, m->di = (p) & (M6502_D | M6502_I),                        \
	 nz = ((p)&M6502_N) << 1 | (~(p)&M6502_Z))

#define INS(opcode, name, mode, access, n, pays)                                                   \
	HANDLER(opcode)                                                                            \
	{                                                                                          \
		enum { BASE_CYCLES = n };                                                          \
		COUNT(n);                                                                          \
		DO_##access(name, mode, pays)                                                      \
	}

/* SPDX-License-Identifier: MIT */
/*
 * instruction.c - see instruction.h. The length of an x86-64 instruction follows from its prefixes,
 * its opcode, and the ModRM byte behind that: Intel's manual, volume 2, appendix A.
 */
#include "symbolize/instruction.h"

#include <string.h>

/* The state of decoding one instruction. */
struct decoding {
	const uint8_t *code;
	size_t room, at;
	bool wide;    /* REX.W: 64-bit operands */
	bool narrow;  /* prefix 66: 16-bit operands */
	bool address; /* prefix 67: 32-bit addresses */
	bool second;  /* REX.B: the base is one of r8 to r15 */
	struct instruction *i;
};

static bool take(struct decoding *d, uint8_t *byte)
{
	if (d->at >= d->room)
		return false;
	*byte = d->code[d->at++];
	return true;
}

static bool immediate(struct decoding *d, unsigned bytes, bool jump)
{
	d->i->immediate_at = (unsigned)d->at;
	d->i->immediate_bytes = bytes;
	d->i->jump = jump;
	d->at += bytes;
	return d->at <= d->room;
}

/* Takes an immediate of the operand's size, 2 or 4 bytes. (Only mov $imm64 has a longer one.) */
static bool operand(struct decoding *d)
{
	return immediate(d, d->narrow && !d->wide ? 2 : 4, false);
}

/* Takes the ModRM byte, with the SIB byte and the displacement that it asks for; *MIDDLE is its
 * middle bits. */
static bool modrm(struct decoding *d, unsigned *middle)
{
	uint8_t m, sib = 0;
	if (!take(d, &m))
		return false;
	unsigned mode = m >> 6, rm = m & 7;
	*middle = m >> 3 & 7;
	d->i->modrm_at = (unsigned)d->at - 1;
	d->i->modrm = m;
	if (mode == 3) {
		d->i->by_rsp = rm == 4 && !d->second;
		return true;
	}
	if (rm == 4 && !take(d, &sib))
		return false;
	d->i->by_rsp = rm == 4 && (sib & 7) == 4 && !d->second;
	d->i->absolute = mode == 0 && rm == 4 && (sib & 7) == 5;
	unsigned bytes = mode == 1 ? 1 : mode == 2 ? 4 : 0;
	if (mode == 0 && (rm == 5 || (rm == 4 && (sib & 7) == 5)))
		bytes = 4;
	d->i->displacement_at = (unsigned)d->at;
	d->i->displacement_bytes = bytes;
	d->i->from_here = mode == 0 && rm == 5;
	d->at += bytes;
	return d->at <= d->room;
}

/*
 * What follows each opcode byte. Each line has the 16 opcodes with one upper half:
 *
 *     .  nothing       m  ModRM         1  a byte             j  a jump's distance, 1 byte
 *     -  not known     b  ModRM, byte   2  2 bytes            J  the same, 4 bytes
 *     f  f6: ModRM; a byte if its       3  3 bytes            i  an operand: 2 or 4 bytes
 *        middle is 0 or 1               a  an address         q  the same, or 8 bytes
 *     g  f7: the same, an operand       z  ModRM, operand    p  8f: pop, ModRM with middle 0
 *     x  c6: ModRM, byte; the middle    y  c7: the same, with an operand, or a jump's distance
 *        is 0, or the byte is f8        r  ModRM that always names registers
 */
static const char one_byte[] = "mmmm1i--mmmm1i--" /* 0f leads to two_bytes */
			       "mmmm1i--mmmm1i--"
			       "mmmm1i--mmmm1i--"
			       "mmmm1i--mmmm1i--"
			       "----------------" /* 40-4f are prefixes, and so are some below */
			       "................"
			       "---m----iz1b...."
			       "jjjjjjjjjjjjjjjj"
			       "bz-bmmmmmmmmmmmp"
			       "..........-....."
			       "aaaa....1i......"
			       "11111111qqqqqqqq"
			       "bb2.--xy3.2..1-."
			       "mmmm---.mmmmmmmm"
			       "jjjj1111JJ-j...."
			       "-.--..fg......mm";

/* The same table for the second byte of opcodes that begin with 0f. */
static const char two_bytes[] = "mmmm-.....-.-m.-"
				"mmmmmmmmmmmmmmmm"
				"rrrr----mmmmmmmm"
				"........--------"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"bbbbmmm.mmmmmmmm"
				"JJJJJJJJJJJJJJJJ"
				"mmmmmmmmmmmmmmmm"
				"...mbm--...mbmmm"
				"mmmmmmmmmmbmmmmm"
				"mmbmbbbm........"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm";

static bool follow(struct decoding *d, char what)
{
	unsigned middle = 0;
	switch (what) {
	case '.':
		return true;
	case 'm':
		return modrm(d, &middle);
	case 'b':
		return modrm(d, &middle) && immediate(d, 1, false);
	case 'z':
		return modrm(d, &middle) && operand(d);
	case 'f':
		return modrm(d, &middle) && (middle > 1 || immediate(d, 1, false));
	case 'g':
		return modrm(d, &middle) && (middle > 1 || operand(d));
	case 'r':
		d->i->modrm_at = (unsigned)d->at;
		return take(d, &d->i->modrm);
	case 'p':
		return modrm(d, &middle) && middle == 0; /* else AMD's XOP */
	case 'x':
		return modrm(d, &middle) && (middle == 0 || d->i->modrm == 0xf8) &&
		       immediate(d, 1, false);
	case 'y':
		if (!modrm(d, &middle))
			return false;
		if (d->i->modrm == 0xf8) /* xbegin */
			return immediate(d, d->narrow && !d->wide ? 2 : 4, true);
		return middle == 0 && operand(d);
	case 'i':
		return operand(d);
	case 'q':
		return d->wide ? immediate(d, 8, false) : operand(d);
	case 'a':
		return immediate(d, d->address ? 4 : 8, false);
	case 'j':
		return immediate(d, 1, true);
	case 'J':
		return immediate(d, 4, true);
	case '1':
	case '2':
	case '3':
		return immediate(d, (unsigned)(what - '0'), false);
	default:
		return false;
	}
}

/* The kind of an instruction by the second byte of an opcode that begins with 0f. */
static enum instruction_kind kind_behind_0f(uint8_t op)
{
	if ((op & 0xf0) == 0x80)
		return INSTRUCTION_JCC;
	if (op == 0x05 || op == 0x34) /* syscall, sysenter */
		return INSTRUCTION_SYSCALL;
	if (op == 0x07 || op == 0x35) /* sysret, sysexit */
		return INSTRUCTION_FAR;
	if (op == 0x0b || op == 0xb9 || op == 0xff) /* ud2, ud1, ud0 */
		return INSTRUCTION_TRAP;
	return INSTRUCTION_OTHER;
}

/* The kind of an instruction whose opcode is one byte. */
static enum instruction_kind kind(uint8_t op, uint8_t modrm_byte)
{
	static const enum instruction_kind of_ff[8] = {
	    [2] = INSTRUCTION_CALL_INDIRECT,
	    [3] = INSTRUCTION_FAR,
	    [4] = INSTRUCTION_JMP_INDIRECT,
	    [5] = INSTRUCTION_FAR,
	};
	if ((op & 0xf0) == 0x70)
		return INSTRUCTION_JCC;
	switch (op) {
	case 0xc2:
	case 0xc3:
		return INSTRUCTION_RET;
	case 0xc7:
		return modrm_byte == 0xf8 ? INSTRUCTION_XBEGIN : INSTRUCTION_OTHER;
	case 0xca:
	case 0xcb:
	case 0xcf:
		return INSTRUCTION_FAR;
	case 0xcc:
		return INSTRUCTION_INT3;
	case 0xcd:
		return INSTRUCTION_SYSCALL;
	case 0xe0:
	case 0xe1:
	case 0xe2:
	case 0xe3:
		return INSTRUCTION_LOOP;
	case 0xe8:
		return INSTRUCTION_CALL;
	case 0xe9:
	case 0xeb:
		return INSTRUCTION_JMP;
	case 0xf4:
		return INSTRUCTION_TRAP;
	case 0xff:
		return of_ff[modrm_byte >> 3 & 7];
	default:
		return INSTRUCTION_OTHER;
	}
}

/*
 * Decodes the rest of an opcode that begins with 0f. Opcodes 0f 38 and 0f 3a have a third byte, and
 * a ModRM byte; 0f 3a has an immediate byte too.
 */
static bool behind_0f(struct decoding *d)
{
	uint8_t op, third;
	if (!take(d, &op))
		return false;
	d->i->opcode = op;
	d->i->kind = kind_behind_0f(op);
	if (op == 0x38 || op == 0x3a)
		return take(d, &third) && follow(d, op == 0x38 ? 'm' : 'b');
	return follow(d, two_bytes[op]);
}

/*
 * Decodes the rest after a VEX or EVEX prefix. MAP says the table: 1 is 0f, 2 is 0f 38, 3 is 0f 3a.
 */
static bool vector(struct decoding *d, unsigned map)
{
	uint8_t op;
	if (!map || !take(d, &op) || (map == 1 && (op & 0xf0) == 0x80))
		return false;
	return follow(d, map == 1 ? two_bytes[op] : map == 3 ? 'b' : 'm');
}

static bool is_prefix(uint8_t byte)
{
	return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x64 ||
	       byte == 0x65 || byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 ||
	       byte == 0xf3;
}

static bool decode(struct decoding *d)
{
	uint8_t op, more[3];
	do {
		if (!take(d, &op))
			return false;
		d->narrow |= op == 0x66;
		d->address |= op == 0x67;
	} while (is_prefix(op));
	if ((op & 0xf0) == 0x40) {
		d->wide = op & 8;
		d->second = op & 1;
		if (!take(d, &op))
			return false;
	}
	if (op == 0xc5)
		return take(d, more) && vector(d, 1);
	if (op == 0xc4)
		return take(d, more) && take(d, more + 1) && vector(d, more[0] & 0x1f);
	if (op == 0x62)
		return take(d, more) && take(d, more + 1) && take(d, more + 2) &&
		       vector(d, more[0] & 7);
	if (op == 0x0f)
		return behind_0f(d);
	d->i->opcode = op;
	if (!follow(d, one_byte[op]))
		return false;
	d->i->kind = kind(op, d->i->modrm);
	return true;
}

bool instruction_decode(const uint8_t *code, size_t room, struct instruction *i)
{
	struct decoding d = {.code = code, .room = room < 15 ? room : 15, .i = i};
	memset(i, 0, sizeof(*i));
	if (!decode(&d))
		return false;
	i->length = (unsigned)d.at;
	i->narrow_address = d.address;
	return true;
}

/* A little-endian number of BYTES bytes, sign-extended. */
int64_t instruction_number(const uint8_t *at, unsigned bytes)
{
	uint64_t n = 0;
	for (unsigned i = 0; i < bytes; i++)
		n |= (uint64_t)at[i] << 8 * i;
	unsigned unused = 64 - 8 * bytes;
	return bytes ? (int64_t)(n << unused) >> unused : 0;
}

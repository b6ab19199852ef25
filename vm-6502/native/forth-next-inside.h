/* SPDX-License-Identifier: MIT */
/*
 * forth-next-inside: the state of forth-next.h, for the files that it is made of: forth-next.c has
 * the loop and the events, forth-next-code.c checks the guest's code, and sets hooks that see when
 * it changes.
 */
#ifndef VM_6502_FORTH_NEXT_INSIDE_H
#define VM_6502_FORTH_NEXT_INSIDE_H

#include "preload/zprof.h"
#include "vm-6502/native/forth-next.h"
#include "vm-6502/native/forth-pattern.h"

enum kind {
	KIND_LOOK,  /* not looked at yet */
	KIND_PLAIN, /* nothing native */
#define NATIVE(name, ...) KIND_##name,
#define INLINE_OPERANDS   KIND_INLINE, KIND_BEFORE_INLINE = KIND_INLINE - 1,
#include "vm-6502/native/forth-native.def"
#undef NATIVE
#undef INLINE_OPERANDS
	KINDS,
};

/* The loop's bits of a map. */
enum {
	MAP_CROSS = 0x40, /* IP, or IP + 2, is in another page than IP + 1 */
	MAP_FAR = 0x80,   /* the token is in zero page, or read from a device */
};

enum { COUNT_BITS = 20, MOST_CYCLES = 1 << 24, MOST_HOOKED = 8192 };

enum { OWN_BYTE, OWN_GO, OWN_NEXT, OWN_DOCOL, OWN_DODOES, OWNS };

struct own {
	struct m6502_hook hook;
	struct m6502_hook *under; /* the hook that was there before; NULL: none */
	struct forth_next *next;
};

struct forth_next {
	struct m6502 *m;
	struct forth_image image;
	bool known;       /* the image is one of ours */
	bool native;      /* `known`, and not `pure` */
	bool clear;       /* no hook of others keeps the loop from running */
	bool armed;       /* NEXT's bytes are as they should be, and have hooks */
	bool entries;     /* DOCOL and DODOES have hooks */
	uint32_t changes; /* m->hook_changes when hooks were last looked at */
	struct forth_watch *watch;
	/*
	 * For the loop while it runs; values that every primitive needs are in registers instead.
	 */
	uint64_t horizon, limit;
	int rise;
	struct forth_words_node *now;
	uint64_t offset;            /* of the tree's time against the budget */
	struct zprof_asking asking; /* zprof.h; for a watch that has place() */
	/* The cycles at which next() and call() were last called. If one of them stops the run, the
	 * next run begins there again, and must not call it twice. */
	uint64_t next_told, call_told;

	struct own own[OWNS];
	uint16_t hooked[MOST_HOOKED]; /* addresses with OWN_BYTE */
	int hooks;
	size_t cross[KINDS][PATTERN_BRANCHES];
	uint8_t kind[0x10000];
	uint8_t map[0x10000];
	struct forth_pattern pattern[KINDS];
};

static inline M6502_HOT bool forth_next_is_own(const struct forth_next *n,
					       const struct m6502_hook *hook)
{
	return (const char *)hook >= (const char *)n->own &&
	       (const char *)hook < (const char *)(n->own + OWNS);
}

/* Sets one of our hooks with a fixed address, on top of the hook there; removes such a hook. */
void forth_next_set_entry(struct forth_next *n, uint16_t at, int own);
void forth_next_remove_entry(struct forth_next *n, uint16_t at, int own);

/* Forgets which code is native, and removes our hooks from its bytes. If another hook lies on top
 * of ours, both stay. */
void forth_next_forget(struct forth_next *n);

/* Called when the guest writes a byte of NEXT or of a native primitive. */
void forth_next_on_write(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value);

/* Called when others have set or removed hooks: finds out anew whether the loop may run. */
void forth_next_look_around(struct forth_next *n);

/* Whether NEXT's bytes are as they should be, and have hooks now. */
bool forth_next_arm(struct forth_next *n);

/* Finds out which primitive the code at an address is. */
void forth_next_find(struct forth_next *n, uint16_t code);

#endif

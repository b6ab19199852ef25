/* SPDX-License-Identifier: MIT */
/*
 * From an address in a module to the name of a function, its file and line, and the calls inlined
 * there. This header is the whole contract of the folder; it knows nothing of profiles.
 *
 *	struct symbolizer *s = symbolize_new();
 *	struct symbolize_module *m =
 *	    symbolize_add(s, "/usr/bin/prog", id, id_bytes, SYMBOLIZE_FILE);
 *	struct symbolize_result r;
 *	symbolize_lookup(m, address - load_bias, &r);
 *	printf("%s %s:%u\n", r.name, r.file ? r.file : "?", r.line);
 *	if (symbolize_notice(m))
 *		fprintf(stderr, "zprof: %s\n", symbolize_notice(m));
 *	symbolize_free(s);
 *
 * - An address is always the file's own virtual address: the run-time address less the load bias
 *   (for a program that is not position-independent the bias is 0).
 * - A lookup never fails. It degrades, at worst to `module+0x1f`, and says so in `quality`.
 * - Files are opened at the first question about a module, and only what a question touches is
 *   read: memory grows with the addresses asked for, not with the debug information.
 * - Every string handed out belongs to the symbolizer and lives, unchanged, until symbolize_free().
 *   The frames array belongs to it too, but lives only until the next lookup.
 * - Nothing is printed, the process is never ended. When memory runs out a name gets plainer; only
 *   libdw's own allocations cannot fail without ending the process.
 * - A symbolizer and its modules are for one thread at a time.
 */
#ifndef SYMBOLIZE_SYMBOLIZE_H
#define SYMBOLIZE_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbolizer;
struct symbolize_module;

/* What a module's path names. */
enum symbolize_kind {
	SYMBOLIZE_FILE, /* an ordinary file */
	SYMBOLIZE_VDSO, /* the kernel's image; the running kernel's is used when build-ids match */
};

/* Where a name comes from, best first. */
enum symbolize_quality {
	SYMBOLIZE_DWARF,  /* debug information: lines and inlined calls too, where it has them */
	SYMBOLIZE_SYMTAB, /* .symtab, of the file, its debug file or its .gnu_debugdata */
	SYMBOLIZE_DYNSYM, /* .dynsym: static functions are not in it */
	SYMBOLIZE_PLT,    /* a stub of the procedure linkage table: `name@plt` */
	SYMBOLIZE_VDSO_SYMBOL, /* a symbol of the vDSO */
	SYMBOLIZE_NONE,        /* `module+0x1f` */
};

/* One function that is, or was inlined, at an address. */
struct symbolize_frame {
	const char *name;      /* demangled, never NULL */
	const char *linkage;   /* as the linker sees it, never NULL */
	const char *file;      /* where the function is declared; NULL when unknown */
	unsigned line;         /* 0 when unknown */
	const char *call_file; /* where the frame before this one calls it; NULL in frames[0] */
	unsigned call_line, call_column; /* 0 when unknown */
};

struct symbolize_result {
	enum symbolize_quality quality;
	/* The function that holds the address: the physical one, not what was inlined into it. */
	const char *name;    /* demangled, never NULL */
	const char *linkage; /* as the linker sees it (`foo.constprop.0`); never NULL */
	const char *file;    /* where it is defined: its declaration, or else its first line */
	unsigned line;       /* NULL and 0 when unknown */
	uint64_t start; /* where the function, or the part of it that holds the address, begins */
	uint64_t size;  /* its bytes; 0 when unknown */
	/* The line the address itself belongs to, as the line table has it. */
	const char *at_file; /* NULL when unknown */
	unsigned at_line;    /* 0 when unknown, or code to which the compiler gave no line */
	unsigned at_column;
	/* The functions at the address: frames[0] is the physical one, the last is the innermost
	   inlined one. frame_count is at least 1. Valid until the next lookup. */
	const struct symbolize_frame *frames;
	size_t frame_count;
};

/* A function found by symbolize_functions(). The strings follow the rule above. */
struct symbolize_function {
	const char *name;
	const char *linkage;
	const char *file; /* NULL when unknown or not asked for */
	unsigned line;
	uint64_t start;
	uint64_t size; /* bytes; 0 when unknown */
};

/* A stretch of code that belongs to one line, found by symbolize_lines(). */
struct symbolize_line {
	const char *file;
	unsigned line; /* 0: code that belongs to no line */
	unsigned column;
	uint64_t start;
	uint64_t size; /* bytes, never 0 */
};

/* A jump into the middle of a block, which is not counted. */
struct symbolize_join {
	uint64_t to;
	uint64_t from; /* start of the block that jumps */
};

/* A stretch of code that is counted, found by symbolize_blocks(). */
struct symbolize_block {
	uint64_t call;  /* where the call that counts it begins */
	uint64_t start; /* where it returns to */
	uint64_t end;   /* behind the jump that leaves it */
	/*
	 * The jumps of other blocks into its code, by where they lead; valid during the call alone.
	 */
	const struct symbolize_join *joins;
	size_t join_count;
	bool first; /* the function's code before it runs into it */
};

/* How a module's code calls a function of another; all zero at first. */
struct symbolize_callee {
	uint64_t stub; /* in the procedure linkage table; 0: not found yet */
	/* In the global offset table, for calls without a stub (-fno-plt); 0: there is none. */
	uint64_t slot;
	bool slot_asked;
};

/* All return false to end the enumeration. */
typedef bool symbolize_function_fn(void *context, const struct symbolize_function *function);
typedef bool symbolize_line_fn(void *context, const struct symbolize_line *line);
typedef bool symbolize_block_fn(void *context, const struct symbolize_block *block);

/* NULL only when memory has run out. */
struct symbolizer *symbolize_new(void);

/* Frees the symbolizer, its modules and every string it handed out. NULL is allowed. */
void symbolize_free(struct symbolizer *s);

/*
 * Adds a module; opens nothing yet. PATH is copied, and its last part names what stays unknown.
 * BUILD_ID (BUILD_ID_BYTES of it, copied) is that of the module that ran; 0 bytes when it had none,
 * and then any file at PATH is believed. A file with another build-id is refused, and a debug file
 * that has the right one is used alone, where there is one.
 * A module that was added before is given again.
 * NULL only when memory has run out; the functions below accept a NULL module, and answer that
 * nothing is known.
 */
struct symbolize_module *symbolize_add(struct symbolizer *s, const char *path, const void *build_id,
				       size_t build_id_bytes, enum symbolize_kind kind);

/*
 * What is wrong with the module's file, as one line without a newline that names the file and the
 * remedy; NULL when nothing is. Opens the file if no lookup has.
 */
const char *symbolize_notice(struct symbolize_module *m);

/* Fills *RESULT, every member of it. ADDRESS is file-relative, see above. */
void symbolize_lookup(struct symbolize_module *m, uint64_t address,
		      struct symbolize_result *result);

/*
 * The same for a variable: its name, where it begins and its bytes. The other members mean nothing.
 */
void symbolize_variable(struct symbolize_module *m, uint64_t address,
			struct symbolize_result *result);

/*
 * Calls EACH for the functions of the module in order of address, aliases included. WITH_FILES asks
 * for file and line as well, which reads all of its debug information.
 * Returns how many were shown: 0 when the module has no symbols at all.
 */
size_t symbolize_functions(struct symbolize_module *m, bool with_files, symbolize_function_fn *each,
			   void *context);

/*
 * Calls EACH for the stretches of code in [START, START + SIZE) that belong to a line, in order of
 * address, clipped to the range, which must not reach beyond the function that START is in.
 * Returns how many were shown: 0 without debug information.
 */
size_t symbolize_lines(struct symbolize_module *m, uint64_t start, uint64_t size,
		       symbolize_line_fn *each, void *context);

/*
 * Calls EACH for the blocks in [START, START + SIZE) that begin with a call of the function NAME of
 * another module (blocks.h). *CALLEE remembers, between questions about the module, where such
 * calls go.
 */
void symbolize_blocks(struct symbolize_module *m, uint64_t start, uint64_t size, const char *name,
		      struct symbolize_callee *callee, symbolize_block_fn *each, void *context);

/*
 * What compiled the code at ADDRESS, as it says itself (`GNU C17 12.2.0 -g -O2`, with gcc's flags);
 * NULL when the debug information does not say, or there is none.
 */
const char *symbolize_producer(struct symbolize_module *m, uint64_t address);

/*
 * The folder in which the code at ADDRESS was compiled: names of its files that do not begin with
 * `/` are relative to it. NULL when unknown.
 */
const char *symbolize_folder(struct symbolize_module *m, uint64_t address);

/*
 * Puts a number for the machine code of the function in [START, START + SIZE) into *PRINT: the same
 * in every build in which the compiler made the same instructions of it (see codeprint.h). False
 * where the code cannot be read or decoded.
 */
bool symbolize_code(struct symbolize_module *m, uint64_t start, uint64_t size, uint64_t *print);

/* `dwarf`, `symtab`, `dynsym`, `plt`, `vdso`, `none`. */
const char *symbolize_quality_name(enum symbolize_quality quality);

#endif

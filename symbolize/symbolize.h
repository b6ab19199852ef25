/* SPDX-License-Identifier: MIT */
/*
 * Translates an address in a module into the name of a function, its file and line, and the calls
 * inlined there. This header is the whole contract of the folder, which knows nothing of profiles.
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
 * - A lookup never fails. The worst result is `module+0x1f`; `quality` says where the name is from.
 *   The number is where the function begins, if .eh_frame says so; then `size` is known, too.
 * - Files are opened at the first question about a module, and only what a question touches is
 *   read: memory grows with the addresses asked for, not with the debug information.
 * - Every string handed out belongs to the symbolizer and lives, unchanged, until symbolize_free().
 *   The frames array belongs to the symbolizer too, but lives only until the next lookup.
 * - Nothing is printed. When memory runs out, names are plainer (mangled, or `module+0x1f`), and
 *   the process goes on, unless libdw is out of memory: libdw then ends the process.
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
	SYMBOLIZE_VDSO, /* the vDSO: that of the running kernel is used, if its build-id matches */
	/*
	 * The kernel, whose build-id is the boot id of the system: if that is of the running boot,
	 * functions are named by the kernel's own list, as far as the user may read it (kernel.h).
	 * Nothing else is known of them. An address is the lowest 40 bits of the address in the
	 * running kernel.
	 */
	SYMBOLIZE_KERNEL,
};

#define SYMBOLIZE_KERNEL_BYTES  ((uint64_t)1 << 40)
#define SYMBOLIZE_BOOT_ID_BYTES 16

/* Where a name comes from, best first. */
enum symbolize_quality {
	SYMBOLIZE_DWARF,       /* debug information, which may also have lines and inlined calls */
	SYMBOLIZE_SYMTAB,      /* .symtab, of the file, its debug file or its .gnu_debugdata */
	SYMBOLIZE_DYNSYM,      /* .dynsym: static functions are not in it */
	SYMBOLIZE_PLT,         /* a stub of the procedure linkage table: `name@plt` */
	SYMBOLIZE_VDSO_SYMBOL, /* a symbol of the vDSO */
	SYMBOLIZE_KALLSYMS,    /* the kernel's own list */
	SYMBOLIZE_NONE,        /* `module+0x1f`; with a size, if .eh_frame has the function */
};

/* One of the functions at an address: the one that holds the address, or one inlined there. */
struct symbolize_frame {
	const char *name;      /* demangled, never NULL */
	const char *linkage;   /* the name that the linker uses, never NULL */
	const char *file;      /* where the function is declared; NULL when unknown */
	unsigned line;         /* 0 when unknown */
	const char *call_file; /* where the frame before this one calls it; NULL in frames[0] */
	unsigned call_line, call_column; /* 0 when unknown */
};

struct symbolize_result {
	enum symbolize_quality quality;
	/* The function that holds the address: the physical one, not what was inlined into it. */
	const char *name;    /* demangled, never NULL */
	const char *linkage; /* the name that the linker uses (`foo.constprop.0`), never NULL */
	const char *file;    /* of the declaration, or else of the first line of its code; ... */
	unsigned line;       /* ... NULL and 0 when unknown */
	uint64_t start; /* where the function, or the part of it that holds the address, begins */
	uint64_t size;  /* its bytes; 0 when unknown */
	/* The line that the address itself belongs to, from the line table. */
	const char *at_file; /* NULL when unknown */
	unsigned at_line;    /* 0 when unknown, or when the compiler gave the code no line */
	unsigned at_column;
	/* The functions at the address: frames[0] is the physical one, the last is the innermost
	   inlined one. frame_count is at least 1. Valid until the next lookup. */
	const struct symbolize_frame *frames;
	size_t frame_count;
};

/* A function found by symbolize_functions(). Its strings live until symbolize_free(). */
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

/* A call that was inlined, found by symbolize_inlined(). The strings follow the rule above. */
struct symbolize_inlined {
	const char *name;    /* of the function that is called, demangled */
	const char *linkage; /* never NULL */
};

/* A jump into the middle of a block. It passes by the block's call, so it is not counted. */
struct symbolize_join {
	uint64_t to;
	uint64_t from; /* start of the block that jumps */
};

/* A block: a stretch of code that is counted by a call at its beginning (symbolize_blocks()). */
struct symbolize_block {
	uint64_t call;  /* where the call begins */
	uint64_t start; /* where the call returns to */
	uint64_t end;   /* just after the jump that leaves the block */
	/*
	 * Jumps of other blocks into this block's code, sorted by `to`; valid until EACH returns.
	 */
	const struct symbolize_join *joins;
	size_t join_count;
	bool first; /* the beginning of the function runs into this block */
};

/*
 * How a module's code calls one function of another module; symbolize_ functions keep here what they
 * have found. Fill it with zeros once for each module, and pass it with every function of that module.
 */
struct symbolize_callee {
	uint64_t stub; /* in the procedure linkage table; 0: not found yet */
	/* In the global offset table, for calls without a stub (-fno-plt); 0: there is none. */
	uint64_t slot;
	bool slot_asked;
};

/* Functions that the caller passes as EACH. They return false to end the enumeration. */
typedef bool symbolize_function_fn(void *context, const struct symbolize_function *function);
typedef bool symbolize_line_fn(void *context, const struct symbolize_line *line);
typedef bool symbolize_inlined_fn(void *context, const struct symbolize_inlined *call);
typedef bool symbolize_block_fn(void *context, const struct symbolize_block *block);

/* NULL only when memory has run out. */
struct symbolizer *symbolize_new(void);

/* Frees the symbolizer, its modules and every string it handed out. NULL is allowed. */
void symbolize_free(struct symbolizer *s);

/*
 * Adds a module; opens nothing yet. PATH is copied; its last part is the name in `module+0x1f`.
 *
 * BUILD_ID (BUILD_ID_BYTES, copied) is the build-id of the module that ran. If it had none
 * (0 bytes), any file at PATH is used. A file with another build-id is refused; if there is a debug
 * file with the right build-id, that is used alone.
 *
 * Adding a module a second time returns the same module. NULL only when memory has run out; the
 * functions below accept a NULL module, and answer that nothing is known.
 */
struct symbolize_module *symbolize_add(struct symbolizer *s, const char *path, const void *build_id,
				       size_t build_id_bytes, enum symbolize_kind kind);

/*
 * Returns one line, without a newline, which says what is wrong with the module's file and how to
 * mend it; NULL when nothing is wrong. Opens the file if no lookup has opened it.
 */
const char *symbolize_notice(struct symbolize_module *m);

/* Stores the boot id of the running system: the build-id of its kernel. False: it is not known. */
bool symbolize_boot_id(unsigned char id[SYMBOLIZE_BOOT_ID_BYTES]);

/* Fills every member of *RESULT. ADDRESS is the file's own virtual address, see above. */
void symbolize_lookup(struct symbolize_module *m, uint64_t address,
		      struct symbolize_result *result);

/*
 * As symbolize_lookup(), where only the function's name, start and size are wanted: a symbol that
 * covers ADDRESS answers by itself, without a line, and the debug information is read only where
 * there is none. A library's debug file is large, and to unpack it takes most of a short report's
 * time; with or without that file, the name is now the same.
 */
void symbolize_name(struct symbolize_module *m, uint64_t address, struct symbolize_result *result);

/*
 * Where a function lies that no symbol names: the name of the nearest function that begins at ADDRESS or
 * before it, in the same section of code; NULL: there is none. Linkers keep the functions of a source
 * file together, so the name is a hint at the file. It is no part of the function's own name, which must
 * be the same with a debug file's symbols and without.
 */
const char *symbolize_after(struct symbolize_module *m, uint64_t address);

/*
 * As symbolize_lookup(), for the address of a variable: fills in its name, start and size. The
 * other members mean nothing.
 */
void symbolize_variable(struct symbolize_module *m, uint64_t address,
			struct symbolize_result *result);

/*
 * Calls EACH for the functions of the module in order of address, aliases included. WITH_FILES asks
 * for file and line as well, for which all debug information of the module is read.
 * Returns how many times EACH was called: 0 when the module has no symbols at all.
 */
size_t symbolize_functions(struct symbolize_module *m, bool with_files, symbolize_function_fn *each,
			   void *context);

/*
 * Calls EACH for the stretches of code in [START, START + SIZE) that belong to a line, in order of
 * address, clipped to this range, which must not reach beyond the function that START is in.
 * Returns how many times EACH was called: 0 without debug information.
 */
size_t symbolize_lines(struct symbolize_module *m, uint64_t start, uint64_t size,
		       symbolize_line_fn *each, void *context);

/*
 * Calls EACH for the calls that were inlined into the function that holds ADDRESS, and for those
 * inlined into these. Returns how many were shown: 0 without debug information.
 */
size_t symbolize_inlined(struct symbolize_module *m, uint64_t address, symbolize_inlined_fn *each,
			 void *context);

/*
 * Calls EACH for the blocks in [START, START + SIZE) that begin with a call of the function NAME of
 * another module (blocks.h). *CALLEE keeps where such calls go, for the next question about this
 * module.
 */
void symbolize_blocks(struct symbolize_module *m, uint64_t start, uint64_t size, const char *name,
		      struct symbolize_callee *callee, symbolize_block_fn *each, void *context);

/*
 * The compiler of the code at ADDRESS, in its own words (`GNU C17 12.2.0 -g -O2`, with gcc's
 * flags); NULL when there is no debug information, or it does not name the compiler.
 */
const char *symbolize_producer(struct symbolize_module *m, uint64_t address);

/*
 * The folder in which the code at ADDRESS was compiled: names of its files that do not begin with
 * `/` are relative to it. NULL when unknown.
 */
const char *symbolize_folder(struct symbolize_module *m, uint64_t address);

/*
 * Stores a hash of the machine code of the function in [START, START + SIZE) in *PRINT. Builds in
 * which the compiler made the same instructions of the function have the same hash (codeprint.h).
 * False: the code cannot be read or decoded.
 */
bool symbolize_code(struct symbolize_module *m, uint64_t start, uint64_t size, uint64_t *print);

/*
 * The machine code in [START, START + SIZE), which lives until symbolize_free(), and the processor
 * that it is for: *MACHINE is as in an ELF header, EM_X86_64 for example. NULL: the module's file is
 * not there, is another build, or has no code at these addresses.
 */
const unsigned char *symbolize_bytes(struct symbolize_module *m, uint64_t start, uint64_t size,
				     unsigned *machine);

/* Returns `dwarf`, `symtab`, `dynsym`, `plt`, `vdso`, `kallsyms` or `none`. */
const char *symbolize_quality_name(enum symbolize_quality quality);

#endif

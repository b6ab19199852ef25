/* SPDX-License-Identifier: MIT */
/*
 * displace.h - recording programs that nobody built with hooks: the entries of functions are
 * displaced into trampolines as the program starts.
 *
 *     function                             trampoline, in the module's area
 *     --------------------------------     ------------------------------------------------
 *     jmp trampoline      5 bytes          hook (hooks/displaced.c)
 *     int3 ...            what is left     the instructions that stood where the jump is,
 *     rest of the function  <-----------     moved; jmp back
 *
 * A *plan* says which functions of a file can be treated so, and which instructions each jump
 * displaces (displace/plan.h). The command zprof makes plans, as reading all of a program's
 * instructions takes long and needs tables; here nothing is decoded. The library finds the plan of a
 * module by its build-id, in the folder that the option `plans` names.
 *
 * The functions tell when they begin, and not when they end. So from the hook on, all is as in
 * programs built with `-pg -mfentry` (entries/entries.h).
 *
 * ## Order
 *
 * For each module: its area is made, and mapped, complete with what unwinders need (displace/making.h).
 * Then the jumps are stored (sites/patch.h). A function whose bytes in memory are not those that the
 * plan was made for is left alone: a debugger's breakpoint, a text relocation.
 *
 * ## When
 *
 * Five bytes are not stored at once, and a thread may be within a window. So entries are displaced in
 * the library's constructor, if the kernel says that the process has one thread, and all signals are
 * blocked meanwhile. Functions that have run before are not counted: of the dynamic linker, and
 * constructors of libraries that came first. Modules that the program loads by dlopen follow then, if the
 * process still has one thread (displace/later.h).
 *
 * A function whose trampoline is there is switched off and on by one byte of the trampoline, as other
 * hooks are (sites/sites.h). If recording begins with a pause, all begin switched off.
 *
 * A forked child inherits text and trampolines; vfork and posix_spawn share them; exec starts over,
 * and asks for the plans of the new program (start/followed.h).
 * dlclose cannot unload a module that was there at the start; what it means for others is in later.h.
 *
 * ## What is left alone
 *
 *     the process     it has threads; its calls are checked against a shadow stack, which displaced
 *                     calls would fail; text can't be written
 *     a module        there is no plan; no free addresses within 2 GB; it is the dynamic linker,
 *                     which calls constructors and is running; this library; the vdso
 *     a function      the plan does not have it; only= leaves it out (code/only.h); its bytes differ;
 *                     it was built with a hook of its own, and would be counted twice;
 *                     something is further than 2 GB
 */
#ifndef ZPROF_DISPLACE_H
#define ZPROF_DISPLACE_H

#include <stdbool.h>
#include <stdint.h>

struct module;
struct plan_file;
struct process;
struct zprof_section;

struct displace_done {
	uint32_t modules, functions; /* with displaced entries */
	uint32_t without_plan;       /* modules that have none */
	struct zprof_section *noted; /* with records of functions that the plans refuse */
	uint32_t not_noted;          /* of these, functions that the file had no room for */
	uint32_t left_out;           /* functions that only= leaves out */
	uint32_t differ;             /* functions whose bytes differ */
	uint32_t far; /* functions that reach too far, and those of modules without room */
};

/* Why no entry may be displaced in this process; NULL: entries may. */
const char *displace_forbidden(void);

/* Whether a module is always left as it is: the linker, this library, and what is no file. */
bool displace_leaves_out(const struct module *m);

/* Opens the plan of a module. False: there is none. */
typedef bool displace_open_plan(const void *context, struct plan_file *file,
				const struct module *m);

/*
 * Displaces the entries of the modules that have a plan, from number `first` on, and adds to what is
 * done. `hook` is what trampolines call.
 * To be called only if displace_forbidden() gives NULL.
 */
void displace_from(struct process *p, uint32_t first, displace_open_plan *open, const void *context,
		   uintptr_t hook, struct displace_done *done);

/* The same for all modules that have a plan in `folder`. */
void displace_all(struct process *p, const char *folder, uintptr_t hook,
		  struct displace_done *done);

#endif

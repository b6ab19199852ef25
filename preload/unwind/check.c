/* SPDX-License-Identifier: MIT */
/* check.c - see check.h. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "preload/unwind/check.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/environment.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/identity.h"
#include "preload/profile/losses.h"
#include "preload/code/areas.h"
#include "preload/code/location.h"
#include "preload/track/lent.h"
#include "preload/track/track.h"
#include "preload/unwind/context.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/auxv.h>

#define LIBRARY     "libunwind.so.8"
#define FRAMES_MAX  512 /* real frames walked: the innermost */
#define TEXT_OF(x)  TEXT_OF_(x)
#define TEXT_OF_(x) #x

static bool has_context;
static int (*init_local)(unw_cursor_t *, unw_context_t *);
static int (*step)(unw_cursor_t *);
static int (*get_reg)(unw_cursor_t *, unw_regnum_t, unw_word_t *);

static bool tried; /* the constructor has tried to load libunwind; dlopen() must not run earlier */

static bool mentions_check(const char *options)
{
	for (; options && *options; options++)
		if (!memcmp(options, "check=", 6))
			return true;
	return false;
}

static bool is_loaded(void)
{
	return has_context && init_local && step && get_reg;
}

static void find_functions(void)
{
	/* libc's own: the library stands in front of dlopen() for the program (start/adapters.c). */
	void *(*open)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
	void *library = open ? open(LIBRARY, RTLD_NOW | RTLD_LOCAL) : NULL;

	if (!library)
		return;
	has_context = context_find(library);
	init_local =
	    (int (*)(unw_cursor_t *, unw_context_t *))dlsym(library, TEXT_OF(unw_init_local));
	step = (int (*)(unw_cursor_t *))dlsym(library, TEXT_OF(unw_step));
	get_reg = (int (*)(unw_cursor_t *, unw_regnum_t, unw_word_t *))dlsym(library,
									     TEXT_OF(unw_get_reg));
}

static void complain(const char *remedy)
{
	text_complain("check= needs the library", LIBRARY, 0, remedy);
}

/*
 * Recording may have begun before this constructor runs: in .preinit_array, in another library's
 * constructor, or in a malloc() of the program's that dlopen() calls.
 */
static __attribute__((constructor)) void load(void)
{
	if (!getauxval(AT_SECURE) && mentions_check(environment_value("ZPROF_OPTIONS")))
		find_functions();
	tried = true;
	if (process_now && process_now->options->check && !is_loaded())
		complain("install the package libunwind8; recording goes on unchecked");
}

bool check_init(const struct process *p)
{
	if (!p->options->check || !tried || is_loaded())
		return true;
	complain("install the package libunwind8; running unprofiled");
	return false;
}

struct walk {
	uintptr_t sp, low, bytes; /* where the stack is */
	uintptr_t *cfas;
};

/*
 * Stores the CFAs of the frames on this stack above `sp`, innermost first. (A frame's CFA is its
 * caller's stack pointer.) Returns how many there are. The first function of a coroutine may not say
 * that nobody called it, and libunwind would look for its caller behind the stack's end.
 */
static unsigned walk(unw_context_t *context, void *data)
{
	const struct walk *w = data;
	unw_cursor_t cursor;
	unsigned n = 0;

	if (init_local(&cursor, context) < 0)
		return 0;
	while (n < FRAMES_MAX && step(&cursor) > 0) {
		unw_word_t at;

		if (get_reg(&cursor, UNW_REG_SP, &at) < 0)
			break;
		if (at > w->sp)
			w->cfas[n++] = at;
		if (at > w->sp && at - w->low >= w->bytes)
			break;
	}
	return n;
}

/*
 * libunwind holds a lock while it walks, and blocks the program's signals meanwhile. It cannot
 * block the signal by which libc cancels a thread, so cancellation is disabled here, and waits for
 * cancellation points: another thread's pthread_cancel() may have sent that signal just before, and
 * glibc 2.36 heeds nothing but the type as it comes. libunwind's system calls set errno, so errno is
 * restored.
 */
static unsigned walk_undisturbed(const struct track *k, uintptr_t sp, uintptr_t *cfas)
{
	struct walk w = {sp, k->stack_low, k->stack_bytes, cfas};
	int error = errno, state, type, unused;
	unsigned n;

	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	n = context_walk(walk, &w);
	errno = error;
	pthread_setcancelstate(state, &unused);
	pthread_setcanceltype(type, &unused);
	return n;
}

/*
 * The innermost open zone whose frame the walk did not find. NULL: it found all, as far as it went.
 */
static const struct open_zone *stray(const struct track *k, const uintptr_t *cfas, unsigned n)
{
	const struct open_zone *f;
	unsigned i = 0;

	for (f = k->top; f->cfa != UINTPTR_MAX; f--) {
		while (i < n && cfas[i] < f->cfa)
			i++;
		if (i == n)
			return n == FRAMES_MAX || f->cfa - k->stack_low >= k->stack_bytes ? NULL
											  : f;
		if (cfas[i] != f->cfa)
			return f;
	}
	return NULL;
}

/* The zone of a compiled function that a zone stands on, if that is lent; else itself. */
static const struct open_zone *carrier(const struct track *k, const struct open_zone *f)
{
	while (f > k->bottom && f->cfa != UINTPTR_MAX && (lent_is(f->node) || lent_placeholder(f)))
		f--;
	return f;
}

/* Whether the frame is that of a function which has just reported an interpreter's call or return. */
static bool was_passed(const struct track *k, uintptr_t cfa, uintptr_t function)
{
	const struct lent *l = k->lent;
	uint32_t i;

	for (i = 0; l && i < l->passed_count; i++)
		if (l->passed[i].cfa == cfa &&
		    l->passed[i].zone - function < LOCATION_FIRST_INSTRUCTIONS)
			return true;
	return false;
}

/*
 * Whether the zone that has just been entered has the caller that its return address lies in. If that
 * function's entry is not displaced, or may have been called without its hook, the function has no zone:
 * then no zone may have its frame, but that of a function which goes on in it. *known: .eh_frame tells.
 */
static bool has_its_caller(const struct track *k, const struct event *e, bool *known)
{
	const struct open_zone *caller = carrier(k, &k->top[-1]);
	const struct twin *t = twin_of(caller->node);
	struct location where, zone = {twin_ret(t), t->rule, t->host};
	uintptr_t function;

	*known = false;
	location_at(k->process, e->call_site, &where);
	if (where.host == LOCATION_ANY_HOST || where.rule & LOCATION_INDIRECT)
		return true;
	*known = true;
	function = location_host(&where);
	if (area_has_entry_of(function)) {
		if (caller->node->zone - function < LOCATION_FIRST_INSTRUCTIONS ||
		    was_passed(k, location_cfa(where.rule, k->top->cfa, e->bp), function))
			return true;
		if (!area_is_called_bare(function))
			return false;
	}
	return caller->cfa != location_cfa(where.rule, k->top->cfa, e->bp) ||
	       location_goes_on(k->process, &zone, &where);
}

static void disagree(struct process *p, const char *what, uint64_t zone)
{
	losses_count(p, ZPROF_DISAGREED, 1);
	if (!__atomic_exchange_n(&p->disagreed, 1, __ATOMIC_RELAXED))
		identity_note(p, what, zone);
}

void check_event(struct track *k, const struct event *e)
{
	struct process *p = k->process;
	uintptr_t cfas[FRAMES_MAX];
	const struct open_zone *f;
	bool bare = location_is_bare(e), known;

	if ((bare ? !p->entries_alone || e->zone == EVENT_ANY_ZONE
		  : !is_loaded() || sys_forbidden) ||
	    ++k->since_check < p->options->check)
		return;
	k->since_check = 0;
	if (bare) {
		if (!has_its_caller(k, e, &known))
			disagree(p, "check: first function found with a wrong caller: address ",
				 e->zone);
		losses_count(p, ZPROF_CHECKED, known);
		return;
	}
	losses_count(p, ZPROF_CHECKED, 1);
	f = stray(k, cfas, walk_undisturbed(k, e->sp, cfas));
	if (f)
		disagree(p, "check: first open zone found in no real frame: address ",
			 f->node->zone);
}

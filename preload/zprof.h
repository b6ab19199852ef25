/* SPDX-License-Identifier: MIT */
/*
 * zprof.h - what a program can tell the profiler: zones of its own, the functions of an
 * interpreter, frames, pauses.
 *
 * Compiled functions need none of this: the hooks of -finstrument-functions report them. This
 * header is for zones, frames and stacks that the compiler does not know.
 *
 *     #include <zprof.h>
 *
 *     void turn(void)
 *     {
 *             ZPROF(turn);                 a zone by hand: from here to the end of the block
 *             if (late()) {
 *                     ZPROF(2nd_attempt);  nested; a name may begin with a digit
 *                     ...
 *             }
 *             zprof_frame("turn");         the main loop has turned once
 *     }
 *
 *     void call(struct interpreter *i, struct function *f)
 *     {
 *             zprof_lent_enter(f->zone);   a lent zone: f->zone = zprof_lent("fact", "lisp", ...)
 *             evaluate(i, f->body);
 *             zprof_lent_leave();
 *     }
 *
 * Zones by hand, lent zones and compiled functions stand on one zone stack, and so appear in one
 * call graph.
 *
 * ## Linking
 *
 * Nothing has to be linked. If libzprof.so is preloaded (zprof record ./prog) or linked, these
 * functions reach it. If it is not, each costs a load and a test, does nothing, and returns what
 * its comment gives under "without the library". If ZPROF_DISABLE is defined, and on systems other
 * than Linux on x86-64 and arm64, everything here compiles to nothing, and arguments are not evaluated.
 *
 * C11 and C++11 or later, gcc and clang.
 *
 * ## What holds for every function
 *
 * Threads: a function concerns the calling thread alone, unless its comment says otherwise. All may
 * be called from any thread at any time.
 *
 * Signals: all may be called from a signal handler, unless the comment says otherwise. None calls
 * malloc, waits for a lock, or changes errno.
 *
 * Errors: a call that makes no sense (an end without a begin, an unknown zone, a dead stack) is a
 * misuse. A misuse is counted, and the report shows the count. The call does nothing, or only keeps
 * the zone stack right. No call ends the program or writes to its output.
 *
 * Cost: "a hook" is what entering or leaving a compiled function costs: about one reading of the
 * clock, 10 to 30 ns.
 */
#ifndef ZPROF_H
#define ZPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(ZPROF_DISABLE) && !((defined(__x86_64__) || defined(__aarch64__)) &&                  \
				 !defined(__ILP32__) && defined(__linux__) && defined(__GNUC__))
#define ZPROF_DISABLE 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- sections of the source */

/*
 * Mark sections for `zprof annotate --counts --marked`, which shows how often the lines in between
 * were executed, and leaves out all others. These marks expand to nothing, and may stand anywhere,
 * without a semicolon.
 */
#define ZPROF_COUNTS_ON
#define ZPROF_COUNTS_OFF

/* ---------------------------------------------------------------- how it is done; private */

#define ZPROF_PASTE3_(a, b, c) a##b##_##c
#define ZPROF_PASTE3(a, b, c)  ZPROF_PASTE3_(a, b, c)

/*
 * Makes an identifier that no variable of the program has. The name is pasted in, so it may begin
 * with a digit.
 */
#define ZPROF_NAME_(prefix, name) ZPROF_PASTE3(prefix, name, __LINE__)

#define ZPROF_INLINE_ static inline __attribute__((always_inline, no_instrument_function, unused))

/*
 * The address of a function of the library, or NULL. The address is read from the global offset
 * table by hand, because `&name` goes wrong twice in code that is not position-independent. If the
 * function is missing as the program is linked, the linker writes 0 into the code for good. If it is
 * there, the linker makes a stub in the program stand for the function's address, for everybody.
 */
#if defined(__aarch64__)
#define ZPROF_FIND_(name, pointer)                                                                 \
	__asm__(".weak " #name "\n\tadrp %0, :got:" #name "\n\tldr %0, [%0, :got_lo12:" #name "]"  \
		: "=r"(pointer))
#else
#define ZPROF_FIND_(name, pointer)                                                                 \
	__asm__(".weak " #name "\n\tmovq " #name "@GOTPCREL(%%rip), %0" : "=r"(pointer))
#endif

#if defined(ZPROF_LIBRARY) /* the library itself, which defines the functions */
#define ZPROF_FUNCTION_(type, name, parameters, arguments, otherwise) type name parameters;
#define ZPROF_ACTION_(name, parameters, arguments)                    void name parameters;
#elif !defined(ZPROF_DISABLE)
/*
 * The library must find the frame of its caller, not of its caller's caller, so the call must not
 * become a jump. Two things prevent that: an empty asm after the call, and a variable that the
 * callee might know of.
 */
#define ZPROF_FUNCTION_(type, name, parameters, arguments, otherwise)                              \
	ZPROF_INLINE_ type name##_if_there parameters                                              \
	{                                                                                          \
		type(*zprof_f) parameters;                                                         \
		char zprof_here = 0;                                                               \
		ZPROF_FIND_(name, zprof_f);                                                        \
		__asm__ volatile("" : : "r"(&zprof_here) : "memory");                              \
		return zprof_f ? zprof_f arguments : otherwise;                                    \
	}
#define ZPROF_ACTION_(name, parameters, arguments)                                                 \
	ZPROF_INLINE_ void name##_if_there parameters                                              \
	{                                                                                          \
		void(*zprof_f) parameters;                                                         \
		ZPROF_FIND_(name, zprof_f);                                                        \
		if (zprof_f)                                                                       \
			zprof_f arguments;                                                         \
		__asm__ volatile("");                                                              \
	}
#else
#define ZPROF_FUNCTION_(type, name, parameters, arguments, otherwise)
#define ZPROF_ACTION_(name, parameters, arguments)
#endif

/*
 * One place that marks a zone by hand; the macros below make it. `id` is 0 until the zone is first
 * entered, when the library stores the zone's id. Only the library writes here.
 */
struct zprof_mark {
	uint32_t id;
	uint32_t kind; /* ZPROF_MARK_* */
	uint32_t line;
	uint32_t reserved;
	const char *name;
	const char *file;
};

#define ZPROF_MARK_PRIVATE 2u /* as in the profile (format.h) */
#define ZPROF_MARK_PUBLIC  3u
/* A place that ends a zone. Its `id` becomes 1 once it has been reported as a misuse. */
#define ZPROF_MARK_END 0u

/* ---------------------------------------------------------------- zones by hand
 *
 * A zone that begins in a function ends in that function. The profiler treats it like an inlined
 * function: it notices longjmp and exceptions that leave it, and the report counts a repair if
 * nothing ended the zone.
 *
 * A private zone is one place: two places with the same name are two zones. A public zone is one
 * object, defined once and used in any number of places and files, in C and C++ alike.
 *
 *     ZPROF(name);          private, to the end of the block
 *     ZPROF_BEGIN(name);    private, to the ZPROF_END that belongs to it
 *     ZPROF_DEFINE(name);   at file scope: a public zone, an object with external linkage
 *     ZPROF_DECLARE(name);  a public zone that another file defines; both outside of namespaces
 *     ZPROF_SCOPE(name);    public, to the end of the block
 *     ZPROF_REGION(name);   public, to the ZPROF_END that belongs to it
 *     ZPROF_END;            ends the zone that began last in this function
 *
 * A destructor in C++, and __attribute__((cleanup)) in C, see the end of a block: also after
 * return, break and goto, after an exception in C++, and in C with -fexceptions.
 *
 * `name` is any run of letters, digits and underscores, in a name space of its own. All but
 * ZPROF_END are declarations: they can stand where a variable can be declared.
 *
 * Cost: a hook each for begin and end. Without the library: under a nanosecond for both.
 *
 * Errors: a ZPROF_END without a zone by hand in its function is a misuse, reported once per place
 * with file and line. A zone without an end is closed when its function returns, or when the same
 * place begins it again.
 */

/*
 * The functions that the macros call. zprof_begin() begins the private or public zone of `mark`.
 * zprof_end() ends the zone of `mark`, or, if the mark is of the kind ZPROF_MARK_END, the innermost
 * zone by hand of the calling function.
 */
ZPROF_ACTION_(zprof_begin, (struct zprof_mark * mark), (mark))
ZPROF_ACTION_(zprof_end, (struct zprof_mark * mark), (mark))

#if !defined(ZPROF_DISABLE) && !defined(ZPROF_LIBRARY)
#define zprof_begin zprof_begin_if_there
#define zprof_end   zprof_end_if_there

/* Begins a zone in an expression, so that it can initialize a variable. */
ZPROF_INLINE_ struct zprof_mark *zprof_begin_scope_(struct zprof_mark *mark)
{
	zprof_begin(mark);
	return mark;
}

ZPROF_INLINE_ void zprof_end_scope_(struct zprof_mark **mark)
{
	zprof_end(*mark);
}

#define ZPROF_PLACE_(variable, kind, text)                                                         \
	static struct zprof_mark variable = {0, kind, __LINE__, 0, text, __FILE__}

#ifdef __cplusplus
extern "C++" {
class zprof_scope_
{
	struct zprof_mark *mark;

      public:
	__attribute__((always_inline,
		       no_instrument_function)) explicit inline zprof_scope_(struct zprof_mark *m)
	    : mark(m)
	{
		zprof_begin(mark);
	}
	__attribute__((always_inline, no_instrument_function)) inline ~zprof_scope_()
	{
		zprof_end(mark);
	}
	zprof_scope_(const zprof_scope_ &) = delete;
	zprof_scope_ &operator=(const zprof_scope_ &) = delete;
};
}
#define ZPROF_HOLD_(variable, mark) const zprof_scope_ variable(mark)
#else
#define ZPROF_HOLD_(variable, mark)                                                                \
	struct zprof_mark *variable __attribute__((cleanup(zprof_end_scope_), unused)) =           \
	    zprof_begin_scope_(mark)
#endif
#define ZPROF_ENTER_(variable, mark)                                                               \
	struct zprof_mark *variable __attribute__((unused)) = zprof_begin_scope_(mark)

#define ZPROF(name)                                                                                \
	ZPROF_PLACE_(ZPROF_NAME_(zprof_mark_, name), ZPROF_MARK_PRIVATE, #name);                   \
	ZPROF_HOLD_(ZPROF_NAME_(zprof_hold_, name), &ZPROF_NAME_(zprof_mark_, name))
#define ZPROF_BEGIN(name)                                                                          \
	ZPROF_PLACE_(ZPROF_NAME_(zprof_mark_, name), ZPROF_MARK_PRIVATE, #name);                   \
	ZPROF_ENTER_(ZPROF_NAME_(zprof_hold_, name), &ZPROF_NAME_(zprof_mark_, name))
#define ZPROF_END                                                                                  \
	do {                                                                                       \
		ZPROF_PLACE_(zprof_end_here_, ZPROF_MARK_END, 0);                                  \
		zprof_end(&zprof_end_here_);                                                       \
	} while (0)
#define ZPROF_DEFINE(name)                                                                         \
	struct zprof_mark zprof_zone_##name = {0, ZPROF_MARK_PUBLIC, __LINE__, 0, #name, __FILE__}
#define ZPROF_DECLARE(name) extern struct zprof_mark zprof_zone_##name
#define ZPROF_SCOPE(name)   ZPROF_HOLD_(ZPROF_NAME_(zprof_hold_, name), &zprof_zone_##name)
#define ZPROF_REGION(name)  ZPROF_ENTER_(ZPROF_NAME_(zprof_hold_, name), &zprof_zone_##name)

#elif defined(ZPROF_DISABLE)
/* Declares nothing. An empty declaration would be a warning at file scope. */
#ifdef __cplusplus
#define ZPROF_NOTHING_ static_assert(true, "")
#else
#define ZPROF_NOTHING_ _Static_assert(1, "")
#endif
#define ZPROF(name)         ZPROF_NOTHING_
#define ZPROF_BEGIN(name)   ZPROF_NOTHING_
#define ZPROF_END           ((void)0)
#define ZPROF_DEFINE(name)  ZPROF_NOTHING_
#define ZPROF_DECLARE(name) ZPROF_NOTHING_
#define ZPROF_SCOPE(name)   ZPROF_NOTHING_
#define ZPROF_REGION(name)  ZPROF_NOTHING_
#endif

/* ---------------------------------------------------------------- frames and control */

/*
 * Ends one frame and begins the next. A frame is a turn of the program's main loop, or a request.
 * `zprof frames` shows how long frames take and what takes the time in them; the slowest are kept
 * whole. Frames belong to the calling thread, and its first call begins its first frame.
 * zprof_frame_discard() ends a frame that should not count, because nothing worth looking at has
 * happened in it.
 *
 *     name    any text; 63 bytes are copied at its first use. The same text means the same kind of
 *             frame in all threads. At most 64 kinds, and 8 in one thread
 *     cost    about a microsecond, and 50 ns for each context that ran since the last frame ended;
 *             with history=off, where frames are only counted, about a hook
 */
ZPROF_ACTION_(zprof_frame, (const char *name), (name))
ZPROF_ACTION_(zprof_frame_discard, (const char *name), (name))

/*
 * Stops recording in all threads until zprof_resume(). Calls and time in between are not recorded.
 * A zone that is left during the pause is closed; a zone that is entered during the pause and still
 * open afterwards stays unknown. Pauses nest: recording goes on after as many resumes as there were
 * pauses. Another thread may record a few more calls before it notices.
 *
 *     errors  a resume without a pause is a misuse; so is one while recording has been ended from
 *             outside (zprof detach), which is no pause of the program's
 *     cost    microseconds
 */
ZPROF_ACTION_(zprof_pause, (void), ())
ZPROF_ACTION_(zprof_resume, (void), ())

/*
 * Chooses functions while the program runs. Once this has returned, functions that match are no
 * longer recorded (unwatch), or are recorded again (watch), in all threads. A function that is not
 * recorded is as if it had been compiled without hooks: its calls are not counted, and its time
 * goes to its caller. If a call of it is under way, that call's time until then counts. Counts of
 * all other functions stay exact. If a function matches several choices, the latest holds; the
 * option only= counts as the first. Reports say which functions were left out, and when.
 *
 *     patterns  as for the option only=: names with * and ?, /regular expressions/, group:NAME,
 *               file:NAME or module:NAME, separated by spaces; where a name has a space, write ?
 *     result    how many functions of the program and its libraries match; libraries that are
 *               loaded later are checked for matches, too. -1: nothing has changed, and stderr says
 *               why
 *     -mfentry  the hooks of functions that are left out are switched off: they cost nothing
 *     -finstrument-functions
 *               hooks cannot be switched one by one: hooks of functions that are left out return
 *               at once, so they still cost a few nanoseconds
 *     cost      some 10 ms, because the command `zprof`, which must be beside the library,
 *               reads the symbols again. So call it now and then, not in an inner loop. The time is
 *               charged to `[zprof]`
 */
ZPROF_FUNCTION_(long, zprof_watch, (const char *patterns), (patterns), -1)
ZPROF_FUNCTION_(long, zprof_unwatch, (const char *patterns), (patterns), -1)

/*
 * Brings the profile up to this moment: charges the running zone's time up to now, and asks for the
 * names that have not been asked for yet (zprof_lent_late). The file itself is always up to date,
 * whatever happens to the program.
 *
 *     cost    microseconds
 */
ZPROF_ACTION_(zprof_flush, (void), ())

/*
 * Names the calling thread in reports (15 bytes are kept). Without this call, a thread has the name
 * that the kernel knew when the thread's first zone began.
 */
ZPROF_ACTION_(zprof_thread_name, (const char *name), (name))

/*
 * Announces that [base, base + bytes) will be used as a stack, by a coroutine that the program
 * switches to by hand. Call it before anything runs there, and again before the memory is used for
 * another coroutine. The library knows stacks made with makecontext, and stacks that have a mapping
 * of their own, without this.
 *
 *     cost    a microsecond
 */
ZPROF_ACTION_(zprof_stack, (void *base, size_t bytes), (base, bytes))

/*
 * Whether this program is being recorded: the library is there, has not failed, and is not paused.
 * Without the library: false.
 */
ZPROF_FUNCTION_(bool, zprof_recording, (void), (), false)

/* ---------------------------------------------------------------- zones lent by an interpreter
 *
 * The functions of an interpreted program have no address and no stack frame, so their interpreter
 * reports them. A lent zone stands on the zone stack above its *carrier*, the compiled function
 * that was running when the zone was entered. Compiled functions that run because of the lent zone
 * stand above it:
 *
 *     main - evaluate - [fact] - [map] - prim_map - evaluate - [square]         in brackets: lent
 *            carrier of fact and map                carrier of square
 *
 * Rules for the interpreter:
 *
 *   - A lent zone lives no longer than its carrier, so it must be entered by code whose own zone
 *     outlives it. A helper function that only switches zones must not be a zone itself: mark it
 *     __attribute__((no_instrument_function)).
 *   - A carrier that returns, or that a jump leaves, abandons the lent zones above it. After a
 *     longjmp of its own, the interpreter calls zprof_lent_unwind() before it goes on.
 *
 * For every context, the profile counts these apart:
 *
 *     entered      zprof_lent_enter, zprof_lent_replace
 *     re-entered   entered again by zprof_lent_reenter, by restoring a continuation, or by a stack
 *                  that moved to another carrier, thread or forked process
 *     returned     zprof_lent_leave, or replaced by a tail call
 *     abandoned    unwound over, jumped over, or on a stack that was freed
 *     open         none of these yet:   entered + re-entered = returned + abandoned + open
 *
 * Time goes to the zone that is on top while it passes. So a continuation that is entered a second
 * time, or stored and first entered much later, is never charged with what ran in between.
 *
 * Cost: a hook each for enter, leave and replace. The first entry in a new context: about a
 * microsecond.
 *
 * Three worked examples: tests/demo/scheme is an interpreter that uses all of this. An interpreter
 * that is installed already is reported by an adapter, a library that is loaded beside it:
 * preload/adapters/python for Python (generators are re-entered: zprof_lent_reenter), and
 * preload/adapters/lua for Lua (coroutines have stacks of their own: zprof_lent_switch; tail calls:
 * zprof_lent_replace; errors: zprof_lent_unwind). preload/adapters/README.md goes through both.
 */

/*
 * A function of the interpreted program. Strings end with a zero byte, and are copied; NULL means
 * unknown.
 */
struct zprof_function {
	const char *name;  /* up to 65,535 bytes; the rest is cut off */
	const char *group; /* its group in reports (zprof help groups), such as the language */
	const char *file;
	uint32_t line; /* 0: unknown */
};

/*
 * Makes a zone for a function, for all threads. Two calls with the same texts make two zones.
 *
 *     returns  its id, never 0, valid for the life of the process and in forked children. Without
 *              the library: 0
 *     errors   after a million zones, or without memory: the id of a zone that all such functions
 *              share. The loss is counted
 *     cost     about a microsecond. Memory: the texts and 40 bytes, and the same in the profile
 */
ZPROF_FUNCTION_(uint32_t, zprof_lent,
		(const char *name, const char *group, const char *file, uint32_t line),
		(name, group, file, line), 0)

/*
 * As zprof_lent(), for a function whose name takes some work to make. When the zone is first
 * entered, or at zprof_flush(), the library calls `describe` with `context`, once, in the thread
 * that enters or flushes, and `describe` fills in *function. If a signal handler enters the zone,
 * `describe` runs in the handler. `describe` must not enter or leave zones (mark it
 * no_instrument_function). The strings need not outlive the call.
 */
ZPROF_FUNCTION_(uint32_t, zprof_lent_late,
		(void (*describe)(void *context, struct zprof_function *function), void *context),
		(describe, context), 0)

/*
 * Enters a zone, called by the zone that is running. The second form adds the place of the call in
 * the caller's source; the place of the first call in each context is kept.
 *
 *     line     up to 1,048,575; 0: unknown
 *     column   up to 4,095; 0: unknown
 *     errors   an id that is not a lent zone's is a misuse. A zone `(unknown)` is entered instead,
 *              so that the leave that follows has a zone to leave
 */
ZPROF_ACTION_(zprof_lent_enter, (uint32_t zone), (zone))
ZPROF_ACTION_(zprof_lent_enter_at, (uint32_t zone, uint32_t line, uint32_t column),
	      (zone, line, column))

/*
 * Enters a zone that goes on after it had been left, as the function of a generator does when the
 * generator is resumed. The profile counts a re-entry, and no call.
 *
 *     errors   as zprof_lent_enter()
 */
ZPROF_ACTION_(zprof_lent_reenter, (uint32_t zone), (zone))

/*
 * Leaves the zone that was entered last.
 *
 *     errors   if the running zone is not a lent one: a misuse, and nothing happens
 */
ZPROF_ACTION_(zprof_lent_leave, (void), ())

/*
 * A tail call: another zone takes the place of the running one, at the same depth, with the same
 * caller. The zone stack does not grow, however many tail calls follow each other. `how` says what
 * is counted:
 *
 *     ZPROF_CALL      the old zone has returned, the new one was entered
 *     ZPROF_CONTINUE  nothing: the old zone goes on, and the new function's time is charged to it
 *
 *     errors   as zprof_lent_leave() and zprof_lent_enter(). If no lent zone is running,
 *              ZPROF_CALL enters
 */
#define ZPROF_CALL     0
#define ZPROF_CONTINUE 1
ZPROF_ACTION_(zprof_lent_replace, (uint32_t zone, int how), (zone, how))

/*
 * The place of the running zone on the zone stack, for zprof_lent_unwind() to come back to. The
 * number is valid in this thread, on the same stack, while that zone is open. A larger number is
 * further up.
 *
 *     returns  without the library: 0
 */
ZPROF_FUNCTION_(size_t, zprof_lent_depth, (void), (), 0)

/*
 * Abandons all zones above `depth`: a throw, an abort, an escape. Call it from compiled code that
 * runs at that depth, after the longjmp if there is one.
 *
 *     errors   a depth above the top, or below the compiled function that is running (which has not
 *              been left), is a misuse, and nothing happens
 */
ZPROF_ACTION_(zprof_lent_unwind, (size_t depth), (depth))

/*
 * Adds a clock or counter of the interpreter: cycles, evaluation steps, bytes allocated. A process
 * has at most 4. The library reads the counter in the calling thread when a zone is entered, left,
 * replaced or switched. The increase since the last such event is charged to the lent zone that was
 * innermost after that event; outside of all lent zones, to the thread. Every view shows the
 * counter beside the time, summed over callees in the same way.
 *
 *     name      63 bytes are kept. The same name in several threads is one column
 *     variable  64 bits, aligned, written by this thread alone; it may go down. It must be readable
 *               as long as the thread enters and leaves lent zones. NULL removes the thread's
 *               counter of that name
 *     returns   whether it was added: a fifth name is refused, a misuse. Without the library: false
 *     cost      1 ns per event for each counter
 *
 * Not for signal handlers.
 */
ZPROF_FUNCTION_(bool, zprof_lent_counter, (const char *name, const uint64_t *variable),
		(name, variable), false)

/*
 * Names the compiled function that runs the interpreter's functions, such as its loop over byte code:
 * the carrier of the calling module's lent zones is then the innermost open zone of that function.
 *
 * This matters where the interpreter was not built with hooks, and is recorded all the same (`zprof
 * record --any`): then functions that call the reporting code are zones, and end before the lent zone
 * does. Elsewhere nothing changes.
 *
 *     errors   of a module that has named a runner, another one is ignored; so is a fifth module's
 */
ZPROF_ACTION_(zprof_lent_runner, (const void *function), (function))

/*
 * Counts something that the interpreter could not report, so that reports say that calls are
 * missing:
 *
 *     ZPROF_MISSED_BEGINNING    a thread that had begun before its calls were reported
 *     ZPROF_MISSED_STRETCH      a time in which something else took the place of the reporting code
 *     ZPROF_MISSED_INTERPRETER  an interpreter whose calls are not reported at all
 */
#define ZPROF_MISSED_BEGINNING   0
#define ZPROF_MISSED_STRETCH     1
#define ZPROF_MISSED_INTERPRETER 2
ZPROF_ACTION_(zprof_lent_missed, (int what, uint64_t count), (what, count))

/* ---- coroutines and continuations of the interpreted program
 *
 * These functions move the lent zones above the innermost compiled function, which is the current
 * carrier. Lent zones below it stay, because compiled code waits for them. A handle is never 0 and
 * never used again. At most 65,536 handles are alive at once.
 */

/*
 * zprof_lent_stack() makes an empty stack for lent zones. zprof_lent_switch() puts the lent zones
 * above the carrier aside with the current stack, and takes up the zones of another stack; 0 is the
 * stack that the thread began with. Zones that are put aside have neither returned nor been
 * abandoned: they are open, and no time is charged to them.
 *
 *     returns  a handle. Without the library, or without memory (a loss, counted): 0
 *     errors   a handle that is dead, not a stack, or current in another thread is a misuse, and
 *              nothing happens
 */
ZPROF_FUNCTION_(uint64_t, zprof_lent_stack, (void), (), 0)
ZPROF_ACTION_(zprof_lent_switch, (uint64_t stack), (stack))

/*
 * zprof_lent_capture() remembers the lent zones above the carrier, for a continuation.
 * zprof_lent_restore() makes them the lent zones above the carrier that is running then.
 * zprof_lent_restore() may be called any number of times. Zones of the continuation that are still
 * open stay, other open zones are abandoned, and zones of the continuation that had been left are
 * re-entered.
 *
 *     returns  a handle, or 0 as above
 *     errors   a handle that is dead, or no continuation, is a misuse, and nothing happens
 *     cost     of both: some nanoseconds for every zone
 */
ZPROF_FUNCTION_(uint64_t, zprof_lent_capture, (void), (), 0)
ZPROF_ACTION_(zprof_lent_restore, (uint64_t continuation), (continuation))

/*
 * Ends a stack or a continuation. Zones still on the stack are abandoned.
 *
 *     errors   a dead handle, or a stack that is current in a thread, is a misuse, and nothing
 *              happens
 */
ZPROF_ACTION_(zprof_lent_free, (uint64_t handle), (handle))

/*
 * ---- interpreters that count for themselves
 *
 * In a fast virtual machine a function may take some nanoseconds, which is less than the two hooks
 * that report it. If the interpreter can keep a tree of calling contexts of its own, it counts
 * calls in that tree, and tells the library two things: its open zones, outermost first (a *path*),
 * whenever the library asks, which is at each sample; and its counts, now and then and at the end.
 *
 *     struct zprof_asking asking;
 *     bool tells = zprof_recording() && !zprof_lent_begin(&asking);      enter and leave each zone
 *
 *     at each call and return of the program, before it is done:
 *             if (zprof_lent_asks(&asking))
 *                     zprof_lent_path(&asking, zones, depth);            outermost first
 *
 *     every tenth of a second, and at the end:
 *             zprof_lent_path(&asking, zones, depth);
 *             zprof_lent_add(contexts, count);
 *
 * A path holds open calls only. Calls that no path has held are unknown to the library, so the
 * interpreter hands their number over. So the profile has each call once, in its context:
 *
 *     calls of a context = calls entered by paths + calls handed over by zprof_lent_add()
 *
 * Code with hooks that the interpreter calls stands above the zones of the latest path. So before
 * it calls such code, the interpreter gives a path too, unless its open zones have not changed.
 */
struct zprof_asking { /* one for each thread; only the library reads and writes the members */
	const volatile uint32_t *alive;
	const volatile uint64_t *news;
	uint64_t known;
};

/*
 * Begins counting by the interpreter. Call it again in a forked child.
 *
 *     returns  false if zones must be entered and left one by one, because each single call is
 *              recorded: with clock=exact, callsites=1, frame= or tails=. Also false while
 *              recording is paused, and without the library
 */
ZPROF_FUNCTION_(bool, zprof_lent_begin, (struct zprof_asking * asking), (asking), false)

/*
 * Tells the library that from now on `zones` are the lent zones above the compiled function that is
 * running, outermost first. Zones at the beginning of the path that are open already stay. Other
 * open zones are left, as by zprof_lent_leave(), and the rest of the path is entered, as by
 * zprof_lent_enter(). Time and samples since the last event, but not counters, are charged to the
 * innermost zone of this path.
 *
 *     returns  how many zones were open already; the rest has been counted as called. Without the
 *              library: 0
 *     cost     a hook, and 2 ns for each zone; 10 ns for each that is left or entered
 */
ZPROF_FUNCTION_(size_t, zprof_lent_path,
		(struct zprof_asking * asking, const uint32_t *zones, size_t count),
		(asking, zones, count), 0)

/* A calling context, and its calls and counters since it was added last. */
struct zprof_counted {
	uint32_t caller; /* the context that called it: an earlier one of the array, counted from 1;
				0: the compiled function that is running */
	uint32_t zone;   /* from zprof_lent() */
	uint64_t calls;  /* calls that have returned, and that no path has held */
	uint64_t counter[4]; /* of zprof_lent_counter(), in the order of their first addition in the
				process; the context's own increase, without its callees' */
	uint64_t reserved;   /* for the library; any value before the call */
};

/*
 * Adds `count` contexts' calls and counters to the profile. A context with neither is in the array
 * only as the caller of others.
 *
 * Counts that have not been added are lost when the process is killed, and show late in `zprof
 * top`. Before a fork, add all counts so far, or both processes will add them. A pause does not
 * stop additions: when it begins, the interpreter must add its counts so far, and it must discard
 * what it counts until the pause ends. zprof_lent_asks() is true throughout a pause.
 *
 *     errors   a caller that comes later in the array is a misuse, and is taken as 0; for zones as
 *              in zprof_lent_enter()
 *     cost     30 ns for each context
 */
ZPROF_ACTION_(zprof_lent_add, (struct zprof_counted * contexts, size_t count), (contexts, count))

#if !defined(ZPROF_LIBRARY) && !defined(ZPROF_DISABLE)
/*
 * Whether the library asks for the path. Call it only if zprof_lent_begin() has returned true.
 * Inline: two compares.
 */
ZPROF_INLINE_ bool zprof_lent_asks(const struct zprof_asking *asking)
{
	return *asking->alive != 1 || *asking->news != asking->known;
}

#define zprof_frame         zprof_frame_if_there
#define zprof_frame_discard zprof_frame_discard_if_there
#define zprof_pause         zprof_pause_if_there
#define zprof_resume        zprof_resume_if_there
#define zprof_watch         zprof_watch_if_there
#define zprof_unwatch       zprof_unwatch_if_there
#define zprof_flush         zprof_flush_if_there
#define zprof_thread_name   zprof_thread_name_if_there
#define zprof_stack         zprof_stack_if_there
#define zprof_recording     zprof_recording_if_there
#define zprof_lent          zprof_lent_if_there
#define zprof_lent_late     zprof_lent_late_if_there
#define zprof_lent_enter    zprof_lent_enter_if_there
#define zprof_lent_enter_at zprof_lent_enter_at_if_there
#define zprof_lent_reenter  zprof_lent_reenter_if_there
#define zprof_lent_leave    zprof_lent_leave_if_there
#define zprof_lent_replace  zprof_lent_replace_if_there
#define zprof_lent_depth    zprof_lent_depth_if_there
#define zprof_lent_unwind   zprof_lent_unwind_if_there
#define zprof_lent_counter  zprof_lent_counter_if_there
#define zprof_lent_missed   zprof_lent_missed_if_there
#define zprof_lent_runner   zprof_lent_runner_if_there
#define zprof_lent_stack    zprof_lent_stack_if_there
#define zprof_lent_switch   zprof_lent_switch_if_there
#define zprof_lent_capture  zprof_lent_capture_if_there
#define zprof_lent_restore  zprof_lent_restore_if_there
#define zprof_lent_free     zprof_lent_free_if_there
#define zprof_lent_begin    zprof_lent_begin_if_there
#define zprof_lent_path     zprof_lent_path_if_there
#define zprof_lent_add      zprof_lent_add_if_there

#elif defined(ZPROF_DISABLE)
/* The compiler reads `arguments`; the program does not evaluate them. */
#define ZPROF_NEVER_(arguments, value) (0 ? (arguments, value) : value)
#define ZPROF_NO_ID_                   ((uint32_t)0)
#define ZPROF_NO_HANDLE_               ((uint64_t)0)
#define zprof_frame(name)              ZPROF_NEVER_((void)(name), (void)0)
#define zprof_frame_discard(name)      ZPROF_NEVER_((void)(name), (void)0)
#define zprof_pause()                  ((void)0)
#define zprof_resume()                 ((void)0)
#define zprof_watch(patterns)          ZPROF_NEVER_((void)(patterns), -1L)
#define zprof_unwatch(patterns)        ZPROF_NEVER_((void)(patterns), -1L)
#define zprof_flush()                  ((void)0)
#define zprof_thread_name(name)        ZPROF_NEVER_((void)(name), (void)0)
#define zprof_stack(base, bytes)       ZPROF_NEVER_(((void)(base), (void)(bytes)), (void)0)
#define zprof_recording()              false
#define zprof_lent(name, group, file, line)                                                        \
	ZPROF_NEVER_(((void)(name), (void)(group), (void)(file), (void)(line)), ZPROF_NO_ID_)
#define zprof_lent_late(describe, context)                                                         \
	ZPROF_NEVER_(((void)(describe), (void)(context)), ZPROF_NO_ID_)
#define zprof_lent_enter(zone) ZPROF_NEVER_((void)(zone), (void)0)
#define zprof_lent_enter_at(zone, line, column)                                                    \
	ZPROF_NEVER_(((void)(zone), (void)(line), (void)(column)), (void)0)
#define zprof_lent_reenter(zone)           ZPROF_NEVER_((void)(zone), (void)0)
#define zprof_lent_leave()                 ((void)0)
#define zprof_lent_replace(zone, how)      ZPROF_NEVER_(((void)(zone), (void)(how)), (void)0)
#define zprof_lent_depth()                 ((size_t)0)
#define zprof_lent_unwind(depth)           ZPROF_NEVER_((void)(depth), (void)0)
#define zprof_lent_counter(name, variable) ZPROF_NEVER_(((void)(name), (void)(variable)), false)
#define zprof_lent_missed(what, count)     ZPROF_NEVER_(((void)(what), (void)(count)), (void)0)
#define zprof_lent_runner(function)        ZPROF_NEVER_((void)(function), (void)0)
#define zprof_lent_stack()                 ZPROF_NO_HANDLE_
#define zprof_lent_switch(stack)           ZPROF_NEVER_((void)(stack), (void)0)
#define zprof_lent_capture()               ZPROF_NO_HANDLE_
#define zprof_lent_restore(continuation)   ZPROF_NEVER_((void)(continuation), (void)0)
#define zprof_lent_free(handle)            ZPROF_NEVER_((void)(handle), (void)0)
#define zprof_lent_begin(asking)           ZPROF_NEVER_((void)(asking), false)
#define zprof_lent_asks(asking)            ZPROF_NEVER_((void)(asking), false)
#define zprof_lent_path(asking, zones, count)                                                      \
	ZPROF_NEVER_(((void)(asking), (void)(zones), (void)(count)), (size_t)0)
#define zprof_lent_add(contexts, count) ZPROF_NEVER_(((void)(contexts), (void)(count)), (void)0)
#endif

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/*
 * python.c - tells zprof of the calls of a Python program, by the interpreter's own interface.
 *
 * libzprof.so loads this library when it finds CPython in a process that is recorded
 * (preload/start/adapters.c). Nothing is done then but to add an audit hook, which CPython allows
 * before it is initialized. The hook waits for the program to begin, and gives the thread's state a
 * profile function. Every other thread gets it as it begins:
 *
 *     _thread.start_new_thread() makes the state of the new thread, and returns without having let
 *     go of the interpreter's lock. A profile function is called for the return of a C function, too,
 *     still before anybody else may have the lock. So the new state is found then.
 *
 * States that C code makes (PyGILState_Ensure) are found at some later event, or never. Calls before
 * that are missing, and the loss is counted.
 *
 * The profile function's object is NULL, so sys.getprofile() returns None, as without zprof. If the
 * program sets a profile function itself, that one takes the place of ours, and works as without
 * zprof. The zones of the thread are left meanwhile. Once the program's function is gone, ours comes
 * back.
 *
 * The adapter must never raise an exception, print, or run Python code of the program's.
 */
#include "preload/adapters/python/audit.h"
#include "preload/adapters/python/cpython.h"
#include "preload/adapters/python/functions.h"
#include "preload/zprof.h"

#include <stdlib.h>
#include <string.h>

#define PLAIN __attribute__((no_instrument_function))

/* Everything but `self` is protected by the interpreter's lock. */
static bool installed;                  /* the program has begun, and is recorded */
static struct interpreter *interpreter; /* the main one */
static struct object *getprofile;       /* sys.getprofile */
static uint64_t newest;                 /* identity of the newest state that was looked at */
static bool setting;                    /* we are setting a profile function */
static bool with_lines;                 /* the lines of calls are kept (callsites=1) */
static bool with_builtins;              /* functions in C are zones, too (builtins=1) */

/* States in which the program has set a profile function of its own; the latest of them. */
static uint64_t taken[64];
static unsigned int taken_next;

/* What is known of the calling thread. */
static __thread struct {
	size_t depth;   /* zones that were entered and not left */
	size_t base;    /* what zprof_lent_depth() was below them */
	size_t *places; /* of these zones on the zone stack; kept if the lines of calls are */
	size_t room;
	bool taken;           /* the program's own profile function has taken our place */
	bool paused;          /* the latest event was in a pause */
	bool met;             /* zprof knows the thread */
	unsigned int skipped; /* events in pauses */
	bool is_main;         /* the interpreter runs pending calls here */
} self __attribute__((tls_model("initial-exec")));

/* ---- zones */

/* Keeps the place on the zone stack of the zone that was entered last. */
static void keep_place(void)
{
	if (self.depth > self.room) {
		size_t room = 2 * self.depth + 64;
		size_t *more = realloc(self.places, room * sizeof(*more));

		if (!more)
			return;
		self.places = more;
		self.room = room;
	}
	self.places[self.depth - 1] = zprof_lent_depth();
}

static void forget_places(void)
{
	free(self.places);
	self.places = NULL;
	self.room = 0;
}

/*
 * One place in the code for each kind of event: the library remembers the place that an event came
 * from last.
 */
static __attribute__((noinline)) void enter(const struct function *f)
{
	zprof_lent_enter(f->zone);
	self.depth++;
}

static __attribute__((noinline)) void reenter(const struct function *f)
{
	zprof_lent_reenter(f->zone);
	self.depth++;
	if (with_lines)
		keep_place();
}

/*
 * Enters a function with the line of the call, which is in the function that runs in the frame `back`.
 * If compiled functions with zones run between the two, the call is theirs, and has no line.
 */
static __attribute__((noinline)) void enter_at_line(const struct function *f, struct object *back)
{
	int line = 0;

	if (back && self.depth && self.depth <= self.room &&
	    self.places[self.depth - 1] == zprof_lent_depth())
		line = PyFrame_GetLineNumber(back);
	zprof_lent_enter_at(f->zone, line > 0 ? (uint32_t)line : 0, 0);
	self.depth++;
	keep_place();
}

static __attribute__((noinline)) void leave(void)
{
	self.depth--;
	zprof_lent_leave();
	if (!self.depth && self.places)
		forget_places();
}

/* Enters the zones of `frame` and of those that called it, which are not known yet. */
static void enter_open(struct object *frame)
{
	const struct function **all = NULL;
	size_t count = 0, room = 0;

	self.base = zprof_lent_depth();
	if (frame)
		Py_IncRef(frame);
	while (frame) {
		struct object *back = PyFrame_GetBack(frame);

		if (count == room) {
			const struct function **more;

			room = 2 * room + 64;
			more = realloc(all, room * sizeof(*all));
			if (!more)
				room = count;
			else
				all = more;
		}
		if (count < room && (all[count] = functions_of(frame)))
			count++;
		Py_DecRef(frame);
		frame = back;
	}
	while (count)
		reenter(all[--count]);
	free(all);
}

/*
 * Abandons the zones of the calling thread. If compiled functions with zones of their own stand
 * between them, they stay: those functions are still running.
 */
static void abandon_open(void)
{
	if (self.depth && zprof_lent_depth() == self.base + self.depth)
		zprof_lent_unwind(self.base);
	self.depth = 0;
}

/* ---- states of threads */

static profile_function profile;

static bool is_taken(uint64_t id)
{
	unsigned int i;

	for (i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (taken[i] == id)
			return true;
	return false;
}

static bool install(struct thread_state *state)
{
	struct object *type, *value, *traceback;
	bool done;

	PyErr_Fetch(&type, &value, &traceback);
	setting = true;
	done = _PyEval_SetProfile(state, profile, NULL) == 0;
	setting = false;
	if (!done)
		PyErr_Clear();
	PyErr_Restore(type, value, traceback);
	return done;
}

/* Whether `callable` is a function of the module _thread that starts a thread. */
static bool starts_thread(struct object *callable)
{
	struct object *type, *value, *traceback, *name, *bytes = NULL;
	bool does = false;

	PyErr_Fetch(&type, &value, &traceback);
	name = callable ? PyObject_GetAttrString(callable, "__name__") : NULL;
	if (name)
		bytes = PyUnicode_AsEncodedString(name, "utf-8", "backslashreplace");
	if (bytes) {
		does = !strncmp(PyBytes_AsString(bytes), "start_", 6);
		Py_DecRef(bytes);
	}
	if (name)
		Py_DecRef(name);
	PyErr_Clear();
	PyErr_Restore(type, value, traceback);
	return does;
}

/*
 * Gives states that are newer than `newest` the profile function. The newest comes first in the
 * interpreter's list, and their identities are consecutive. (C code may make a state without holding
 * the lock, so the list may grow meanwhile, at its head.)
 */
static __attribute__((noinline)) void find_states(struct thread_state *state, bool timely)
{
	uint64_t known = newest, missing;

	newest = PyThreadState_GetID(state);
	missing = newest - known;
	for (; state && PyThreadState_GetID(state) > known; state = PyThreadState_Next(state)) {
		if (is_taken(PyThreadState_GetID(state)))
			missing--;
		else if (install(state) && timely)
			missing--;
	}
	if (missing)
		zprof_lent_missed(ZPROF_MISSED_BEGINNING, missing);
}

/* `callable`: the C function that has returned. */
static void look_for_states(struct object *callable)
{
	struct thread_state *head = PyInterpreterState_ThreadHead(interpreter);

	if (PyThreadState_GetID(head) > newest)
		find_states(head, starts_thread(callable));
}

/*
 * States that C code made, and that ended before they were found, show only as a gap before the next
 * state's identity. So one more is made as the interpreter ends.
 */
static void count_unfound(void)
{
	struct thread_state *last = PyThreadState_New(interpreter);

	if (!last)
		return;
	if (PyThreadState_GetID(last) > newest + 1)
		zprof_lent_missed(ZPROF_MISSED_BEGINNING, PyThreadState_GetID(last) - newest - 1);
	newest = PyThreadState_GetID(last);
	PyThreadState_Clear(last);
	PyThreadState_Delete(last);
}

/* ---- events */

static void enter_called(const struct function *f, struct object *frame)
{
	struct object *back = PyFrame_GetBack(frame);

	enter_at_line(f, back);
	if (back)
		Py_DecRef(back);
}

/*
 * Whether events are left out, because of a pause. As a pause begins, the thread's zones are left; the
 * first event after its end enters those of the open frames again. In between, a pure Python program
 * calls no hook that would find a request to record (preload/process/request.h), so now and then the
 * library is called.
 */
static bool in_pause(struct object *frame)
{
	const struct function *f;

	if (zprof_recording()) {
		self.paused = false;
		self.met = true;
		return false;
	}
	if (!self.paused) {
		abandon_open();
		self.paused = true;
	}
	if (self.met) {
		if (self.skipped++ % 16 == 0)
			zprof_lent_depth();
	} else if ((f = functions_of(frame))) {
		/* The first event of a thread must be one that begins it. */
		zprof_lent_reenter(f->zone);
		zprof_lent_leave();
		self.met = true;
	}
	return true;
}

/* A function in C, `callable`, is called by the code of `frame`, or returns. */
static void profile_c(struct object *frame, int what, struct object *callable)
{
	const struct function *f = functions_of_c(callable);

	if (!f)
		return;
	if (what == PROFILE_C_CALL) {
		if (!self.depth)
			enter_open(frame);
		if (with_lines)
			enter_at_line(f, frame);
		else
			enter(f);
	} else if (self.depth) {
		leave();
	}
}

static PLAIN int profile(struct object *object, struct object *frame, int what,
			 struct object *argument)
{
	const struct function *f;

	(void)object;
	if (what == PROFILE_C_RETURN)
		look_for_states(argument);
	if ((what == PROFILE_CALL || what == PROFILE_RETURN || with_builtins) && in_pause(frame))
		return 0;
	if (with_builtins && what >= PROFILE_C_CALL && what <= PROFILE_C_RETURN)
		profile_c(frame, what, argument);
	if (what != PROFILE_CALL && what != PROFILE_RETURN)
		return 0;
	if (what == PROFILE_RETURN) {
		if (!self.depth)
			enter_open(frame);
		if (self.depth)
			leave();
		return 0;
	}
	if (!self.depth) {
		struct object *back = PyFrame_GetBack(frame);

		enter_open(back);
		if (back)
			Py_DecRef(back);
	}
	f = functions_of(frame);
	if (!f)
		return 0;
	if (f->begins >= 0 && f->begins != PyFrame_GetLasti(frame))
		reenter(f);
	else if (with_lines)
		enter_called(f, frame);
	else
		enter(f);
	return 0;
}

/* ---- the program's own profile functions */

/* Whether the calling thread has a profile function of the program's. */
static bool program_profiles(void)
{
	struct object *type, *value, *traceback, *now;
	bool does;

	PyErr_Fetch(&type, &value, &traceback);
	now = PyObject_CallObject(getprofile, NULL);
	does = now != &_Py_NoneStruct;
	if (now)
		Py_DecRef(now);
	else
		PyErr_Clear();
	PyErr_Restore(type, value, traceback);
	return does;
}

static void forget_taken(uint64_t id)
{
	unsigned int i;

	for (i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (taken[i] == id)
			taken[i] = 0;
}

/* Comes back once the program's profile function is gone. */
static void come_back(void)
{
	struct thread_state *state = PyThreadState_Get();

	if (!self.taken || program_profiles())
		return;
	self.taken = false;
	forget_taken(PyThreadState_GetID(state));
	install(state);
}

/* Runs in the main thread after the call of sys.setprofile() that asked for it. */
static int after_setprofile(void *data)
{
	(void)data;
	if (self.taken) {
		come_back();
		if (self.taken)
			zprof_lent_missed(ZPROF_MISSED_STRETCH, 1);
	}
	return 0;
}

/* The program is about to set, or to remove, a profile function of the calling thread. */
static void give_way(struct thread_state *state)
{
	if (!self.taken) {
		abandon_open();
		self.taken = true;
		taken[taken_next++ % (sizeof(taken) / sizeof(taken[0]))] =
		    PyThreadState_GetID(state);
		if (!self.is_main)
			zprof_lent_missed(ZPROF_MISSED_STRETCH, 1);
	}
	if (self.is_main)
		Py_AddPendingCall(after_setprofile, NULL);
}

/* ---- the beginning */

static bool begins(const char *event)
{
	static const char run[] = "cpython.run_";

	/* A program that has Python inside begins with code that no Python code has called. */
	return !strncmp(event, run, sizeof(run) - 1) ||
	       (!strcmp(event, "exec") && !PyEval_GetFrame());
}

static struct thread_state *current_state(void)
{
	if (PyThreadState_GetUnchecked)
		return PyThreadState_GetUnchecked();
	return _PyThreadState_UncheckedGet ? _PyThreadState_UncheckedGet() : NULL;
}

static void begin(struct thread_state *state, int minor)
{
	const char *options = getenv("ZPROF_OPTIONS");

	if (PyThreadState_GetInterpreter(state) != PyInterpreterState_Main() ||
	    !(zprof_recording() || (options && strstr(options, "start=off"))))
		return;
	getprofile = PySys_GetObject("getprofile");
	if (!getprofile || !functions_init(minor))
		return;
	Py_IncRef(getprofile);
	zprof_lent_runner((const void *)(uintptr_t)_PyEval_EvalFrameDefault);
	interpreter = PyInterpreterState_Main();
	self.is_main = true;
	with_lines = options && strstr(options, "callsites=1");
	with_builtins = options && strstr(options, "builtins=1");
	newest = PyThreadState_GetID(PyInterpreterState_ThreadHead(interpreter));
	for (state = PyInterpreterState_ThreadHead(interpreter); state;
	     state = PyThreadState_Next(state))
		installed |= install(state);
}

/*
 * Counts an interpreter within the process at its first event. Such an interpreter may have a lock of
 * its own.
 */
static void refuse(struct interpreter *other)
{
	static int64_t refused; /* the highest number of an interpreter that was counted */
	int64_t number = PyInterpreterState_GetID(other), before = refused;

	while (before < number)
		if (__atomic_compare_exchange_n(&refused, &before, number, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED)) {
			zprof_lent_missed(ZPROF_MISSED_INTERPRETER, 1);
			return;
		}
}

static int audit(const char *event, struct object *arguments, void *data)
{
	struct thread_state *state = current_state();

	(void)arguments;
	if (!strcmp(event, "cpython._PySys_ClearAuditHooks")) {
		if (installed && state)
			count_unfound();
		installed = false;
		audit_end();
	}
	if (!state || setting)
		return 0;
	if (!installed) {
		if (begins(event))
			begin(state, (int)(intptr_t)data);
		return 0;
	}
	if (PyThreadState_GetInterpreter(state) != interpreter) {
		refuse(PyThreadState_GetInterpreter(state));
		return 0;
	}
	if (!strcmp(event, "sys.setprofile")) {
		give_way(state);
		return 0;
	}
	if (PyThreadState_GetID(state) > newest)
		find_states(PyInterpreterState_ThreadHead(interpreter), false);
	if (self.taken)
		come_back();
	return 0;
}

/* The y of Python 3.y; 0: a version that the adapter does not know. */
static int known_version(void)
{
	const char *version = Py_GetVersion();
	int minor = strncmp(version, "3.", 2) ? 0 : atoi(version + 2);

	/* Without the interpreter's lock nothing would protect what is kept here. */
	if (minor < 11 || minor > 13 || strstr(version, "free-threading"))
		return 0;
	return minor;
}

static __attribute__((constructor)) void add_hook(void)
{
	int minor = known_version();

	if (minor && PySys_AddAuditHook)
		audit_begin(audit, (void *)(intptr_t)minor);
}

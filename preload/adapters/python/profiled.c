/* SPDX-License-Identifier: MIT */
/* profiled.c - see profiled.h. */
#include "preload/adapters/python/profiled.h"
#include "preload/adapters/python/functions.h"
#include "preload/adapters/python/open.h"
#include "preload/zprof.h"

#include <string.h>

#define PLAIN __attribute__((no_instrument_function))

/* Everything but `self` is protected by the interpreter's lock. */
static struct interpreter *interpreter;
static struct object *getprofile; /* sys.getprofile */
static uint64_t newest;           /* identity of the newest state that was looked at */
static bool setting;              /* we are setting a profile function */
static bool with_builtins;

/* States in which the program has set a profile function of its own; the latest of them. */
static uint64_t taken[64];
static unsigned int taken_next;

/* What is known of the calling thread. */
static __thread struct {
	bool taken;   /* the program's own profile function has taken our place */
	bool is_main; /* the interpreter runs pending calls here */
} self __attribute__((tls_model("initial-exec")));

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
void profiled_end(void)
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

/* A function in C, `callable`, is called by the code of the current frame, or returns. */
static void profile_c(int what, struct object *callable)
{
	const struct function *f = functions_of_c(callable);

	if (f && what == PROFILE_C_CALL)
		open_called_c(f);
	else if (f)
		open_left_c();
}

/* A generator's call event at another place than its beginning is a resumption. */
static void profile_call(struct object *frame)
{
	struct object *code = PyFrame_GetCode(frame);
	const struct function *f = functions_of(code, frame);

	if (f && f->begins >= 0 && f->begins != PyFrame_GetLasti(frame))
		open_resumed(f, code);
	else if (f)
		open_called(f, code);
	Py_DecRef(code);
}

/*
 * `value` is NULL if an exception ends the function. It may then never have begun; else there is no
 * need to take the time to ask for its code.
 */
static void profile_return(struct object *frame, struct object *value)
{
	struct object *code = value ? NULL : PyFrame_GetCode(frame);

	open_left(code);
	if (code)
		Py_DecRef(code);
}

static PLAIN int profile(struct object *object, struct object *frame, int what,
			 struct object *argument)
{
	(void)object;
	if (what == PROFILE_C_RETURN)
		look_for_states(argument);
	if ((what == PROFILE_CALL || what == PROFILE_RETURN || with_builtins) && open_in_pause())
		return 0;
	if (what == PROFILE_CALL)
		profile_call(frame);
	else if (what == PROFILE_RETURN)
		profile_return(frame, argument);
	else if (with_builtins && what >= PROFILE_C_CALL && what <= PROFILE_C_RETURN)
		profile_c(what, argument);
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
		open_abandon();
		self.taken = true;
		taken[taken_next++ % (sizeof(taken) / sizeof(taken[0]))] =
		    PyThreadState_GetID(state);
		if (!self.is_main)
			zprof_lent_missed(ZPROF_MISSED_STRETCH, 1);
	}
	if (self.is_main)
		Py_AddPendingCall(after_setprofile, NULL);
}

/* ---- */

bool profiled_begin(struct interpreter *main, bool builtins)
{
	struct thread_state *state;
	bool installed = false;

	getprofile = PySys_GetObject("getprofile");
	if (!getprofile)
		return false;
	Py_IncRef(getprofile);
	interpreter = main;
	self.is_main = true;
	with_builtins = builtins;
	newest = PyThreadState_GetID(PyInterpreterState_ThreadHead(interpreter));
	for (state = PyInterpreterState_ThreadHead(interpreter); state;
	     state = PyThreadState_Next(state))
		installed |= install(state);
	return installed;
}

void profiled_audit(const char *event, struct thread_state *state)
{
	if (setting)
		return;
	if (!strcmp(event, "sys.setprofile")) {
		give_way(state);
		return;
	}
	if (PyThreadState_GetID(state) > newest)
		find_states(PyInterpreterState_ThreadHead(interpreter), false);
	if (self.taken)
		come_back();
}

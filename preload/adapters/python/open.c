/* SPDX-License-Identifier: MIT */
/* open.c - see open.h. */
#include "preload/adapters/python/open.h"
#include "preload/zprof.h"

#include <stdlib.h>

struct open_zone {
	struct object *code; /* of its function, to be compared only; NULL: a function in C */
	size_t place;        /* on the zone stack; kept if the lines of calls are */
};

static bool with_lines;

static __thread struct {
	size_t depth;            /* zones that were entered and not left */
	size_t base;             /* what zprof_lent_depth() was below them */
	struct open_zone *zones; /* the first `room` of them */
	size_t room;
	bool paused;          /* the latest event was in a pause */
	bool met;             /* zprof knows the thread */
	unsigned int skipped; /* events in pauses */
} self __attribute__((tls_model("initial-exec")));

void open_init(bool lines)
{
	with_lines = lines;
}

/* ---- one zone */

static __attribute__((noinline)) bool make_room(void)
{
	size_t room = 2 * self.depth + 64;
	struct open_zone *more = realloc(self.zones, room * sizeof(*more));

	if (!more)
		return false;
	self.zones = more;
	self.room = room;
	return true;
}

/* Keeps what is known of the zone that was entered last. */
static void keep(struct object *code)
{
	self.depth++;
	if (self.depth > self.room && !make_room())
		return;
	self.zones[self.depth - 1].code = code;
	if (with_lines)
		self.zones[self.depth - 1].place = zprof_lent_depth();
}

/*
 * One place in the code for each kind of event: the library remembers the place that an event came
 * from last.
 */
static __attribute__((noinline)) void enter(const struct function *f, struct object *code)
{
	zprof_lent_enter(f->zone);
	keep(code);
}

static __attribute__((noinline)) void reenter(const struct function *f, struct object *code)
{
	zprof_lent_reenter(f->zone);
	keep(code);
}

/*
 * Enters a function with the line of the call, which is in the function that runs in the frame `back`.
 * If compiled functions with zones run between the two, the call is theirs, and has no line.
 */
static __attribute__((noinline)) void enter_at_line(const struct function *f, struct object *code,
						    struct object *back)
{
	int line = 0;

	if (back && self.depth && self.depth <= self.room &&
	    self.zones[self.depth - 1].place == zprof_lent_depth())
		line = PyFrame_GetLineNumber(back);
	zprof_lent_enter_at(f->zone, line > 0 ? (uint32_t)line : 0, 0);
	keep(code);
}

static void forget(void)
{
	self.depth = 0;
	self.room = 0;
	free(self.zones);
	self.zones = NULL;
}

static __attribute__((noinline)) void leave(void)
{
	self.depth--;
	zprof_lent_leave();
	if (!self.depth)
		forget();
}

/* ---- all zones */

struct open_frame {
	const struct function *function;
	struct object *code;
};

/* The code of a frame, which keeps it. */
static struct object *code_of(struct object *frame)
{
	struct object *code = PyFrame_GetCode(frame);

	Py_DecRef(code);
	return code;
}

/* Enters the zones of `frame` and of those that called it, when none is open. */
static void enter_open(struct object *frame)
{
	struct open_frame *all = NULL;
	size_t count = 0, room = 0;

	self.base = zprof_lent_depth();
	if (frame)
		Py_IncRef(frame);
	while (frame) {
		struct object *back = PyFrame_GetBack(frame);

		if (count == room) {
			struct open_frame *more;

			room = 2 * room + 64;
			more = realloc(all, room * sizeof(*all));
			if (!more)
				room = count;
			else
				all = more;
		}
		if (count < room) {
			all[count].code = code_of(frame);
			all[count].function = functions_of(all[count].code, frame);
			if (all[count].function)
				count++;
		}
		Py_DecRef(frame);
		frame = back;
	}
	for (; count; count--)
		reenter(all[count - 1].function, all[count - 1].code);
	free(all);
}

static void enter_open_callers(void)
{
	struct object *frame = PyEval_GetFrame(), *back = frame ? PyFrame_GetBack(frame) : NULL;

	enter_open(back);
	if (back)
		Py_DecRef(back);
}

/*
 * If compiled functions with zones of their own stand between the zones, they stay: those functions
 * are still running.
 */
void open_abandon(void)
{
	if (self.depth && zprof_lent_depth() == self.base + self.depth)
		zprof_lent_unwind(self.base);
	forget();
}

/* The code of the Python function whose zone was opened last; NULL: there is none. */
static struct object *last_code(void)
{
	size_t i = self.depth <= self.room ? self.depth : 0;

	while (i && !self.zones[i - 1].code)
		i--;
	return i ? self.zones[i - 1].code : NULL;
}

/*
 * The function of the current frame ends, and is not the one whose zone was opened last. Python tells
 * of the end of a function that has never begun, if a signal's handler, or another tool, raises an
 * exception at its first instruction. Then its caller's zone is the last, as it should be, and there
 * is nothing to do. Else what is open is found anew.
 */
static __attribute__((noinline)) void mend(void)
{
	struct object *frame = PyEval_GetFrame(), *back = frame ? PyFrame_GetBack(frame) : NULL;
	bool never_begun = back && code_of(back) == last_code();

	if (back)
		Py_DecRef(back);
	if (never_begun)
		return;
	open_abandon();
	enter_open_callers();
}

/* ---- events */

/*
 * In a pause a pure Python program calls no hook that would find a request to record
 * (preload/process/request.h), so now and then the library is called.
 */
static __attribute__((noinline)) void skip(void)
{
	struct object *frame;
	const struct function *f;

	if (!self.paused) {
		open_abandon();
		self.paused = true;
	}
	if (self.met) {
		if (self.skipped++ % 16 == 0)
			zprof_lent_depth();
	} else if ((frame = PyEval_GetFrame()) && (f = functions_of(code_of(frame), frame))) {
		/* The first event of a thread must be one that begins it. */
		zprof_lent_reenter(f->zone);
		zprof_lent_leave();
		self.met = true;
	}
}

bool open_in_pause(void)
{
	if (!zprof_recording()) {
		skip();
		return true;
	}
	self.paused = false;
	self.met = true;
	return false;
}

void open_called(const struct function *f, struct object *code)
{
	if (!self.depth)
		enter_open_callers();
	if (with_lines) {
		struct object *frame = PyEval_GetFrame();
		struct object *back = frame ? PyFrame_GetBack(frame) : NULL;

		enter_at_line(f, code, back);
		if (back)
			Py_DecRef(back);
	} else {
		enter(f, code);
	}
}

void open_resumed(const struct function *f, struct object *code)
{
	if (!self.depth)
		enter_open_callers();
	reenter(f, code);
}

void open_left(struct object *code)
{
	if (!self.depth)
		enter_open(PyEval_GetFrame());
	else if (code && self.depth <= self.room && self.zones[self.depth - 1].code != code) {
		mend();
		return;
	}
	if (self.depth)
		leave();
}

void open_called_c(const struct function *f)
{
	struct object *frame = PyEval_GetFrame();

	if (!self.depth)
		enter_open(frame);
	if (with_lines)
		enter_at_line(f, NULL, frame);
	else
		enter(f, NULL);
}

void open_left_c(void)
{
	if (self.depth)
		leave();
}

/* SPDX-License-Identifier: MIT */
/* attach_wait.c - see attach_wait.h. */
#define _GNU_SOURCE
#include "report/process/attach_wait.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "report/core/base/say.h"

#define POLL_NS     2000000
#define SOON_NS     100000 /* while a thread of the process waits for us */
#define PATIENCE_NS 2000000000

volatile sig_atomic_t attach_interrupted;
static volatile sig_atomic_t interrupted; /* a wait is to end */

static void interrupt(int signal)
{
	(void)signal;
	interrupted = attach_interrupted = 1;
}

void attach_catch_interrupts(void)
{
	struct sigaction action = {.sa_handler = interrupt};
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void nap(int64_t ns)
{
	struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
	nanosleep(&t, NULL);
}

/* A process that has gone has no memory, even if its parent has not waited for it yet. */
bool attach_has_gone(const struct running *r)
{
	uint64_t magic;
	return !running_read(r, r->request, &magic, sizeof magic);
}

void attach_sleep(const struct running *r, double seconds)
{
	int64_t left = (int64_t)(seconds * 1e9);
	for (; left > 0 && !interrupted && !attach_has_gone(r); left -= 100000000)
		nap(left < 100000000 ? left : 100000000);
	interrupted = 0;
}

const struct option_spec attach_option_stopped[] = {
    {0, "stopped", NULL, NULL, OPTION_OWN_FLAG(attach_options, stopped),
     "let all threads of the process stand still, by ptrace, whenever bytes of its code are stored"},
    OPTIONS_END,
};

const struct option_spec attach_options[] = {
    OPTIONS_OF(attach_option_stopped),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};
bool attach_request(struct running *r, enum request_what what, const char *options,
		    struct str *profile, struct str *err)
{
	bool answered = false, told = false;
	int64_t knock_at = ASK_KNOCK_NS;
	r->reach.stopped.brief = true;
	if (!ask_for(r, what, options, err)) {
		ask_withdraw(r);
		return false;
	}
	int64_t step = r->reach.stops ? SOON_NS : POLL_NS;
	for (int64_t waited = 0; ask_answered(r, &answered, err) && !answered; waited += step) {
		if (!ask_store(r, err))
			return false;
		if (waited >= knock_at) {
			knock_at *= 2;
			if (!ask_is_taken_on(r) && !ask_knock(r, err)) {
				ask_withdraw(r);
				return false;
			}
		}
		if (interrupted && !ask_is_taken_on(r)) {
			ask_withdraw(r);
			return str_fail(err, "interrupted: process %d goes on as before",
					(int)r->pid);
		}
		if (r->patience_s > 0 && (double)waited > r->patience_s * 1e9 &&
		    !ask_is_taken_on(r)) {
			if (what != REQUEST_END)
				ask_withdraw(r);
			return str_fail(err, "process %d calls no function that has hooks",
					(int)r->pid);
		}
		if (!told && waited >= PATIENCE_NS)
			say("waiting until process %d calls a function that has hooks",
			    (int)r->pid);
		told |= waited >= PATIENCE_NS;
		nap(step);
	}
	return answered && ask_answer(r, profile, err);
}

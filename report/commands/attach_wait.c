/* SPDX-License-Identifier: MIT */
/* attach_wait.c - see attach_wait.h. */
#define _GNU_SOURCE
#include "report/commands/attach_wait.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "report/base/say.h"

#define POLL_NS     2000000
#define PATIENCE_NS 2000000000

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
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

void attach_sleep(const struct running *r, double seconds)
{
	for (int64_t left = (int64_t)(seconds * 1e9); left > 0 && !interrupted; left -= 100000000) {
		if (kill(r->pid, 0) && errno == ESRCH)
			return;
		nap(left < 100000000 ? left : 100000000);
	}
	interrupted = 0;
}

bool attach_request(struct running *r, enum request_what what, const char *options,
		    struct str *profile, struct str *err)
{
	bool answered = false;
	if (!running_ask(r, what, options, err)) {
		running_withdraw(r);
		return false;
	}
	for (int64_t waited = 0; running_answered(r, &answered, err) && !answered;
	     waited += POLL_NS) {
		if (what != REQUEST_BEGIN && waited == RUNNING_KNOCK_NS && !running_knock(r, err))
			return false;
		if (interrupted) {
			running_withdraw(r);
			return str_fail(err, "interrupted: process %d goes on as before",
					(int)r->pid);
		}
		if (waited / POLL_NS == PATIENCE_NS / POLL_NS)
			say("waiting until process %d calls a function that has hooks",
			    (int)r->pid);
		nap(POLL_NS);
	}
	return answered && running_answer(r, profile, err);
}

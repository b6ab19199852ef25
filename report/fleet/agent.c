/* SPDX-License-Identifier: MIT */
/* agent.c - see agent.h. */
#define _GNU_SOURCE
#include "report/fleet/agent.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "report/core/base/clock.h"
#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/core/command/command.h"
#include "report/core/disk/file_kind.h"
#include "report/core/read/recordings.h"

#define KEEP_MOST 20
#define NICE      10

static void wait_until(int64_t ns)
{
	const struct timespec step = {.tv_nsec = 20000000};
	while (!attach_interrupted && clock_ns(CLOCK_MONOTONIC) < ns)
		nanosleep(&step, NULL);
}

/* ---- files of processes */

static struct agent_profile *find_profile(struct agent *a, const char *path)
{
	for (size_t i = 0; i < a->profile_count; i++)
		if (!strcmp(a->profiles[i].path, path))
			return &a->profiles[i];
	return NULL;
}

/* Whether there is such a process, whoever's it is. */
static bool is_there(pid_t pid)
{
	return !kill(pid, 0) || errno == EPERM;
}

/* Removes the profiles that were begun for us, of processes that have ended. Another process may have
 * the number by now, and a profile of its own under that name. */
static void remove_ended(struct agent *a)
{
	size_t left = 0;
	for (size_t i = 0; i < a->profile_count; i++) {
		struct agent_profile *p = &a->profiles[i];
		struct zprof_header h;
		if (is_there(p->pid)) {
			a->profiles[left++] = *p;
			continue;
		}
		if (file_header(p->path, &h) && h.pid == (uint32_t)p->pid &&
		    !file_is_live(p->path, &h))
			unlink(p->path);
		free(p->path);
	}
	a->profile_count = left;
}

/* ---- what becomes of a recording */

static void keep(struct agent *a, const struct message *m)
{
	struct str err = {0};
	if (!a->spool.folder) {
		a->dropped++;
	} else if (!spool_put(&a->spool, m, &err)) {
		a->dropped++;
		say("%s", str_text(&err));
	}
	str_free(&err);
}

static bool receiver_is_due(const struct agent *a)
{
	return clock_ns(CLOCK_MONOTONIC) >= a->retry_ns;
}

/* Sends M once. False: it is to be sent later. */
static bool try_to_send(struct agent *a, const struct message *m)
{
	struct str why = {0};
	enum fleet_outcome outcome = receiver_try(&a->push.receiver, m, &why);
	if (outcome == FLEET_NOT_YET) {
		double pause = receiver_pause(++a->failures, receiver_luck());
		a->retry_ns = clock_ns(CLOCK_MONOTONIC) + (int64_t)(pause * 1e9);
		if (a->failures == 1)
			say("the receiver does not take profiles: %s", str_text(&why));
	} else {
		a->push.counts.of[outcome]++;
		a->failures = 0;
		if (outcome != FLEET_RECEIVED)
			say("a profile was %s: %s",
			    outcome == FLEET_PERHAPS ? "perhaps received, and is not sent again"
						     : "refused",
			    str_text(&why));
	}
	str_free(&why);
	return outcome != FLEET_NOT_YET;
}

/* Sends what was kept, until the receiver fails. */
static void send_kept(struct agent *a)
{
	struct message m;
	struct str path = {0};
	while (a->spool.folder && !attach_interrupted && receiver_is_due(a) &&
	       spool_oldest(&a->spool, &m, &path)) {
		bool done = try_to_send(a, &m);
		if (done)
			spool_remove(path.text);
		message_free(&m);
		if (!done)
			break;
	}
	str_free(&path);
}

static void hand_over(struct agent *a, const char *path)
{
	struct message m;
	struct str err = {0};
	char *file = memory_text(path, strlen(path));
	if (!message_make(&m, file, RECORDINGS_LAST, &a->push.labels, true, &err)) {
		a->failed++;
		say("%s", str_text(&err));
	} else {
		if (!receiver_is_due(a) || !try_to_send(a, &m))
			keep(a, &m);
		message_free(&m);
	}
	free(file);
	str_free(&err);
}

/* ---- a recording */

/* The path by which we reach the profile that a process named. */
static void profile_here(const struct running *r, const char *path, struct str *here)
{
	if (r->same_files)
		str_add(here, "%s", path);
	else
		str_add(here, "%s/root%s", r->proc, path);
}

static bool is_too_large(struct agent *a, const char *path)
{
	struct stat st;
	struct agent_profile *p = find_profile(a, path);
	if (!p || stat(path, &st) || (uint64_t)st.st_blocks * 512 <= AGENT_FILE_MOST)
		return false;
	if (!p->told)
		say("process %d is left alone: its profile '%s' has more than %u MB", (int)p->pid,
		    path, (unsigned)(AGENT_FILE_MOST >> 20));
	p->told = true;
	a->too_large++;
	return true;
}

/* Whether a profile that the process has begun for us before is full. */
static bool is_full(struct agent *a, pid_t pid)
{
	for (size_t i = 0; i < a->profile_count; i++)
		if (a->profiles[i].pid == pid && is_too_large(a, a->profiles[i].path))
			return true;
	return false;
}

static bool record(struct agent *a, struct running *r, struct str *here, struct str *err)
{
	enum process_state state;
	struct attach_wish wish = a->wish;
	struct str profile = {0};
	if (!running_state(r, &state, err))
		return false;
	/* A process that has a profile goes on in it. */
	if (state != PROCESS_UNBEGUN)
		wish.only = wish.output = NULL;
	bool ok = attach_record_begin(r, &wish, &profile, err);
	if (ok) {
		profile_here(r, str_text(&profile), here);
		if (state == PROCESS_UNBEGUN && !find_profile(a, here->text))
			*memory_next(a->profiles, a->profile_count, a->profile_room) =
			    (struct agent_profile){memory_text(here->text, here->used), r->pid,
						   false};
		ok = attach_record_end(r, a->for_seconds, err);
	}
	str_free(&profile);
	return ok;
}

static void record_process(struct agent *a, pid_t pid)
{
	char number[16];
	struct running r;
	struct str here = {0}, err = {0};
	snprintf(number, sizeof number, "%d", (int)pid);
	if (is_full(a, pid))
		return;
	bool opened = running_open(&r, number, &err);
	bool ok = opened && record(a, &r, &here, &err);
	/* With the process's files: in another namespace, they go when it goes. */
	if (ok) {
		a->recorded++;
		hand_over(a, str_text(&here));
	} else if (!attach_interrupted) {
		a->failed++;
		say("%s", str_text(&err));
	}
	if (opened)
		running_close(&r);
	str_free(&here);
	str_free(&err);
}

/* ---- a round */

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* The processes of all names; free() them. */
static pid_t *find_processes(const struct options *o, size_t *count)
{
	pid_t *all = NULL;
	size_t room = 0;
	*count = 0;
	for (size_t i = 0; i < o->path_count; i++) {
		if (is_number(o->paths[i])) {
			*memory_next(all, *count, room) = (pid_t)strtol(o->paths[i], NULL, 10);
			continue;
		}
		size_t found;
		pid_t *list = running_named(o->paths[i], &found);
		for (size_t k = 0; k < found; k++)
			*memory_next(all, *count, room) = list[k];
		free(list);
	}
	return all;
}

/* How many processes one round records: so that at most half of the time is recorded. */
static size_t most_in_round(const struct agent *a, size_t count)
{
	double room = a->own->every_seconds / (2 * a->for_seconds);
	size_t most = room < 1 ? 1 : room < (double)count ? (size_t)room : count;
	return a->own->every_seconds > 0 && most < count ? most : count;
}

static void say_round(const struct agent *a)
{
	struct str text = {0};
	str_add(&text, "%zu recorded, ", a->recorded);
	fleet_counts_text(&a->push.counts, &text);
	if (a->spool.folder && spool_count(&a->spool))
		str_add(&text, ", %zu kept", spool_count(&a->spool));
	if (a->dropped + a->spool.dropped)
		str_add(&text, ", %zu dropped", a->dropped + a->spool.dropped);
	if (a->failed)
		str_add(&text, ", %zu failed", a->failed);
	say("%s", text.text);
	str_free(&text);
}

static void make_round(struct agent *a, const struct options *o)
{
	size_t count;
	pid_t *all = find_processes(o, &count);
	size_t most = most_in_round(a, count),
	       first = count ? (size_t)(receiver_luck() * (double)count) : 0;
	for (size_t i = 0; i < most && !attach_interrupted; i++)
		record_process(a, all[(first + i) % count]);
	free(all);
	send_kept(a);
	remove_ended(a);
	say_round(a);
}

/* When the next round begins, after one that began at BEGAN and took CPU nanoseconds of us. */
static int64_t next_round(const struct agent *a, int64_t began, int64_t cpu)
{
	double wait = a->own->every_seconds * 1e9 * (0.9 + 0.2 * receiver_luck());
	double least = (double)cpu / AGENT_CPU_SHARE;
	return began + (int64_t)(wait > least ? wait : least);
}

static void make_rounds(struct agent *a, const struct options *o)
{
	int64_t next =
	    clock_ns(CLOCK_MONOTONIC) + (int64_t)(a->own->every_seconds * 1e9 * receiver_luck());
	while (!attach_interrupted) {
		wait_until(next);
		if (attach_interrupted)
			break;
		int64_t began = clock_ns(CLOCK_MONOTONIC), cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		make_round(a, o);
		next = next_round(a, began, clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	}
}

/* ---- begin and end */

static bool check(const struct agent *a, const struct options *o, struct str *err)
{
	if (!o->path_count)
		return str_fail(err,
				"no program: give the names of programs, or numbers of processes");
	if (!a->own->receiver.url)
		return str_fail(
		    err, "--every, --spool and --keep go with --push: the address of a receiver");
	if (a->for_seconds <= 0)
		return str_fail(err, "--push goes with --for: how long each process is recorded");
	if (a->own->every_seconds > 0 && a->own->every_seconds < 2 * a->for_seconds)
		return str_fail(err, "--every is at least twice the time of --for: a process is "
				     "recorded at most half of the time");
	return true;
}

static bool begin(struct agent *a, struct str *err)
{
	size_t most = a->own->keep ? a->own->keep : KEEP_MOST;
	if (!push_open(&a->push, &a->own->receiver, err))
		return false;
	if (a->own->spool && !spool_open(&a->spool, a->own->spool, most, err)) {
		push_close(&a->push);
		return false;
	}
	if (a->own->every_seconds > 0 && setpriority(PRIO_PROCESS, 0, NICE))
		say("cannot lower the agent's priority: %s", strerror(errno));
	return true;
}

static void end(struct agent *a)
{
	remove_ended(a);
	for (size_t i = 0; i < a->profile_count; i++)
		free(a->profiles[i].path);
	free(a->profiles);
	spool_close(&a->spool);
	push_close(&a->push);
}

int agent_run(void *given, struct options *o, struct str *err)
{
	const struct attach_options *of_attach = o->own;
	struct agent a = {
	    .own = given,
	    .wish = {of_attach->only, o->output, of_attach->stopped, AGENT_PATIENCE_S},
	    .for_seconds = of_attach->seconds};
	if (!check(&a, o, err)) {
		str_add(err, "; see 'zprof help attach'");
		return EXIT_USAGE;
	}
	if (!begin(&a, err))
		return EXIT_FAILED;
	attach_catch_interrupts();
	if (a.own->every_seconds > 0)
		make_rounds(&a, o);
	else
		make_round(&a, o);
	size_t sent = a.push.counts.of[FLEET_RECEIVED];
	bool ok = a.own->every_seconds > 0 || (sent && sent == a.recorded && !a.failed);
	end(&a);
	return ok ? EXIT_OK : EXIT_FAILED;
}

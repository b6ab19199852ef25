/* SPDX-License-Identifier: MIT */
/* notes_charged.c - what was charged to the thread of notes_thread.h, in words; and its sums. */
#include "preload/sample/charged.h"
#include "tests/sample/notes_kernel.h"
#include "tests/sample/notes_thread.h"

#include <stdarg.h>
#include <stdio.h>

static char said[4096];
static size_t said_bytes;

static __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	said_bytes += (size_t)vsnprintf(said + said_bytes, sizeof(said) - said_bytes, format, args);
	va_end(args);
}

static void say_time(uint64_t ns)
{
	if (ns >= 1000000 && ns % 10000 == 0)
		say("%gms", (double)ns / 1e6);
	else if (ns && ns % 1000 == 0)
		say("%lluus", (unsigned long long)ns / 1000);
	else
		say("%lluns", (unsigned long long)ns);
}

static void say_part(const char *name, uint64_t ns, uint32_t times)
{
	if (!ns && !times)
		return;
	say(" %s ", name);
	say_time(ns);
	say("/%u", times);
}

static const struct zprof_samples *samples_of_zone(enum thread_zone zone)
{
	uint32_t samples = twin_of(thread_node(zone))->samples;

	return samples ? charged_at(thread.process.file->base, samples) : NULL;
}

static void say_unsure(enum thread_zone zone)
{
	uintptr_t at = twin_of(thread_node(zone))->exit_ret;
	const struct zprof_unsure *u =
	    (const struct zprof_unsure *)(thread.process.file->base + (at & ~TWIN_UNSURE));

	if (!(at & TWIN_UNSURE))
		return;
	say_part("unsure", u->ns, u->samples);
	if (u->callees_ns) {
		say(" callees ");
		say_time(u->callees_ns);
	}
}

static void say_zone(enum thread_zone zone)
{
	const struct zprof_samples *r = samples_of_zone(zone);
	uint64_t ticks = thread_node(zone)->self_ticks;
	size_t began = said_bytes, after;

	say("%s%s", began ? ", " : "", thread_zones[zone]);
	after = said_bytes;
	if (r) {
		say_part("user", r->user_ns, r->user_samples);
		say_part("kernel", r->kernel_ns, r->kernel_samples);
		say_part("hook", r->hook_ns, r->hook_samples);
		say_part("waited", r->waited_ns, r->waits);
		say_part("preempted", r->preempted_ns, r->preemptions);
	}
	say_unsure(zone);
	if (ticks) {
		say(" ticks ");
		say_time(ticks / KERNEL_TICKS_PER_NS);
	}
	if (said_bytes == after)
		said_bytes = began;
}

static void say_wait(const struct zprof_wait *w)
{
	enum thread_zone zone;

	for (zone = 0; zone < ZONES; zone++)
		if (w->node == node_reference(thread.process.file->base, thread_node(zone)))
			say("%s%s", said_bytes ? ", " : "", thread_zones[zone]);
	if (w->call == ZPROF_WAIT_HOOK)
		say(" hook");
	else if (w->call == ZPROF_WAIT_OUTSIDE)
		say(" outside");
	else
		say(" call %d", w->call);
	say(" ");
	say_time(w->waited_ns);
	say("/%llu", (unsigned long long)w->waits);
}

static void say_loss(const char *name, enum zprof_counter kind)
{
	uint64_t n = thread.header.counters[kind];

	if (n)
		say("%slost %s %llu", said_bytes ? ", " : "", name, (unsigned long long)n);
}

const char *thread_charged(bool with_alive)
{
	enum thread_zone zone;
	uint32_t i;

	said_bytes = 0;
	for (zone = 0; zone < ZONES; zone++)
		say_zone(zone);
	for (i = 0; i < thread.wait_count; i++)
		say_wait(&thread.waits[i]);
	if (thread.record.unseen_ns) {
		say("%sunseen ", said_bytes ? ", " : "");
		say_time(thread.record.unseen_ns);
	}
	say_loss("samples", ZPROF_LOSS_SAMPLES);
	say_loss("waits", ZPROF_LOSS_WAITS);
	say_loss("samplers", ZPROF_LOSS_SAMPLERS);
	say_loss("waited", ZPROF_LOSS_WAITED);
	if (with_alive) {
		say("%salive ", said_bytes ? ", " : "");
		say_time(thread.header.now_ns ? thread.header.now_ns - KERNEL_BEGAN_NS : 0);
	}
	if (kernel.rings > 1)
		say("%srings %u", said_bytes ? ", " : "", kernel.rings);
	said[said_bytes] = '\0';
	return said;
}

const char *thread_unsound(bool knows_cpu_time, bool knows_all)
{
	uint64_t cpu = 0, program = 0;
	enum thread_zone zone;

	for (zone = 0; zone < ZONES; zone++) {
		const struct zprof_samples *r = samples_of_zone(zone);

		if (r) {
			cpu += r->user_ns + r->kernel_ns + r->hook_ns;
			program += r->user_ns + r->kernel_ns + r->waited_ns;
		}
	}
	if (thread.header.counters[ZPROF_LOSS_SAMPLES])
		return NULL;
	if (cpu + thread.record.unseen_ns != thread.record.sampled_ns)
		return "the thread's sampled_ns is not the sum of its zones and unseen_ns";
	if (program != thread.record.program_ns)
		return "the thread's program_ns is not the sum of its zones";
	if (knows_cpu_time && thread.record.sampled_ns > thread.parents_ns + kernel.cpu_ns)
		return "more CPU time was charged than the thread has had";
	if (knows_all && thread.record.sampled_ns + thread.notes.ran.left_ns !=
			     thread.notes.ran.seen_ns - thread.began_ns)
		return "CPU time is neither charged nor left";
	return NULL;
}

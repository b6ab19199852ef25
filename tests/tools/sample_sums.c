/* SPDX-License-Identifier: MIT */
/*
 * sample_sums.c - what samples saw of a process, summed from its profile's records.
 *
 *   sample_sums PROFILE
 *
 * Prints `name value` lines: what took them (sampler), perf_event_open's error, samples, the CPU
 * time that they stand for (user, kernel, hook, unseen, and their sum: cpu), time on no processor
 * (waited, preempted), and what was lost.
 */
#include "preload/format.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct sums {
	uint64_t samples, user, kernel, hook, unseen, waited, preempted, waits, preemptions;
};

static void add_records(struct sums *sums, const struct zprof_section *s)
{
	const struct zprof_samples *r = (const struct zprof_samples *)(s + 1);
	const struct zprof_samples *end = (const void *)((const char *)s + s->used);
	for (; r < end; r++) {
		sums->samples += r->user_samples + r->kernel_samples + r->hook_samples;
		sums->user += r->user_ns;
		sums->kernel += r->kernel_ns;
		sums->hook += r->hook_ns;
		sums->waited += r->waited_ns;
		sums->preempted += r->preempted_ns;
		sums->waits += r->waits;
		sums->preemptions += r->preemptions;
	}
}

static void add_threads(struct sums *sums, const struct zprof_section *s)
{
	const struct zprof_thread *t = (const struct zprof_thread *)(s + 1);
	const struct zprof_thread *end = (const void *)((const char *)s + s->used);
	for (; t + 1 <= end; t++)
		sums->unseen += t->unseen_ns;
}

static void say(const char *name, uint64_t value)
{
	printf("%s %llu\n", name, (unsigned long long)value);
}

int main(int argc, char **argv)
{
	struct stat st;
	struct sums sums = {0};
	const struct zprof_header *h;
	const char *at, *end;
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	if (fd < 0 || fstat(fd, &st) || st.st_size < ZPROF_GRANULE)
		return 1;
	h = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (h == MAP_FAILED)
		return 1;
	end = (const char *)h + st.st_size;
	for (at = (const char *)h + ZPROF_GRANULE; at < end;) {
		const struct zprof_section *s = (const void *)at;
		if (s->type == ZPROF_SECTION_SAMPLES)
			add_records(&sums, s);
		else if (s->type == ZPROF_SECTION_THREADS)
			add_threads(&sums, s);
		at += s->type ? s->bytes : ZPROF_GRANULE;
	}
	say("sampler", h->sampler);
	say("error", h->sampler_error);
	say("period", h->sample_period_ns);
	say("price", h->sample_price_ns);
	say("samples", sums.samples);
	say("user", sums.user);
	say("kernel", sums.kernel);
	say("hook", sums.hook);
	say("unseen", sums.unseen);
	say("cpu", sums.user + sums.kernel + sums.hook + sums.unseen);
	say("waited", sums.waited);
	say("waits", sums.waits);
	say("preempted", sums.preempted);
	say("preemptions", sums.preemptions);
	say("loss_samplers", h->counters[ZPROF_LOSS_SAMPLERS]);
	say("loss_samples", h->counters[ZPROF_LOSS_SAMPLES]);
	return 0;
}

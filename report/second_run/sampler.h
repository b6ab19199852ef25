/* SPDX-License-Identifier: MIT */
/*
 * sampler.h - runs a program, and takes samples of it from outside: at equal steps of the processor
 * time of each of its threads, in the program or in the kernel working for it.
 *
 * Each sample has the top of the stack. The stack is walked from the innermost frame outwards until
 * the caller of this file accepts a frame as the one to charge. So the time of libraries and of the
 * kernel can count for the function that called them. Processes that the program starts are left
 * out.
 */
#ifndef REPORT_SAMPLER_H
#define REPORT_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "report/core/base/str.h"

/* 10,000 samples a second. The number is prime, so that it matches no period of the program. */
#define SAMPLER_PERIOD_NS 100003

struct sampler {
	char **command;
	uint64_t period_ns; /* 0: no samples, the program is only timed */
	/* Called in the new process, just before it becomes the program. */
	void (*prepare)(const void *preparing);
	const void *preparing;
	/* Called in this process when the new one exists; signals have been blocked since before.
	 * Called with 0 when it has ended, and its number may soon be another's. May be NULL. */
	void (*follow)(pid_t pid);
	/*
	 * Called for the frames of a sample, the innermost first: with the file that has the
	 * frame's code, and the address there. True: the sample belongs to this frame, and the next
	 * call is for another sample.
	 */
	bool (*takes)(void *context, const char *file, uint64_t address);
	/* Called after a sample's last frame. WHOLE: that frame was the outermost. May be NULL. */
	void (*taken)(void *context, bool whole);
	void *context;

	/* filled in */
	pid_t pid;
	int status; /* as a shell has it */
	uint64_t samples, lost;
	uint64_t elsewhere; /* samples that no frame took: the program's start and end */
	uint64_t broken;    /* samples whose stack could not be followed */
	uint64_t in_kernel;
	bool sees_kernel;
	uint64_t wall_ns, cpu_ns;
};

/* Runs the program to its end. False with a message: it could not be run, or not be sampled. */
bool sampler_run(struct sampler *s, struct str *err);

#endif

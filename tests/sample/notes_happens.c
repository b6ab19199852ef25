/* SPDX-License-Identifier: MIT */
/* notes_happens.c - see notes_happens.h. */
#include "tests/sample/notes_happens.h"

#include "preload/base/sys.h"
#include "preload/sample/ring.h"
#include "preload/sample/signal.h"
#include "preload/sample/timer.h"
#include "tests/sample/notes_kernel.h"
#include "tests/sample/notes_recorded.h"
#include "tests/sample/notes_thread.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* What a signal's handler calls (preload/sample/timer.c). */
uintptr_t timer_look(int number, const siginfo_t *info, const ucontext_t *context);

static bool pending; /* a timer's signal waits until it is unmasked */

void notes_complain(const char *what, const char *word)
{
	fprintf(stderr, "%s: %s\n", what, word);
	exit(1);
}

void happens_begin(void)
{
	pending = false;
}

/* Behind `mov $N, %eax; syscall`. */
static uintptr_t call_of(uint32_t number)
{
	const unsigned char code[8] = {0xb8, (unsigned char)number, 0, 0, 0, 0x0f, 0x05};
	unsigned char *at = thread_code + 8 * (1 + number);

	if (number >= THREAD_CODE / 8 - 1)
		notes_complain("no such system call", "call");
	memcpy(at, code, sizeof(code));
	return (uintptr_t)at + 7;
}

/* `jmp *slot(%rip)`, where a hook's address is in the slot. */
static uintptr_t stub_of_hook(void)
{
	static const uintptr_t slot = KERNEL_IN_HOOK;
	int32_t distance = (int32_t)((uintptr_t)&slot - (uintptr_t)(thread_code + 6));

	thread_code[0] = 0xff;
	thread_code[1] = 0x25;
	memcpy(thread_code + 2, &distance, sizeof(distance));
	return (uintptr_t)thread_code;
}

static uintptr_t place_of(const char *word)
{
	if (!strcmp(word, "hook"))
		return KERNEL_IN_HOOK;
	return strcmp(word, "stub") ? KERNEL_IN_PROGRAM : stub_of_hook();
}

/*
 * A signal as a timer of the library's sends it, which the library knows by a value in it. (Signals
 * are blocked, and sigwaitinfo() would be the library's.)
 */
static siginfo_t timers_signal(void)
{
	uint64_t set = (uint64_t)1 << (SIGNAL_NUMBER - 1);
	struct timespec wait = {1, 0};
	siginfo_t info;

	timer_try(&thread.notes.ring);
	if (syscall(SYS_rt_sigtimedwait, &set, &info, &wait, sizeof(set)) != SIGNAL_NUMBER)
		notes_complain("no signal", "timer_try");
	return info;
}

/* The context that a handler gets. */
static void interrupted(ucontext_t *context, uintptr_t at, uintptr_t bp, uintptr_t sp)
{
#ifdef __x86_64__
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)at;
	context->uc_mcontext.gregs[REG_RBP] = (greg_t)bp;
	context->uc_mcontext.gregs[REG_RSP] = (greg_t)sp;
#else
	context->uc_mcontext.pc = at;
	context->uc_mcontext.regs[29] = bp;
	context->uc_mcontext.sp = sp;
#endif
}

static void send_signal(uintptr_t ip)
{
	static siginfo_t info;
	static uint64_t stack[RING_STACK_MOST / 8];
	ucontext_t context;
	uint32_t i;

	if (kernel.masked) {
		pending = true;
		return;
	}
	if (!info.si_signo)
		info = timers_signal();
	memset(&context, 0, sizeof(context));
	interrupted(&context, ip, KERNEL_BP, kernel.place ? (uintptr_t)stack : KERNEL_SP);
	for (i = 0; i < RING_STACK_MOST / 8; i++)
		stack[i] = kernel.place;
	timer_look(SIGNAL_NUMBER, &info, &context);
}

static void take_sample(const char *place)
{
	if (thread.sampling.by == ZPROF_SAMPLER_TIMER)
		send_signal(place_of(place));
	else
		kernel_sample(place_of(place), !strcmp(place, "kernel"));
}

static void pass(uint64_t ns, bool is_cpu_time)
{
	kernel.now_ns += ns;
	kernel.cpu_ns += is_cpu_time ? ns : 0;
	kernel.sampled_ns += is_cpu_time ? ns : 0;
}

static void be_away(bool preempted, const char **words)
{
	bool in_call = !strcmp(words[2], "call");

	kernel_leaves(preempted, in_call ? call_of((uint32_t)atoi(words[3])) : place_of(words[2]),
		      in_call);
	pass(thread_time(words[1]), false);
	if (preempted)
		kernel.queued_ns += thread_time(words[1]);
	kernel_returns();
}

static void take_samples(uint32_t n, const char *place)
{
	while (n--) {
		pass(thread.notes.ring.period_ns, true);
		take_sample(place);
	}
}

static void write_stray(uint32_t bytes)
{
	uint16_t note[32] = {5, 0, 0, (uint16_t)bytes}; /* PERF_RECORD_THROTTLE */

	kernel_write(note, bytes);
}

static void mask(bool masked)
{
	kernel.masked = masked;
	if (!masked && pending)
		send_signal(KERNEL_IN_PROGRAM);
	pending = false;
}

static void refuse(const char *name, uint32_t n)
{
	if (!strcmp(name, "stacks")) {
		kernel.refuses_stacks = true;
		return;
	}
	kernel.refuse = !strcmp(name, "EACCES")    ? EACCES
			: !strcmp(name, "ENOBUFS") ? ENOBUFS
						   : EMFILE;
	kernel.refusals = (int)n;
}

bool happens(const char **words)
{
	const char *word = words[0];

	if (!strcmp(word, "runs"))
		pass(thread_time(words[1]), true);
	else if (!strcmp(word, "host"))
		pass(thread_time(words[1]), false), kernel.sampled_ns += thread_time(words[1]);
	else if (!strcmp(word, "away"))
		pass(thread_time(words[1]), false);
	else if (!strcmp(word, "queued"))
		pass(thread_time(words[1]), false), kernel.queued_ns += thread_time(words[1]);
	else if (!strcmp(word, "samples"))
		take_samples((uint32_t)atoi(words[1]), words[2]);
	else if (!strcmp(word, "sample"))
		take_sample(words[1]);
	else if (!strcmp(word, "in"))
		kernel.place = thread_place(words[1]);
	else if (!strcmp(word, "entries"))
		thread.process.entries_alone = true;
	else if (!strcmp(word, "leaves") || !strcmp(word, "loses"))
		kernel_leaves(*word == 'l' && word[1] == 'o', KERNEL_IN_PROGRAM, false);
	else if (!strcmp(word, "returns"))
		kernel_returns();
	else if (!strcmp(word, "waits") || !strcmp(word, "preempted"))
		be_away(*word == 'p', words);
	else if (!strcmp(word, "forbidden"))
		sys_forbidden = true;
	else if (!strcmp(word, "masked") || !strcmp(word, "unmasked"))
		mask(*word == 'm');
	else if (!strcmp(word, "refused"))
		refuse(words[1], (uint32_t)atoi(words[2]));
	else if (!strcmp(word, "stray"))
		write_stray((uint32_t)atoi(words[1]));
	else if (!strcmp(word, "torn"))
		kernel_write_torn((uint32_t)atoi(words[1]), 48);
	else if (!strcmp(word, "size"))
		kernel_write_torn(48, (uint32_t)atoi(words[1]));
	else if (!strcmp(word, "moved"))
		thread.notes.ring.tail += (uint64_t)atoi(words[1]);
	else if (!strcmp(word, "forks"))
		thread_fork();
	else if (!strcmp(word, "begins"))
		thread_sample();
	else if (!strcmp(word, "full"))
		thread.full = true;
	else if (!strcmp(word, "recorded"))
		recorded_replay(words[1]);
	else
		return false;
	return true;
}

/* SPDX-License-Identifier: MIT */
/* cpu.c - the functions of preload/base/cpu.h that stand for single instructions, on any processor. */
#define _GNU_SOURCE
#include "preload/base/cpu.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

static void words_change(void **state)
{
	uint64_t word = 5;

	(void)state;
	cpu_add_once(&word, 10);
	assert_int_equal(word, 15);
	cpu_subtract_once(&word, 3);
	assert_int_equal(word, 12);
	cpu_or_once(&word, 0x103);
	assert_int_equal(word, 0x10f);
	assert_int_equal(cpu_swap_once(&word, 7), 0x10f);
	assert_int_equal(word, 7);
	assert_true(cpu_subtract_and_test(&word, 6));
	assert_false(cpu_subtract_and_test(&word, 1));
	assert_int_equal(word, 0);
}

static uint64_t counted;

/* Another thread's signals interrupt this thread wherever it is. */
static void *interrupt(void *thread)
{
	for (int i = 0; i < 2000; i++)
		pthread_kill(*(pthread_t *)thread, SIGUSR1);
	return NULL;
}

static volatile int handled;

static void count_handled(int signal)
{
	(void)signal;
	cpu_add_once(&counted, 1);
	handled++;
}

static void no_handler_is_lost(void **state)
{
	pthread_t self = pthread_self(), other;
	uint64_t added = 0;

	(void)state;
	counted = 0;
	signal(SIGUSR1, count_handled);
	assert_int_equal(pthread_create(&other, NULL, interrupt, &self), 0);
	for (; added < 1000000; added++)
		cpu_add_once(&counted, 1);
	pthread_join(other, NULL);
	signal(SIGUSR1, SIG_IGN);
	assert_int_equal(counted, added + (uint64_t)handled);
}

static _Alignas(16) uint64_t pair[2];

static void pair_is_replaced(void **state)
{
	uint64_t first = 1, second = 2;

	(void)state;
	pair[0] = 1;
	pair[1] = 3;
	assert_false(cpu_replace_pair(pair, &first, &second, 8, 9));
	assert_int_equal(first, 1);
	assert_int_equal(second, 3);
	assert_int_equal(pair[0], 1);
	assert_true(cpu_replace_pair(pair, &first, &second, 8, 9));
	assert_int_equal(pair[0], 8);
	assert_int_equal(pair[1], 9);
}

enum { TURNS = 100000 };

/* Adds 1 to the first word and 2 to the second, as one change. */
static void *advance(void *unused)
{
	uint64_t first = 0, second = 0;

	for (int i = 0; i < TURNS; i++)
		while (!cpu_replace_pair(pair, &first, &second, first + 1, second + 2))
			;
	return unused;
}

static void threads_replace_pairs(void **state)
{
	pthread_t other;

	(void)state;
	pair[0] = pair[1] = 0;
	assert_int_equal(pthread_create(&other, NULL, advance, NULL), 0);
	advance(NULL);
	pthread_join(other, NULL);
	assert_int_equal(pair[0], 2 * TURNS);
	assert_int_equal(pair[1], 4 * TURNS);
}

static void memory_is_copied(void **state)
{
	char from[48], to[48], wanted[48];

	(void)state;
	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (char)(i + 1);
	for (size_t n = 0; n <= 40; n++) {
		memset(to, 0, sizeof(to));
		memset(wanted, 0, sizeof(wanted));
		memcpy(wanted + 3, from + 2, n);
		cpu_copy(to + 3, from + 2, n);
		assert_memory_equal(to, wanted, sizeof(to));
		memset(wanted + 1, 0xa5, n);
		cpu_fill(to + 1, 0xa5, n);
		assert_memory_equal(to, wanted, sizeof(to));
		/* downwards, onto itself */
		memcpy(to, from, sizeof(to));
		cpu_copy(to, to + 3, n);
		assert_memory_equal(to, from + 3, n);
	}
}

static void kernel_answers(void **state)
{
	(void)state;
	assert_int_equal(cpu_system_call(SYS_getpid, 0, 0, 0, 0, 0, 0), getpid());
	assert_int_equal(cpu_system_call(SYS_close, -1, 0, 0, 0, 0, 0), -EBADF);
}

static int child(void *argument)
{
	return *(const int *)argument;
}

static void child_exits(void **state)
{
	static _Alignas(16) char stack[65536];
	int argument = 42, status = 0;
	long pid =
	    cpu_clone(CLONE_VM | CLONE_VFORK | SIGCHLD, stack + sizeof(stack), child, &argument);

	(void)state;
	assert_true(pid > 0);
	assert_int_equal(waitpid((pid_t)pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
}

static bool frame_is_as_said;

static void look_at_frame(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	/* what the stack pointer is after the handler's return */
	uintptr_t sp = CPU_CALL_PUSHES ? (uintptr_t)context : (uintptr_t)info;

	(void)signal;
	frame_is_as_said =
	    *(const uintptr_t *)(sp + CPU_SIGNAL_AT) == CPU_INTERRUPTED_AT(c) &&
	    *(const uintptr_t *)(sp + CPU_SIGNAL_STACK_POINTER) == CPU_INTERRUPTED_SP(c) &&
	    *(const uintptr_t *)(sp + CPU_SIGNAL_FRAME_POINTER) == CPU_INTERRUPTED_BP(c);
}

static void handlers_frame_has_registers(void **state)
{
	struct sigaction action = {.sa_sigaction = look_at_frame, .sa_flags = SA_SIGINFO};

	(void)state;
	assert_int_equal(sigaction(SIGUSR2, &action, NULL), 0);
	raise(SIGUSR2);
	assert_true(frame_is_as_said);
}

static void counter_goes_on(void **state)
{
	uint64_t first = cpu_counter();

	(void)state;
	for (int i = 0; i < 1000 && cpu_counter() == first; i++)
		cpu_work(1000);
	assert_true(cpu_counter() > first);
}

static void address_without_signature_stays(void **state)
{
	(void)state;
	assert_int_equal(cpu_unsigned((uintptr_t)look_at_frame), (uintptr_t)look_at_frame);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_change),     cmocka_unit_test(no_handler_is_lost),
	    cmocka_unit_test(pair_is_replaced), cmocka_unit_test(threads_replace_pairs),
	    cmocka_unit_test(memory_is_copied), cmocka_unit_test(kernel_answers),
	    cmocka_unit_test(child_exits),      cmocka_unit_test(handlers_frame_has_registers),
	    cmocka_unit_test(counter_goes_on),  cmocka_unit_test(address_without_signature_stays),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

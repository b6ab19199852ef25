/* SPDX-License-Identifier: MIT */
/* timer.c - see timer.h. */
#include "preload/sample/timer.h"

#include "preload/base/sys.h"
#include "preload/sample/signal.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>

#define SECOND_NS 1000000000u

struct note {
	uintptr_t ip;
	uint64_t time_ns, cpu_ns;
	uint64_t lost; /* notes lost before this one */
};

/* A ring of notes. The handler may interrupt the reader, never the reader the handler. */
#define NOTES 120

/* Beside a note: the program's registers, and words of the stack. A thread's take 250 KB. */
#define TIMER_STACK 2048u
struct stacks {
	struct {
		uintptr_t sp, bp, link;
		uint32_t bytes;
		uintptr_t words[TIMER_STACK / sizeof(uintptr_t)];
	} of[NOTES];
};
struct page {
	volatile uint64_t head, tail;
	volatile uint64_t lost; /* notes lost since the latest one */
	uint64_t opened_ns;
	struct stacks *stacks; /* of the notes; NULL: they carry none */
	struct note note[NOTES];
};
_Static_assert(sizeof(struct page) <= 4096, "a page");

#define STACK_PAGE 4096u

#define SHARE 4 /* this library takes at most a quarter of RLIMIT_SIGPENDING */

static uint32_t timers;               /* of this process */
static const char mark;               /* signals of our timers carry its address */
static __thread struct page *at_hand; /* of this thread; NULL: none */

uintptr_t timer_look(int number, const siginfo_t *info, const ucontext_t *context)
    __attribute__((visibility("hidden"), used));

static uint64_t cpu_now(void)
{
	return sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

bool timer_sent(const siginfo_t *info)
{
	return info->si_signo == SIGNAL_NUMBER && info->si_code == SI_TIMER &&
	       info->si_ptr == &mark;
}

/*
 * Copies words of the interrupted stack. The kernel reads them (process_vm_readv(2)), because nobody
 * knows where that stack ends. If it refuses, only the words up to the end of the page are copied.
 */
static void copy_stack(struct stacks *s, uint64_t i, const ucontext_t *context)
{
	uintptr_t sp = CPU_INTERRUPTED_SP(context), left = -sp & (STACK_PAGE - 1);
	struct iovec to = {s->of[i].words, sizeof(s->of[i].words)};
	struct iovec from = {(void *)sp, sizeof(s->of[i].words)};
	long r = sys6(SYS_process_vm_readv, sys0(SYS_getpid), &to, 1, &from, 1, 0);

	s->of[i].sp = sp;
	s->of[i].bp = CPU_INTERRUPTED_BP(context);
	s->of[i].link = CPU_INTERRUPTED_LINK(context);
	if (SYS_FAILED(r)) {
		r = (long)(left < sizeof(s->of[i].words) ? left : sizeof(s->of[i].words));
		cpu_copy(s->of[i].words, from.iov_base, (size_t)r);
	}
	s->of[i].bytes = (uint32_t)r;
}

/*
 * At any instruction another handler may interrupt this one, even for another signal of the same
 * timer, or a jump may end this one. So the head is advanced last.
 */
static void write_note(struct page *n, const ucontext_t *context)
{
	struct note note = {.ip = CPU_INTERRUPTED_AT(context),
			    .time_ns = sys_clock_ns(CLOCK_MONOTONIC),
			    .cpu_ns = cpu_now() - n->opened_ns};
	uint64_t head = n->head;

	if (head - n->tail >= NOTES) {
		n->lost++;
		return;
	}
	note.lost = n->lost;
	n->lost = 0;
	n->note[head % NOTES] = note;
	if (n->stacks)
		copy_stack(n->stacks, head % NOTES, context);
	cpu_barrier();
	n->head = head + 1;
}

uintptr_t timer_look(int number, const siginfo_t *info, const ucontext_t *context)
{
	(void)number;
	if (!timer_sent(info))
		return signal_programs();
	if (at_hand && !sys_forbidden)
		write_note(at_hand, context);
	return 0;
}

CPU_HANDLER void handler(void)
{
	CPU_SIGNAL(timer_look);
}

/* ---- a thread's timer */

uint64_t timer_tick_ns(void)
{
	struct timespec tick = {0, SECOND_NS / 100};

	sys2(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &tick);
	return (uint64_t)tick.tv_sec * SECOND_NS + (uint64_t)tick.tv_nsec;
}

static bool take_share(void)
{
	uint32_t all = __atomic_add_fetch(&timers, 1, __ATOMIC_RELAXED);
	struct rlimit limit;

	if (SYS_FAILED(sys2(SYS_getrlimit, RLIMIT_SIGPENDING, &limit)) ||
	    all <= limit.rlim_cur / SHARE)
		return true;
	__atomic_sub_fetch(&timers, 1, __ATOMIC_RELAXED);
	return false;
}

static long start(struct ring *ring)
{
	struct timespec period = {(time_t)(ring->period_ns / SECOND_NS),
				  (long)(ring->period_ns % SECOND_NS)};
	struct itimerspec times = {period, {0, 1}}; /* at the first tick */
	struct sigevent event = {.sigev_value.sival_ptr = (void *)&mark,
				 .sigev_signo = SIGNAL_NUMBER,
				 .sigev_notify = SIGEV_THREAD_ID};
	long r;

	event._sigev_un._tid = (pid_t)sys0(SYS_gettid);
	r = sys3(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &ring->timer);
	if (SYS_FAILED(r))
		return r;
	signal_take((uintptr_t)handler);
	r = sys4(SYS_timer_settime, ring->timer, 0, &times, 0);
	if (SYS_FAILED(r))
		sys1(SYS_timer_delete, ring->timer);
	return r;
}

long timer_open(struct ring *ring)
{
	struct page *n;
	long r;

	if (!take_share())
		return -EAGAIN;
	n = sys_memory(sizeof(*n));
	r = n ? start(ring) : -ENOMEM;
	if (SYS_FAILED(r)) {
		sys_memory_free(n, sizeof(*n));
		__atomic_sub_fetch(&timers, 1, __ATOMIC_RELAXED);
		return r;
	}
	n->opened_ns = cpu_now();
	ring->memory = (char *)n;
	if (ring->stack_bytes)
		timer_carry_stacks(ring);
	ring->head = &n->head;
	ring->tail = 0;
	at_hand = n;
	return 0;
}

static struct page *page_of(const struct ring *ring)
{
	return (struct page *)ring->memory;
}

void timer_carry_stacks(struct ring *ring)
{
	struct stacks *stacks = sys_memory(sizeof(*stacks));

	ring->stack_bytes = stacks ? TIMER_STACK : 0;
	page_of(ring)->stacks = stacks;
}

void timer_stop(struct ring *ring)
{
	sys1(SYS_timer_delete, ring->timer);
}

void timer_close(struct ring *ring)
{
	struct page *n = page_of(ring);

	timer_stop(ring);
	if (at_hand == n)
		at_hand = NULL;
	cpu_barrier();
	if (n->stacks)
		sys_memory_free(n->stacks, sizeof(*n->stacks));
	sys_memory_free(n, sizeof(*n));
	__atomic_sub_fetch(&timers, 1, __ATOMIC_RELAXED);
}

void timer_forget_all(void)
{
	timers = 0;
	at_hand = NULL;
}

bool timer_try(const struct ring *ring)
{
	uint64_t before = *ring->head;
	siginfo_t info = {.si_signo = SIGNAL_NUMBER, .si_code = SI_TIMER};

	info.si_ptr = (void *)&mark;
	sys4(SYS_rt_tgsigqueueinfo, sys0(SYS_getpid), sys0(SYS_gettid), SIGNAL_NUMBER, &info);
	return *ring->head != before;
}

/* ---- what has been noted */

static void read_stack(const struct ring *ring, struct ring_note *note)
{
	const struct stacks *s = page_of(ring)->stacks;
	uint64_t i = ring->tail % NOTES;

	note->sp = s->of[i].sp;
	note->bp = s->of[i].bp;
	note->link = s->of[i].link;
	note->stack_bytes = s->of[i].bytes;
	note->stack = ring->stack;
	cpu_copy(ring->stack, s->of[i].words, note->stack_bytes);
}

void timer_read(struct ring *ring, struct ring_note *note)
{
	struct note *from = &page_of(ring)->note[ring->tail % NOTES];

	note->kind = RING_NOTHING;
	if (ring->tail == *ring->head)
		return;
	note->size = 0;
	note->time_ns = from->time_ns;
	if (from->lost) {
		note->kind = RING_LOST;
		note->lost = from->lost;
		from->lost = 0;
		return;
	}
	note->kind = RING_SAMPLE;
	note->in_kernel = false;
	note->ip = from->ip;
	note->cpu_ns = from->cpu_ns;
	note->size = 1;
	if (page_of(ring)->stacks)
		read_stack(ring, note);
}

void timer_done(struct ring *ring)
{
	page_of(ring)->tail = ring->tail;
}

bool timer_is_full(const struct ring *ring)
{
	return *ring->head - page_of(ring)->tail >= NOTES;
}

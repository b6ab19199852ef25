/* SPDX-License-Identifier: MIT */
/*
 * split.c - functions that gcc -O2 splits (-fpartial-inlining): the test that may return early is
 * inlined into the callers, with the enter hook; the rest is a function of its own, `fill.part.0`,
 * from whose frame the exit hook is called.
 *
 *   split             no jumps: there is nothing to repair
 *   split jumps       parts are left by longjmp, at every depth of a recursion
 *   split signals     signals arrive in parts, and handlers call split functions
 */
#include "tests/programs/truth.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>

enum { ROUNDS = 120, DEEPEST = 8 };

enum event { NOTHING, JUMP, SIGNAL };

struct part {
	long date;
	int year, month, day, hour, minute;
	double second;
	char filled, joined;
	enum event event;
};

static volatile unsigned long sink;
static jmp_buf out;
static struct part handled;

/* Calls on each arc, counted where they are made, in a way that does not keep gcc from
 * splitting. */
static unsigned long calls_date_by_fill, calls_mix_by_fill, calls_fill_by_join, calls_mix_by_join,
    calls_leaf_by_join, calls_date_by_down, calls_mix_by_down, calls_down_by_down,
    calls_leaf_by_down, calls_on_signal_by_date;

APART static void date(struct part *p)
{
	p->date += (long)sink;
	if (p->event == JUMP)
		longjmp(out, 1);
	if (p->event == SIGNAL) {
		calls_on_signal_by_date++;
		raise(SIGUSR1);
	}
}

APART static void leaf(void)
{
	sink++;
}

/* Inlined into the parts. */
static int mix(const struct part *p, int n)
{
	sink += (unsigned long)n;
	return (int)((p->date + 43200000) % 86400000);
}

static void fill(struct part *p)
{
	int s;

	if (p->filled)
		return;
	calls_date_by_fill++;
	date(p);
	calls_mix_by_fill++;
	s = mix(p, 3);
	p->second = s / 1000.0;
	s = (int)p->second;
	p->second -= s;
	p->hour = s / 3600;
	s -= p->hour * 3600;
	p->minute = s / 60;
	p->second += s - p->minute * 60;
	p->filled = 1;
}

/* It begins with the beginning of another: a part that calls a part. */
static void join(struct part *p)
{
	int s;

	if (p->joined)
		return;
	calls_fill_by_join++;
	fill(p);
	calls_mix_by_join++;
	s = mix(p, 4);
	p->year = s / 3600;
	s -= p->year * 3600;
	p->month = s / 60;
	p->second += s - p->month * 60;
	p->day = s % 7 + (int)p->second;
	p->joined = 1;
	calls_leaf_by_join++;
	leaf();
}

/* Its beginning is inlined into its own part. */
static void down(struct part *p)
{
	int s;

	if (p->filled)
		return;
	calls_date_by_down++;
	date(p);
	calls_mix_by_down++;
	s = mix(p, 2);
	p->second = s / 1000.0;
	s = (int)p->second;
	p->second -= s;
	p->hour = s / 3600;
	s -= p->hour * 3600;
	p->minute = s / 60;
	p->second += s - p->minute * 60;
	p->filled = 1;
	calls_down_by_down++;
	down(p + 1);
	calls_leaf_by_down++;
	leaf();
}

static void (*volatile whole)(struct part *p) = fill;

APART static void one(struct part *p)
{
	CALL(fill, p);
	sink++;
}

APART static void two(struct part *p)
{
	CALL(fill, p);
	CALL(join, p);
	CALL(leaf);
}

APART static void three(struct part *p)
{
	CALL(join, p);
	CALL(leaf);
	CALL(join, p);
	sink++;
}

/* Not inlined, it jumps to its part. */
APART static void four(struct part *p)
{
	CALL_AS("four", "fill", whole(p));
	CALL(leaf);
}

APART static void depths(struct part *p)
{
	CALL(down, p);
	sink++;
	CALL(down, p);
}

static void on_signal(int number)
{
	(void)number;
	CALL(fill, &handled);
	handled.filled = !handled.filled;
	CALL(join, &handled);
	handled.joined = !handled.joined;
}

APART static void run(struct part *p, int way)
{
	if (way == 0)
		CALL(one, p);
	else if (way == 1)
		CALL(two, p);
	else if (way == 2)
		CALL(three, p);
	else if (way == 3)
		CALL(four, p);
	else
		CALL(depths, p);
}

/* Volatile, so that it survives the jumps. */
int main(int argc, char **argv)
{
	enum event event = argc < 2 ? NOTHING : argv[1][0] == 'j' ? JUMP : SIGNAL;
	volatile int i;

	signal(SIGUSR1, on_signal);
	truth_add("-", "main", 1, 1);
	for (i = 0; i < ROUNDS; i++) {
		static struct part parts[DEEPEST + 1];

		memset(parts, 0, sizeof parts);
		parts[i % DEEPEST].filled = i % 3 != 0;
		parts[DEEPEST].filled = 1;
		parts[0].joined = i % 7 == 0;
		parts[i / 2 % DEEPEST].event = event;
		if (!setjmp(out))
			CALL(run, parts, i % 5);
	}
	truth_add("fill", "date", calls_date_by_fill, calls_date_by_fill);
	truth_add("fill", "mix", calls_mix_by_fill, calls_mix_by_fill);
	truth_add("join", "fill", calls_fill_by_join, calls_fill_by_join);
	truth_add("join", "mix", calls_mix_by_join, calls_mix_by_join);
	truth_add("join", "leaf", calls_leaf_by_join, calls_leaf_by_join);
	truth_add("down", "date", calls_date_by_down, calls_date_by_down);
	truth_add("down", "mix", calls_mix_by_down, calls_mix_by_down);
	truth_add("down", "down", calls_down_by_down, calls_down_by_down);
	truth_add("down", "leaf", calls_leaf_by_down, calls_leaf_by_down);
	truth_add("date", "on_signal", calls_on_signal_by_date, calls_on_signal_by_date);
	return 0;
}

/*
 * What this program must give:
 *
 * $ ./split
 * $ zprof graph --no-via
 * ./split
 * 2,555 ticks in 1 thread; 1,278 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 *
 * index  % time       self  children          called  name
 *                      121     2,434         1/1          <spontaneous>
 * [1]     100.0        121     2,434         1        main [1]           split.c:189
 *                      240     2,194       120/120        run [2]
 * ----------------------------------------------------------------------------------
 *                      240     2,194       120/120        main [1]
 * [2]      95.3        240     2,194       120        run [2]            split.c:174
 *                       72     1,008        24/24         depths [3]
 *                       96       286        24/24         two [7]
 *                       96       268        24/24         three [8]
 *                       72       136        24/24         four [11]
 *                       48       112        24/24         one [13]
 * ----------------------------------------------------------------------------------
 *                       72     1,008        24/24         run [2]
 * [3]      42.3         72     1,008        24        depths [3]         split.c:158
 *                      648       360        48/48         down [4]
 * ----------------------------------------------------------------------------------
 *                      648       360        48/48         depths [3]
 * [4]      39.5        648       360        48+120    down [4]           split.c:104
 *                      120         0       120/246        mix [9]
 *                      120         0       120/233        leaf [10]
 *                      120         0       120/205        date [12]
 * ----------------------------------------------------------------------------------
 *                       68        44        24/113        one [13]
 *                       68        44        24/113        four [11]
 *                       68        44        24/113        two [7]
 *                       79        38        41/113        join [6]
 * [5]      17.7        283       170       113        fill [5]           split.c:62
 *                       85         0        85/246        mix [9]
 *                       85         0        85/205        date [12]
 * ----------------------------------------------------------------------------------
 *                       87        63        24/72         two [7]
 *                      108       136        48/72         three [8]
 * [6]      15.4        195       199        72        join [6]           split.c:83
 *                       79        38        41/113        fill [5]
 *                       41         0        41/246        mix [9]
 *                       41         0        41/233        leaf [10]
 * ----------------------------------------------------------------------------------
 *                       96       286        24/24         run [2]
 * [7]      15.0         96       286        24        two [7]            split.c:136
 *                       87        63        24/72         join [6]
 *                       68        44        24/113        fill [5]
 *                       24         0        24/233        leaf [10]
 * ----------------------------------------------------------------------------------
 *                       96       268        24/24         run [2]
 * [8]      14.2         96       268        24        three [8]          split.c:143
 *                      108       136        48/72         join [6]
 *                       24         0        24/233        leaf [10]
 * ----------------------------------------------------------------------------------
 *                       41         0        41/246        join [6]
 *                       85         0        85/246        fill [5]
 *                      120         0       120/246        down [4]
 * [9]       9.6        246         0       246        mix [9]            split.c:56
 * ----------------------------------------------------------------------------------
 *                       24         0        24/233        four [11]
 *                       24         0        24/233        three [8]
 *                       24         0        24/233        two [7]
 *                       41         0        41/233        join [6]
 *                      120         0       120/233        down [4]
 * [10]      9.1        233         0       233        leaf [10]          split.c:50
 * ----------------------------------------------------------------------------------
 *                       72       136        24/24         run [2]
 * [11]      8.1         72       136        24        four [11]          split.c:152
 *                       68        44        24/113        fill [5]
 *                       24         0        24/233        leaf [10]
 * ----------------------------------------------------------------------------------
 *                       85         0        85/205        fill [5]
 *                      120         0       120/205        down [4]
 * [12]      8.0        205         0       205        date [12]          split.c:39
 * ----------------------------------------------------------------------------------
 *                       48       112        24/24         run [2]
 * [13]      6.3         48       112        24        one [13]           split.c:130
 *                       68        44        24/113        fill [5]
 */

/* SPDX-License-Identifier: MIT */
/*
 * served.c - a server as a fleet of machines runs it, in many builds: -DBUILD=N. It answers a
 * request of each of 40 kinds, in 2,201 contexts. In builds from 25 on, fetch_3 asks twice as often:
 * it is the function that a new build made slower. Each build has its functions at other addresses.
 */
#define APART    __attribute__((noinline, noclone))
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6)
#define TENS(DO, n)                                                                                \
	DO(n##0) DO(n##1) DO(n##2) DO(n##3) DO(n##4) DO(n##5) DO(n##6) DO(n##7) DO(n##8) DO(n##9)

static volatile unsigned sum;

__asm__(".text\n.skip 64 * " BUILD_TEXT "\n");

APART static void ask(void)
{
	sum++;
}

#define FETCH(n)                                                                                   \
	APART static void fetch_##n(void)                                                          \
	{                                                                                          \
		for (int i = 0; n == 3 && i < (BUILD < 25 ? 2 : 4); i++)                           \
			ask();                                                                     \
		sum++;                                                                             \
	}
#define CALL_FETCH(n) fetch_##n();
#define PLAN(n)                                                                                    \
	APART static void plan_##n(void)                                                           \
	{                                                                                          \
		EACH(CALL_FETCH)                                                                   \
		sum++;                                                                             \
	}
#define SERVE(n)                                                                                   \
	APART static void serve_##n(void)                                                          \
	{                                                                                          \
		plan_0();                                                                          \
		plan_1();                                                                          \
		plan_2();                                                                          \
		plan_3();                                                                          \
		plan_4();                                                                          \
		plan_5();                                                                          \
		sum++;                                                                             \
	}
#define CALL_SERVE(n) serve_##n();

EACH(FETCH)
PLAN(0)
PLAN(1)
PLAN(2)
PLAN(3)
PLAN(4)
PLAN(5)
TENS(SERVE, 1)
TENS(SERVE, 2)
TENS(SERVE, 3)
TENS(SERVE, 4)

int main(void)
{
	TENS(CALL_SERVE, 1)
	TENS(CALL_SERVE, 2)
	TENS(CALL_SERVE, 3)
	TENS(CALL_SERVE, 4)
	return 0;
}

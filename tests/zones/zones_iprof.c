/* SPDX-License-Identifier: MIT */
/*
 * zones_iprof.c - the examples of IProf's manual with their `...` filled in, as C and as C++, and
 * the call graph it explains: the same table, to the digit, when 4000 ticks are its 1.00.
 */
#include "preload/iprof.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TICKS(hundredths) ((hundredths)*40)

/* Each of these reads the clock once, and changes nothing. */
static void spend(int ticks)
{
	size_t here = zprof_lent_depth();
	while (ticks-- > 0)
		zprof_lent_unwind(here);
}

/* ---- private zones */

#ifdef __cplusplus
static void my_routine_scoped(int special)
{
	Prof(my_routine);
	spend(1);
	if (special) {
		Prof(my_routine_special_case);
		spend(2);
	}
	spend(1);
}
#endif

static int some_func(int n)
{
	return n;
}

static void my_routine_paired(int n)
{
	Prof_Begin(my_routine_paired) int x = some_func(n);
	if (x == 0) {
		Prof_End return;
	}
	spend(x);
	Prof_End
}

/* ---- public zones */

Prof_Define(my_public);
extern Prof_Declare(my_public);

static void my_routine_v1(void)
{
	Prof_Region(my_public) spend(1);
	Prof_End
}

static void my_routine_v2(void)
{
	Prof_Region(my_public) spend(2);
	Prof_End
}

#ifdef __cplusplus
static void my_routine_v3(void)
{
	Prof_Scope(my_public);
	spend(3);
}
#endif

/* names that begin with a digit, or are hardly names at all */
static void names(void)
{
	int my_zone_2 = 1;
	Prof_Begin(my_zone_2) Prof_Begin(2_my_zone) Prof_Begin(__) spend(my_zone_2);
	Prof_End Prof_End Prof_End Prof_Counter(counted);
	Prof_Counter(counted_again);
}

/* ---- the call graph that the manual explains */

Prof_Define(ray_caster);
Prof_Define(child1);
Prof_Define(child2);

/* Leaving takes 2 ticks of the zone's own: one here and one in the caller. */
static void leaf(int self)
{
	spend(self - 1);
}

static void my_child1(int self, int below)
{
	Prof_Region(child1) spend(self - 2);
	{
		Prof_Begin(below_child1) leaf(below);
		Prof_End
	}
	Prof_End
}

static void my_child2(int self, int below)
{
	Prof_Region(child2) spend(self - 2);
	{
		Prof_Begin(below_child2) leaf(below);
		Prof_End
	}
	Prof_End
}

static void my_child3(int self)
{
	Prof_Begin(my_child3) leaf(self);
	Prof_End
}

/* Entered once: calls child1, child2 and child3, and spends the rest of its own time. */
static void cast(int self, int one, int one_self, int one_below, int two, int three, int three_self)
{
	Prof_Region(ray_caster) int i;
	for (i = 0; i < one; i++)
		my_child1(one_self, one_below);
	for (i = 0; i < two; i++)
		my_child2(2, 10);
	for (i = 0; i < three; i++)
		my_child3(three_self);
	spend(self - 1 - one - two - three);
	Prof_End
}

/*
 * self 0.75 hier 2.50, 4 times:   3000 own ticks, 7000 below
 * self 1.00 hier 3.25, 6 times:   4000 own ticks, 9000 below
 *                                 child1: 15 times, 4000 own, 4000 below;
 *                                 child2: 500 times, 1000 own, 5000 below;  child3: 3 times, 2000
 */
static void call_graph(void)
{
	int i;
	{
		Prof_Begin(my_parent1)
		    /* 12 of child1: 2880 own, 2880 below; 20 of child2: 40 and 200; one of child3:
		       1000 */
		    for (i = 0; i < 4; i++) cast(750, 3, 240, 240, 5, i == 0, 1000);
		Prof_End
	}
	{
		Prof_Begin(my_parent2)
		    /* 3 of child1: 1120 own, 1120 below; 480 of child2: 960 and 4800; 2 of child3:
		       500 each */
		    cast(669, 1, 374, 374, 80, 1, 500);
		cast(669, 1, 373, 373, 80, 1, 500);
		cast(669, 1, 373, 373, 80, 0, 0);
		for (i = 0; i < 3; i++)
			cast(i < 2 ? 664 : 665, 0, 0, 0, 80, 0, 0);
		Prof_End
	}
}

int main(void)
{
	int i;
	for (i = 0; i < 3; i++) {
		my_routine_paired(i);
		my_routine_v1();
		my_routine_v2();
#ifdef __cplusplus
		my_routine_scoped(i & 1);
		my_routine_v3();
#endif
		Prof_update(i != 1);
	}
	names();
	call_graph();
	return 0;
}

#ifdef __cplusplus
}
#endif

/* SPDX-License-Identifier: MIT */
/* tick_tsc.c - which clock to trust, and how fast it runs. */
#include "preload/clock/tick_tsc.h"

#include "preload/format.h"
#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/clock/tick_trust.h"

uint32_t tick_by_system;

static uint64_t first_ticks, first_ns, earliest_ticks, earliest_ns;

/*
 * CLOCK_MONOTONIC in ticks: from (ticks, ns) on, at hz. This clock goes on where the TSC was left,
 * since the profile has readings of the TSC already, if only of the first event. Several threads
 * may find out at once that the TSC is no clock: the first conversion is kept.
 */
struct conversion {
	uint64_t ticks, ns, hz;
};

static struct conversion *conversion;

static uint64_t stopped_at; /* 0: not stopped */

uint64_t tick_system(void)
{
	const struct conversion *c = __atomic_load_n(&conversion, __ATOMIC_ACQUIRE);

	if (stopped_at)
		return stopped_at;
	return c->ticks +
	       (uint64_t)((unsigned __int128)(sys_clock_ns(1) - c->ns) * c->hz / 1000000000u);
}

bool tick_distrust(uint64_t hz, uint64_t last)
{
	struct conversion *mine, *none = NULL;
	bool first;

	if (tick_by_system || sys_forbidden || !hz || !(mine = sys_memory(sizeof(*mine))))
		return false;
	*mine = (struct conversion){last, sys_clock_ns(1), hz};
	first = __atomic_compare_exchange_n(&conversion, &none, mine, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED);
	if (!first)
		sys_memory_free(mine, sizeof(*mine));
	/*
	 * Each thread that gets here stores the flag: the thread whose conversion was kept may have
	 * been stopped before its own store.
	 */
	__atomic_store_n(&tick_by_system, 1, __ATOMIC_RELEASE);
	return first;
}

void tick_stop(void)
{
	stopped_at = tick_read();
	__atomic_store_n(&tick_by_system, 1, __ATOMIC_RELEASE);
}

uint32_t tick_init(void)
{
	if (!tick_by_system && !tick_trusted())
		tick_distrust(TICK_NANOSECONDS_HZ, tick_read());
	earliest_ns = sys_clock_ns(1);
	earliest_ticks = tick_read();
	tick_pair(&first_ticks, &first_ns);
	return tick_by_system ? ZPROF_CLOCK_MONOTONIC : ZPROF_CLOCK_TSC;
}

uint64_t tick_now(void)
{
	return tick_read();
}

/*
 * The clock call is bracketed by two readings, and the tightest of three brackets is taken: an
 * interruption widens one.
 */
void tick_pair(uint64_t *ticks, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;
	int i;

	for (i = 0; i < 3; i++) {
		uint64_t before = tick_read(), between = sys_clock_ns(1), after = tick_read();

		if (after - before < best) {
			best = after - before;
			*ticks = before + best / 2;
			*ns = between;
		}
	}
}

/*
 * Whether the counter has jumped forward since tick_init() began. (tick_pair() there reads the
 * counter three times. If the counter jumps between these readings and the last one is taken, the
 * rate does not show the jump.)
 */
static bool jumped(uint64_t ticks, uint64_t ns)
{
	return (unsigned __int128)(ticks - earliest_ticks) * 1000000000u >
	       (unsigned __int128)(ns - earliest_ns) * CPU_COUNTER_MOST_HZ;
}

uint64_t tick_hz(void)
{
	unsigned __int128 hz;
	uint64_t ticks, ns;

	if (tick_by_system)
		return conversion ? conversion->hz : 0;
	tick_pair(&ticks, &ns);
	if (ns <= first_ns || ticks <= first_ticks || jumped(ticks, ns))
		return 0;
	hz = (unsigned __int128)(ticks - first_ticks) * 1000000000u / (ns - first_ns);
	return hz >= CPU_COUNTER_LEAST_HZ && hz <= CPU_COUNTER_MOST_HZ ? (uint64_t)hz : 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * gmon.c - a gmon.out for gprof, of the module that the program began in (glibc's
 * <sys/gmon_out.h>).
 *
 * gprof's histogram counts samples by address. Here each function has one cell of the histogram,
 * two bytes wide, at the function's entry, and a microsecond counts as a sample. A cell can hold
 * 65,535 samples; a longer time takes several cells of one address, which gprof adds up. gprof
 * itself divides a callee's time among its callers in proportion to calls.
 */
#include <string.h>
#include <sys/gmon_out.h>

#include "report/export/export.h"

#define CELL_BYTES 2
#define CELL_MOST  65535
#define RATE_HZ    1000000
/* gprof adds samples up in an int. So in runs longer than this, a sample is a millisecond. */
#define LONG_RUN_NS 1e12

static void put_bytes(const struct export *e, const void *bytes, size_t count)
{
	fwrite(bytes, 1, count, e->to);
}

static void put_number(const struct export *e, uint64_t number, size_t bytes)
{
	put_bytes(e, &number, bytes); /* gmon.out has the byte order of its machine */
}

/* The number of the module that is the first process's program. */
static uint32_t program(const struct export *e)
{
	const char *exe = e->view->load.processes[0].exe;
	for (uint32_t i = 0; i < e->zones->module_count; i++)
		if (!strcmp(e->zones->modules[i].path, exe))
			return i;
	return ZONE_NO_MODULE;
}

static void put_header(const struct export *e)
{
	struct gmon_hdr header = {0};
	memcpy(header.cookie, GMON_MAGIC, sizeof header.cookie);
	memcpy(header.version, &(int32_t){GMON_VERSION}, sizeof header.version);
	put_bytes(e, &header, sizeof header);
}

static void put_cell(const struct export *e, uint64_t address, uint64_t rate, uint64_t samples)
{
	uint64_t first = address & ~(uint64_t)(CELL_BYTES - 1);
	put_number(e, GMON_TAG_TIME_HIST, 1);
	put_number(e, first, 8);
	put_number(e, first + CELL_BYTES, 8);
	put_number(e, 1, 4); /* one cell */
	put_number(e, rate, 4);
	put_bytes(e, "seconds\0\0\0\0\0\0\0", 15);
	put_bytes(e, "s", 1);
	put_number(e, samples, 2);
}

static void put_time(const struct export *e, const struct function *f, uint64_t rate)
{
	uint64_t samples = (uint64_t)((double)export_ns(&f->self) * (double)rate / 1e9 + 0.5);
	for (bool first = true; samples || first; first = false) {
		uint64_t here = samples < CELL_MOST ? samples : CELL_MOST;
		put_cell(e, e->zones->list[f->zone].address, rate, here);
		samples -= here;
	}
}

static void put_arc(const struct export *e, const struct arc *a)
{
	for (uint64_t left = a->calls; left;) {
		uint64_t here = left < UINT32_MAX ? left : UINT32_MAX;
		put_number(e, GMON_TAG_CG_ARC, 1);
		put_number(e, e->zones->list[a->caller].address, 8);
		put_number(e, e->zones->list[a->callee].address, 8);
		put_number(e, here, 4);
		left -= here;
	}
}

static bool write_profile(const struct export *e, struct str *err)
{
	const struct derived *d = e->derived;
	uint32_t module = program(e);
	uint64_t rate = d->whole.ns > LONG_RUN_NS ? 1000 : RATE_HZ;
	size_t functions = 0;
	put_header(e);
	for (uint32_t i = 1; i < d->function_count; i++)
		if (e->zones->list[i].module == module && module != ZONE_NO_MODULE &&
		    derive_used(&d->functions[i])) {
			put_time(e, &d->functions[i], rate);
			functions++;
		}
	for (size_t i = 0; i < d->arc_count; i++)
		if (d->arcs[i].caller && e->zones->list[d->arcs[i].caller].module == module &&
		    e->zones->list[d->arcs[i].callee].module == module)
			put_arc(e, &d->arcs[i]);
	return functions || str_fail(err, "gmon.out holds functions of the program itself, and "
					  "the profile has none of it");
}

const struct export_format gmon_format = {
    .name = "gmon",
    .begins = "gmon\1",
    .summary = "gprof",
    .binary = true,
    .adds_up = true,
    .write = write_profile,
};

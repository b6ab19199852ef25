/* SPDX-License-Identifier: MIT */
/* forth-report: see the header. */
#include "vm-6502/profile/forth-report.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 9 };

static uint64_t ticks(const struct forth_report *r, const struct forth_charge *charge)
{
	return r->as_next ? charge->as_next : charge->as_run;
}

/* Prints a number with a dot every three digits, and a space after it. */
static void print_stamp(uint64_t number, FILE *to)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			fputc('.', to);
		fputc(digits[i], to);
	}
	fputc(' ', to);
}

static struct forth_charge sum_slots(const struct forth_buckets *b,
				     const struct forth_metric *metric)
{
	struct forth_charge sum = {0};

	for (uint32_t i = 0; i <= metric->buckets; i++) {
		struct forth_charge charge = forth_buckets_charge(b, metric, i);
		forth_charge_add(&sum, &charge);
	}
	return sum;
}

/* Prints the guest's stamps; if there are none, one stamp for the end of the run. */
static void print_stamps(const struct forth_report *r, const struct forth_buckets *b,
			 const struct forth_metric *metric, bool counts, FILE *to)
{
	struct forth_charge end = sum_slots(b, metric);
	uint32_t stamps = metric->stamps ? metric->stamps : 1;

	for (uint32_t i = 0; i < stamps; i++) {
		const struct forth_charge *stamp = metric->stamps ? &metric->stamp[i] : &end;
		print_stamp(counts ? stamp->nexts : ticks(r, stamp), to);
	}
	fputc('\n', to);
}

static void print_addresses(const struct forth_buckets *b, const struct forth_metric *metric,
			    uint32_t slot, FILE *to)
{
	uint32_t start = 0xffff, end = 0xffff;

	if (slot == 0)
		start = b->core_end;
	else if (slot <= metric->buckets) {
		start = b->bucket[metric->bucket[slot - 1]].start;
		end = b->bucket[metric->bucket[slot - 1]].end;
	}
	fprintf(to, "%X %X ", start, end > 0xffff ? 0xffff : end);
}

static void print_row(const struct forth_report *r, const struct forth_buckets *b,
		      const struct forth_metric *metric, uint32_t slot, FILE *to)
{
	struct forth_charge charge = {0};
	const char *name = "";

	if (slot <= metric->buckets) {
		charge = forth_buckets_charge(b, metric, slot);
		name = slot ? b->bucket[metric->bucket[slot - 1]].name : "(etc)";
	}
	fprintf(to, "%u", slot);
	if (r->layout == FORTH_CLASSIC) {
		fputc(' ', to);
		print_addresses(b, metric, slot, to);
	}
	fprintf(to, "%12llu%12llu  %s\n", (unsigned long long)charge.nexts,
		(unsigned long long)ticks(r, &charge), name);
}

static void print_metric(const struct forth_report *r, const struct forth_buckets *b,
			 const struct forth_metric *metric, FILE *to)
{
	fprintf(to, "profiler report %s\ntimestamps\n", metric->name);
	print_stamps(r, b, metric, false, to);
	if (r->layout == FORTH_CLASSIC) {
		fprintf(to, "countstamps\n");
		print_stamps(r, b, metric, true, to);
	}
	fprintf(to, "\nbuckets\n%s\n",
		r->layout == FORTH_CLASSIC ? "b# addr[  ]addr  nextcounts  clockticks  name"
					   : "b#  nextcounts  clockticks  name");
	for (uint32_t i = 0; i <= metric->buckets || i < ROWS; i++)
		print_row(r, b, metric, i, to);
}

static bool print_all_buckets(const struct forth_report *r, const struct forth_buckets *b, FILE *to)
{
	struct forth_metric metric = {.buckets = b->buckets};

	metric.bucket = calloc(b->buckets + 1, sizeof *metric.bucket);
	if (!metric.bucket)
		return false;
	for (uint32_t i = 0; i < b->buckets; i++)
		metric.bucket[i] = i;
	print_metric(r, b, &metric, to);
	free(metric.bucket);
	return true;
}

bool forth_report_print(const struct forth_report *r, const struct forth_buckets *b, FILE *to)
{
	if (r->metric) {
		const struct forth_metric *metric = forth_buckets_metric(b, r->metric);
		if (metric)
			print_metric(r, b, metric, to);
		return metric;
	}
	for (uint32_t i = 0; i < b->metrics; i++) {
		if (i)
			fputc('\n', to);
		print_metric(r, b, &b->metric[i], to);
	}
	return b->metrics || print_all_buckets(r, b, to);
}

/* Prints a name as a pattern. A `?` takes the place of a character that means something else in a
 * groups file; otherwise it matches this name alone. */
static void print_pattern(const char *name, FILE *to)
{
	fputs("  ", to);
	for (; *name; name++) {
		if (strchr("*?[\\", *name))
			fputc('\\', to);
		fputc(strchr("\";", *name) ? '?' : *name, to);
	}
	fputc('\n', to);
}

/* One pattern per line. A bucket in which nothing ran has no zone, so its own name is printed. */
static void print_group(const struct forth_buckets *b, uint32_t bucket, FILE *to)
{
	char group[64];

	forth_bucket_group(&b->bucket[bucket], group);
	fprintf(to, "[group %s]\nfunc =\n", group);
	print_pattern(b->bucket[bucket].name, to);
	for (uint32_t i = 0; i < b->classes; i++) {
		const struct forth_class *class = &b->class[i];
		if (class->name && forth_class_has(class, bucket) &&
		    strcmp(class->name, b->bucket[bucket].name) != 0)
			print_pattern(class->name, to);
	}
}

void forth_report_groups(const struct forth_buckets *b, FILE *to)
{
	char group[64];

	for (uint32_t i = 0; i < b->buckets; i++)
		print_group(b, i, to);
	for (uint32_t i = 0; i < b->metrics; i++) {
		const struct forth_metric *metric = &b->metric[i];
		if (!metric->buckets)
			continue;
		fprintf(to, "[metric %s]\ngroups =", metric->name);
		for (uint32_t k = 0; k < metric->buckets; k++) {
			forth_bucket_group(&b->bucket[metric->bucket[k]], group);
			fprintf(to, " %s", group);
		}
		fputc('\n', to);
	}
}

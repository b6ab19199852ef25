/* SPDX-License-Identifier: MIT */
/* counts: see the header. */
#include "vm-6502/profile/counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/guest/disassemble.h"
#include "vm-6502/cpu/m6502-table.h"

static uint64_t most_cycles(const struct counts *c)
{
	uint64_t most = 1;
	for (int i = 0; i < 0x10000; i++) {
		if (c->at[i].cycles > most)
			most = c->at[i].cycles;
	}
	return most;
}

static void print_bar(uint64_t cycles, uint64_t most, FILE *to)
{
	static const char bar[] = "####################";
	fprintf(to, " %-20.*s  ", (int)((sizeof bar - 1) * cycles / most), bar);
}

void counts_columns(uint64_t runs, uint64_t cycles, uint64_t most, FILE *to)
{
	fprintf(to, "%12llu %13llu", (unsigned long long)runs, (unsigned long long)cycles);
	print_bar(cycles, most, to);
}

static void annotate_line(const struct count *c, const struct m6502 *m,
			  const struct symbols *symbols, uint16_t at, FILE *to)
{
	const struct m6502_instruction *i = m6502_instruction(m->cpu, m6502_peek(m, at));
	char line[DISASSEMBLE_MOST];

	disassemble_line(m, symbols, at, line);
	fputs(line, to);
	if (i->access == ACCESS_BRANCH || i->access == ACCESS_BITBRANCH)
		fprintf(to, "%*s%.1f %% taken", 40 - (int)strlen(line), "",
			100.0 * c->taken / c->runs);
	fputc('\n', to);
}

void counts_annotate(const struct counts *c, const struct m6502 *m, const struct symbols *symbols,
		     FILE *to)
{
	uint64_t most = most_cycles(c);
	int end = -1;

	fprintf(to, "%12s %13s\n", "runs", "cycles");
	for (int at = 0; at < 0x10000; at++) {
		const char *name = symbols_at(symbols, at);
		if (!c->at[at].runs)
			continue;
		if (end >= 0 && at > end)
			fputs("         ...\n", to);
		if (name)
			fprintf(to, "%*s%s:\n", 49, "", name);
		counts_columns(c->at[at].runs, c->at[at].cycles, most, to);
		annotate_line(&c->at[at], m, symbols, at, to);
		end = at + m6502_instruction(m->cpu, m6502_peek(m, at))->length;
	}
	if (c->interrupts)
		fprintf(to, "%12s %13llu  entering interrupts\n", "",
			(unsigned long long)c->interrupts);
}

/* Sums what a file's lines took; an array of lines 0 to *last, or NULL. */
static struct count *sum_lines(const struct counts *c, const struct sources *sources, int file,
			       int *last)
{
	struct count *sum;

	*last = 0;
	for (int at = 0; at < 0x10000; at++) {
		if (sources->at[at].file == file && sources->at[at].line > *last)
			*last = sources->at[at].line;
	}
	sum = calloc(*last + 1, sizeof *sum);
	for (int at = 0; sum && at < 0x10000; at++) {
		const struct source_place *place = &sources->at[at];
		if (place->file != file || !c->at[at].runs)
			continue;
		if (!sum[place->line].runs)
			sum[place->line].runs = c->at[at].runs;
		sum[place->line].cycles += c->at[at].cycles;
		sum[place->line].called += c->at[at].called;
	}
	return sum;
}

/* Those of counts_columns(), with one between. */
static void print_columns(const struct count *c, uint64_t most, FILE *to)
{
	fprintf(to, "%12llu %13llu", (unsigned long long)c->runs, (unsigned long long)c->cycles);
	if (c->called)
		fprintf(to, " %13llu", (unsigned long long)(c->cycles + c->called));
	else
		fprintf(to, " %13s", "");
	print_bar(c->cycles, most, to);
}

static void print_source(const struct count *sum, int last, uint64_t most, FILE *source, FILE *to)
{
	char line[1024];

	for (int n = 1; fgets(line, sizeof line, source); n++) {
		line[strcspn(line, "\n")] = 0;
		if (n <= last && sum[n].runs)
			print_columns(&sum[n], most, to);
		else if (*line)
			fprintf(to, "%63s", "");
		fprintf(to, "%s\n", line);
	}
}

void counts_source(const struct counts *c, const struct sources *sources, FILE *to)
{
	uint64_t most = most_cycles(c);

	for (int file = 0; file < sources->files; file++) {
		int last;
		struct count *sum = sum_lines(c, sources, file, &last);
		FILE *source = sum && last ? fopen(sources->file[file], "r") : NULL;
		if (source) {
			fprintf(to, "%s\n%12s %13s %13s\n", sources->file[file], "runs", "cycles",
				"with calls");
			print_source(sum, last, most, source, to);
			fclose(source);
		} else if (last) {
			fprintf(to, "%s: %s\n", sources->file[file], strerror(errno));
		}
		free(sum);
	}
}

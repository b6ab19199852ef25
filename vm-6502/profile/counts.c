/* SPDX-License-Identifier: MIT */
/* counts: see the header. */
#include "vm-6502/profile/counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm-6502/guest/disassemble.h"
#include "vm-6502/cpu/m6502-table.h"
#include "vm-6502/profile/listing.h"

static void print_place(const struct listing *l, const struct count *c)
{
	listing_place(l, &(struct listing_place){c->runs, c->cycles, c->called});
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
	struct listing l = {.most = listing_most(&c->at[0].cycles, sizeof c->at[0], 0x10000),
			    .to = to};
	int end = -1;

	listing_head(&l);
	for (int at = 0; at < 0x10000; at++) {
		const char *name = symbols_at(symbols, at);
		if (!c->at[at].runs)
			continue;
		if (end >= 0 && at > end)
			fputs("         ...\n", to);
		if (name) {
			listing_none(&l);
			fprintf(to, "%s:\n", name);
		}
		print_place(&l, &c->at[at]);
		annotate_line(&c->at[at], m, symbols, at, to);
		end = at + m6502_instruction(m->cpu, m6502_peek(m, at))->length;
	}
	if (c->interrupts) {
		listing_text(LISTING_COUNT, "", to);
		listing_number(LISTING_CYCLES, c->interrupts, to);
		fputs("  entering interrupts\n", to);
	}
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

static void print_source(const struct listing *l, const struct count *sum, int last, FILE *source)
{
	char line[1024];

	for (int n = 1; fgets(line, sizeof line, source); n++) {
		line[strcspn(line, "\n")] = 0;
		if (n <= last && sum[n].runs)
			print_place(l, &sum[n]);
		else if (*line)
			listing_none(l);
		fprintf(l->to, "%s\n", line);
	}
}

/* Whether the file is assembly that a compiler made of another file, and did not keep. */
static bool is_intermediate(const struct sources *sources, int file)
{
	const char *name = sources->file[file];
	size_t stem = name && strlen(name) > 2 ? strlen(name) - 2 : 0;

	if (!stem || strcmp(name + stem, ".s") != 0 || access(name, F_OK) == 0)
		return false;
	for (int i = 0; i < sources->files; i++) {
		const char *other = sources->file[i];
		if (other && strncmp(other, name, stem) == 0 && strcmp(other + stem, ".c") == 0)
			return true;
	}
	return false;
}

void counts_source(const struct counts *c, const struct sources *sources, FILE *to)
{
	struct listing l = {.most = listing_most(&c->at[0].cycles, sizeof c->at[0], 0x10000),
			    .calls = true,
			    .to = to};

	for (int file = 0; file < sources->files; file++) {
		int last;
		struct count *sum;
		FILE *source;
		if (is_intermediate(sources, file))
			continue;
		sum = sum_lines(c, sources, file, &last);
		source = sum && last ? fopen(sources->file[file], "r") : NULL;
		if (source) {
			fprintf(to, "%s\n", sources->file[file]);
			listing_head(&l);
			print_source(&l, sum, last, source);
			fclose(source);
		} else if (last) {
			fprintf(to, "%s: %s\n", sources->file[file], strerror(errno));
		}
		free(sum);
	}
}

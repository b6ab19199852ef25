/* SPDX-License-Identifier: MIT */
/*
 * make_plan.c - make_plan FOLDER [--functions FILE] PROGRAM...: writes the plan of each program or
 * library (preload/displace/plan.h) to FOLDER/BUILD-ID.VERSION.plan.
 *
 * --functions: only functions whose names are lines of FILE are displaced. Test programs count their
 * own calls, and not those of the functions that count.
 */
#include "preload/displace/plan_read.h"
#include "symbolize/plan/planner.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 4096

static char *read_file(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "r");
	char *text;
	long n;

	if (!f || fseek(f, 0, SEEK_END) || (n = ftell(f)) < 0) {
		perror(path);
		exit(1);
	}
	rewind(f);
	text = malloc((size_t)n + 1);
	*bytes = fread(text, 1, (size_t)n, f);
	text[*bytes] = 0;
	fclose(f);
	return text;
}

static bool has_line(const char *lines, const char *name)
{
	size_t bytes = strlen(name);

	for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
		if (!strncmp(lines, name, bytes) && (lines[bytes] == '\n' || !lines[bytes]))
			return true;
	return false;
}

/* Whether a symbol of the file (an offset is an address in a PIE program) has a name in the list. */
static bool is_wanted(const char *elf, const char *lines, uint64_t start)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)elf;
	const Elf64_Shdr *s = (const Elf64_Shdr *)(elf + h->e_shoff);

	for (unsigned i = 0; i < h->e_shnum; i++) {
		const Elf64_Sym *y = (const Elf64_Sym *)(elf + s[i].sh_offset);

		if (s[i].sh_type != SHT_SYMTAB)
			continue;
		for (size_t n = s[i].sh_size / sizeof(*y); n-- > 0; y++)
			if (y->st_value == start && ELF64_ST_TYPE(y->st_info) == STT_FUNC &&
			    has_line(lines, elf + s[s[i].sh_link].sh_offset + y->st_name))
				return true;
	}
	return false;
}

/* Takes windows out of a plan: their codes count as refused. */
static void keep(char *plan, size_t *bytes, const char *program, const char *lines)
{
	struct plan_header *h = (struct plan_header *)plan;
	struct plan_code *codes = (struct plan_code *)(h + 1);
	struct plan_window *windows = (struct plan_window *)(codes + h->codes);
	struct plan_instruction *moved = (struct plan_instruction *)(windows + h->windows);
	size_t unused;
	char *elf = read_file(program, &unused);
	uint32_t kept = 0, instructions = 0;

	for (uint32_t i = 0; i < h->windows; i++) {
		struct plan_window w = windows[i];
		struct plan_code *c = &codes[w.code];

		if (!is_wanted(elf, lines, c->start)) {
			c->window = PLAN_NOBODY;
			c->refusal = PLAN_REFUSAL_TARGET;
			continue;
		}
		memmove(moved + instructions, moved + w.first_instruction,
			w.instructions * sizeof(*moved));
		w.first_instruction = instructions;
		instructions += w.instructions;
		c->window = kept;
		windows[kept++] = w;
	}
	memmove(windows + kept, moved, instructions * sizeof(*moved));
	h->windows = kept;
	h->instructions = instructions;
	*bytes = (size_t)((char *)(windows + kept) - plan) + instructions * sizeof(*moved);
	h->file_bytes = *bytes;
	h->sum = plan_sum(plan, *bytes);
	free(elf);
}

static void write_plan(const char *folder, const void *plan, size_t bytes)
{
	const struct plan_header *h = plan;
	char path[LINE_BYTES];
	int n = snprintf(path, sizeof(path) - 2 * PLAN_BUILD_ID - 32, "%s/", folder);
	FILE *f;

	for (uint32_t i = 0; i < h->build_id_bytes; i++)
		n += sprintf(path + n, "%02x", h->build_id[i]);
	sprintf(path + n, ".%u.plan", PLAN_VERSION);
	f = fopen(path, "w");
	if (!f || fwrite(plan, 1, bytes, f) != bytes || fclose(f)) {
		perror(path);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	char *lines = NULL;
	size_t bytes;
	void *plan;
	int i = 2;

	if (argc > 4 && !strcmp(argv[2], "--functions")) {
		lines = read_file(argv[3], &bytes);
		i = 4;
	}
	for (; i < argc; i++) {
		const char *why = planner_make(argv[i], &plan, &bytes);
		const struct plan_header *h = plan;

		if (why) {
			fprintf(stderr, "%s: %s\n", argv[i], why);
			return 1;
		}
		if (lines)
			keep(plan, &bytes, argv[i], lines);
		write_plan(argv[1], plan, bytes);
		printf("%s: %u of %u functions\n", argv[i], h->windows, h->functions);
		free(plan);
	}
	return 0;
}

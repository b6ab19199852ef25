/* SPDX-License-Identifier: MIT */
/* marked.c - see marked.h. */
#include "report/statements/marked.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/source/source_text.h"

/* By line of one file: whether the line is in a section. */
struct sections {
	bool *marked;
	uint32_t lines;
};

static struct sections find_sections(const struct view *v, uint32_t file)
{
	struct source_text text;
	const struct options *o = v->options;
	bool on = false;
	struct source_place place =
	    load_source(&v->load, file, o->source_paths, o->source_path_count);
	source_text_find(&text, &place);
	struct sections s = {memory_zeroed(text.count + 2, sizeof *s.marked), (uint32_t)text.count};
	for (uint32_t i = 1; i <= s.lines; i++) {
		const char *line = text.lines[i - 1];
		on &= !strstr(line, "ZPROF_COUNTS_OFF");
		s.marked[i] = on;
		on |= strstr(line, "ZPROF_COUNTS_ON") != NULL;
	}
	source_text_free(&text);
	return s;
}

static bool is_marked(const struct sections *s, uint32_t line)
{
	return line <= s->lines && s->marked[line];
}

/* Moves the marked ones of statements [first, end), which are of one file, to index TO and after.
 * Returns the index behind the last. */
static size_t keep_lines(struct statements *s, const struct sections *of, size_t first, size_t end,
			 size_t to)
{
	for (size_t i = first; i < end; i++) {
		if (!is_marked(of, s->list[i].line))
			continue;
		s->total += s->list[i].column ? 0 : s->list[i].count;
		s->list[to++] = s->list[i];
	}
	return to;
}

/* Adds up how often a function's marked lines were executed. [first, end) are the lines of its
 * file. */
static void count_again(struct statement_function *f, const struct statement *list, size_t first,
			size_t end)
{
	f->count = 0;
	for (size_t i = first; i < end; i++)
		if (!list[i].column && list[i].line >= f->line && list[i].line <= f->end)
			f->count += list[i].count;
}

/* Whether a line of a function is marked (MARKED), or is not. */
static bool has_line(const struct sections *s, const struct statement_function *f, bool marked)
{
	uint32_t line = f->line;
	while (line <= f->end && is_marked(s, line) != marked)
		line++;
	return line <= f->end;
}

void marked_keep(struct statements *s, const struct view *v)
{
	size_t to = 0, kept = 0, function = 0;
	s->total = 0;
	for (size_t i = 0, end; i < s->count; i = end) {
		uint32_t file = s->list[i].file;
		size_t first = to;
		struct sections of = find_sections(v, file);
		for (end = i; end < s->count && s->list[end].file == file; end++)
			continue;
		to = keep_lines(s, &of, i, end, to);
		while (function < s->function_count && s->functions[function].file < file)
			function++;
		for (; function < s->function_count && s->functions[function].file == file;
		     function++) {
			struct statement_function f = s->functions[function];
			if (!has_line(&of, &f, true))
				continue;
			if (has_line(&of, &f, false))
				count_again(&f, s->list, first, to);
			s->functions[kept++] = f;
		}
		free(of.marked);
	}
	s->count = to;
	s->function_count = kept;
}

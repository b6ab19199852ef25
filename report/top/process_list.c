/* SPDX-License-Identifier: MIT */
/* process_list.c - see process_list.h. */
#include "report/top/process_list.h"

#include <time.h>

#include "report/core/base/memory.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/top/keys.h"

#define AGAIN_MS 1000

static struct sheet_line *add_line(struct sheet *s, enum sheet_style style)
{
	s->lines = memory_room(s->lines, s->count, &s->room, sizeof *s->lines);
	struct sheet_line *l = &s->lines[s->count++];
	str_clear(&l->text);
	l->style = style;
	l->cursor = false;
	return l;
}

static double seconds_since(uint64_t then)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec - (double)then;
}

void process_list_sheet(struct sheet *s, const struct processes *p, size_t cursor, int width,
			int height)
{
	char time[UNITS_TEXT];
	s->count = 0;
	str_add(&add_line(s, SHEET_TITLE)->text, "processes that are being recorded");
	str_add(&add_line(s, SHEET_HEAD)->text, "%8s %9s  %s", "pid", "runs", "command");
	size_t rows = height > 3 ? (size_t)height - 3 : 1, first = 0;
	if (cursor >= rows)
		first = cursor - rows + 1;
	s->head_line = -1;
	s->first_line = (int)s->count;
	for (size_t i = first; i < p->count && i < first + rows; i++) {
		const struct recorded *r = &p->list[i];
		struct sheet_line *l = add_line(s, SHEET_PLAIN);
		str_add(&l->text, "%8d %9s  ", (int)r->pid,
			units_time(time, seconds_since(r->start_realtime_ns), false));
		visible_add(&l->text, r->command);
		if (width && l->text.used > (size_t)width)
			l->text.text[l->text.used = (size_t)width] = 0;
		l->cursor = i == cursor;
	}
	s->rows = (int)s->count - s->first_line;
	str_add(&add_line(s, SHEET_FAINT)->text, "%s",
		p->count ? "enter shows it  q quit"
			 : "none yet: 'zprof record PROGRAM' starts one  q quit");
}

/* Moves the cursor; 1: the process under it is chosen, -1: the user quits. */
static int obey(const struct processes *p, size_t *cursor, int key)
{
	if ((key == KEYS_UP || key == 'k') && *cursor)
		(*cursor)--;
	if ((key == KEYS_DOWN || key == 'j') && *cursor + 1 < p->count)
		(*cursor)++;
	if (key == 'q' || key == 'C' - '@' || key == KEYS_ESCAPE || key == SCREEN_CLOSED)
		return -1;
	return *cursor < p->count && (key == KEYS_ENTER || key == '\r' || key == '\n');
}

bool process_list_choose(struct screen *s, const char *name, struct str *path)
{
	struct processes p = {0};
	struct sheet sheet = {0};
	size_t cursor = 0;
	int chosen = 0;
	while (!chosen) {
		int width, height, x = 0, y = 0;
		processes_free(&p);
		processes_find(&p, name);
		if (cursor >= p.count)
			cursor = p.count ? p.count - 1 : 0;
		screen_size(s, &width, &height);
		process_list_sheet(&sheet, &p, cursor, width, height);
		screen_show(s, &sheet);
		int key = screen_key(s, AGAIN_MS, &x, &y);
		size_t at = (size_t)(y - sheet.first_line);
		if (key == SCREEN_CLICK && y >= sheet.first_line && at < (size_t)sheet.rows) {
			key = at == cursor ? KEYS_ENTER : SCREEN_NOTHING;
			cursor = at;
		}
		chosen = obey(&p, &cursor, key);
	}
	if (chosen > 0) {
		str_clear(path);
		str_add(path, "%s", p.list[cursor].path);
	}
	processes_free(&p);
	sheet_free(&sheet);
	return chosen > 0;
}

/* SPDX-License-Identifier: MIT */
/* table.c - see table.h. Names may hold any character, wide ones and terminal controls too. */
#include "report/core/base/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/lookup.h"
#include "report/core/base/memory.h"
#include "report/core/base/text_width.h"
#include "report/core/base/visible.h"

#define LEAST_NAME   8  /* letters: a shorter name would not be recognised */
#define SOME_NAME    16 /* letters: to keep so many, a line may be wider than the terminal */
#define TABLE_NARROW 28 /* letters: if names have less room, other columns are hidden */

/* Width 0 means that the column is hidden. */
static void widen(struct table *t, int column, int width)
{
	int least[] = {width, t->columns[column].least, text_width(t->columns[column].head)};
	for (int i = 0; i < 3; i++)
		if (t->widths[column] < least[i])
			t->widths[column] = least[i];
}

void table_init(struct table *t, const struct table_column *columns, int column_count)
{
	*t = (struct table){.columns = columns, .column_count = column_count};
	str_add_bytes(&t->text, "", 1); /* so that offset 0 is the empty cell */
	for (int i = 0; i < column_count; i++) {
		t->order[t->order_count++] = i;
		if (!columns[i].optional)
			widen(t, i, 0);
	}
}

/* ---- which columns */

static bool is_named(const struct table_column *c, const char *name)
{
	if (c->key && !strcmp(c->key, name))
		return true;
	return *c->head && (!strcmp(c->head, name) || (!strcmp(name, "%") && *c->head == '%'));
}

/* The first column of that name right of AFTER, else the first of all; -1: none. */
static int find_named(const struct table *t, const char *name, int after)
{
	int found = -1;
	for (int i = t->column_count - 1; i >= 0; i--)
		if (is_named(&t->columns[i], name) && (found < 0 || i > after || found <= after))
			found = i;
	return found;
}

/* Adds a column, and the columns that belong to it. */
static bool add_chosen(struct table *t, int column, struct str *err)
{
	int first = column;
	while (first > 0 && !*t->columns[first - 1].head && !t->columns[first - 1].key)
		first--;
	for (int i = 0; i < t->order_count; i++)
		if (t->order[i] == column)
			return str_fail(err, "the column '%s' is named twice",
					*t->columns[column].head ? t->columns[column].head
								 : t->columns[column].key);
	while (first <= column)
		t->order[t->order_count++] = first++;
	return true;
}

static bool unknown_column(const struct table *t, const char *name, struct str *err)
{
	const char *between = "";
	str_fail(err, "there is no column '%s'; the columns are ", name);
	for (int i = 0; i < t->column_count; i++) {
		const struct table_column *c = &t->columns[i];
		const char *shown = *c->head == '%' ? "%" : *c->head ? c->head : c->key;
		if (!shown || find_named(t, shown, -1) != i)
			continue;
		str_add(err, "%s'%s'", between, shown);
		between = ", ";
	}
	return false;
}

bool table_choose(struct table *t, const char *list, struct str *err)
{
	int after = -1;
	t->chosen = true;
	t->order_count = 0;
	for (bool more = true; more;) {
		size_t bytes = strcspn(list, ",");
		char *name = memory_text(list, bytes);
		int at = find_named(t, name, after);
		bool ok = at >= 0 ? add_chosen(t, at, err) : unknown_column(t, name, err);
		free(name);
		if (!ok)
			return false;
		after = at;
		more = list[bytes];
		list += bytes + more;
	}
	return true;
}

void table_free(struct table *t)
{
	free(t->rows);
	str_free(&t->text);
	*t = (struct table){0};
}

static struct table_row *add_row(struct table *t)
{
	return memset(memory_next(t->rows, t->row_count, t->row_room), 0, sizeof *t->rows);
}

void table_row(struct table *t, enum table_style style)
{
	add_row(t)->style = (unsigned char)style;
}

void table_rule(struct table *t)
{
	add_row(t)->rule = true;
}

static const char *cell_text(const struct table *t, const struct table_row *r, int column)
{
	return r ? t->text.text + r->cells[column] : t->columns[column].head;
}

void table_tail(struct table *t, int column, const char *text)
{
	size_t at = t->text.used;
	if (!*text || at > UINT32_MAX)
		return;
	t->rows[t->row_count - 1].cells[column] = (uint32_t)at;
	visible_add(&t->text, text);
	str_add_bytes(&t->text, "", 1);
}

void table_cell(struct table *t, int column, const char *format, ...)
{
	char small[256], *text = small;
	va_list list;
	va_start(list, format);
	int n = vsnprintf(small, sizeof small, format, list);
	va_end(list);
	if (n >= (int)sizeof small) {
		text = memory_resize(NULL, (size_t)n + 1, 1);
		va_start(list, format);
		vsnprintf(text, (size_t)n + 1, format, list);
		va_end(list);
	}
	table_tail(t, column, text);
	if (*text)
		widen(t, column, text_width(cell_text(t, &t->rows[t->row_count - 1], column)));
	if (text != small)
		free(text);
}

/* Names that were shortened, by their short forms. */
struct names {
	struct lookup by_form;
	struct shortened {
		char *form, *name;
	} * list;
	size_t count, room;
};

static bool same_form(const void *names, uint32_t item, const void *form)
{
	return !strcmp(((const struct names *)names)->list[item].form, form);
}

/* Takes FORM and NAME. Returns another name that had the same FORM before; NULL: there was none. */
static const char *names_other(struct names *n, char *form, char *name)
{
	uint64_t hash = lookup_hash_text(form, 1);
	uint32_t at = lookup_find(&n->by_form, hash, same_form, n, form);
	if (at != LOOKUP_NONE) {
		bool same = !strcmp(n->list[at].name, name);
		free(form);
		free(name);
		return same ? NULL : n->list[at].name;
	}
	lookup_add(&n->by_form, hash, (uint32_t)n->count);
	*memory_next(n->list, n->count, n->room) = (struct shortened){form, name};
	return NULL;
}

static void names_free(struct names *n)
{
	for (size_t i = 0; i < n->count; i++) {
		free(n->list[i].form);
		free(n->list[i].name);
	}
	free(n->list);
	lookup_free(&n->by_form);
}

/* A table as it is printed. */
struct printed {
	const struct table *t;
	FILE *out;
	int fit; /* the width of the terminal; 0: none */
	int widths[TABLE_COLUMNS];
	struct names names;
};

static void spaces(const struct printed *p, int n)
{
	if (n > 0)
		fprintf(p->out, "%*s", n, "");
}

/* The index behind a name, ` [12]`, and the text after it; "" if there is no index. */
static const char *index_of(const char *text)
{
	for (const char *at = strstr(text, " ["); at; at = strstr(at + 1, " [")) {
		const char *close = at + 2 + strspn(at + 2, "0123456789");
		if (close > at + 2 && *close == ']' && (!close[1] || close[1] == ' '))
			return at;
	}
	return text + strlen(text);
}

/* Adds at most ROOM columns of TEXT. */
static void add_cut(struct str *to, const char *text, int room)
{
	bool whole = text_width(text) <= room;
	room -= !whole;
	while (*text) {
		int width;
		size_t bytes = text_width_next(text, &width);
		if (width > room)
			break;
		str_add_bytes(to, text, bytes);
		text += bytes;
		room -= width;
	}
	if (!whole)
		str_add(to, "~");
}

/* Makes a cell fit into ROOM columns. The name is shortened before its index, which is kept.
 * SHORTEN and OTHER are as in table.h. */
static void fit_cell(struct str *to, const char *text, const char *other, int room,
		     table_shorten *shorten)
{
	const char *index = index_of(text);
	int indent = (int)strspn(text, " ");
	if (indent >= room)
		indent = room > 0 ? room - 1 : 0;
	int index_bytes = *index ? (int)(strchr(index, ']') + 1 - index) : 0;
	if (index_bytes > room / 2)
		index_bytes = 0;
	room -= indent + index_bytes;
	char *name = memory_text(text + indent, (size_t)(index - text) - (size_t)indent);
	struct str shorter = {0};
	if (shorten && (other || text_width(name) > room))
		shorten(&shorter, name, other, room);
	str_add(to, "%*s", indent, "");
	size_t before = to->used;
	add_cut(to, shorter.used ? shorter.text : name, room);
	room -= text_width(str_text(to) + before);
	str_add_bytes(to, index, (size_t)index_bytes);
	if (index[index_bytes] && room > 0)
		add_cut(to, index + index_bytes, room);
	str_free(&shorter);
	free(name);
}

/* The last place of a row whose column is not empty. */
static int last_cell(const struct table *t, const struct table_row *r)
{
	int last = t->order_count - 1;
	while (last > 0 && !*cell_text(t, r, t->order[last]))
		last--;
	return last;
}

/* A name without its index. */
static char *bare_name(const char *text)
{
	size_t indent = strspn(text, " ");
	return memory_text(text + indent, (size_t)(index_of(text) - text) - indent);
}

/* Prints at most ROOM columns of a cell (all when ROOM < 0). */
static void put_cut(struct printed *p, const struct table_column *c, const char *text, int room)
{
	if (room < 0 || text_width(text) <= room) {
		fputs(text, p->out);
		return;
	}
	struct str fitted = {0};
	fit_cell(&fitted, text, NULL, room, c->shorten);
	const char *other = NULL;
	if (c->shorten)
		other = names_other(&p->names, bare_name(fitted.text), bare_name(text));
	if (other) {
		str_clear(&fitted);
		fit_cell(&fitted, text, other, room, c->shorten);
	}
	fputs(str_text(&fitted), p->out);
	str_free(&fitted);
}

/* Spaces before the column at a place. */
static int gap_at(const struct table *t, int place)
{
	int column = t->order[place];
	if (t->chosen && !place)
		return 0;
	return t->chosen && !column ? 2 : t->columns[column].gap;
}

/* Prints a row, or the heads when R is NULL, up to the last cell that is not empty. */
static void print_row(struct printed *p, const struct table_row *r)
{
	const struct table *t = p->t;
	const int *widths = p->widths, fit = p->fit;
	int column = 0, owed = 0, last = last_cell(t, r);
	for (int place = 0; place <= last; place++) {
		int i = t->order[place];
		bool at_end = place == t->order_count - 1;
		const struct table_column *c = &t->columns[i];
		const char *text = cell_text(t, r, i);
		int pad = widths[i] - text_width(text), room = -1;
		bool right = r ? c->right : c->right || c->head_right;
		if ((c->optional || c->drop) && !widths[i])
			continue;
		int gap = gap_at(t, place);
		owed += gap;
		column += gap;
		if (fit && (at_end || c->elastic))
			room = fit - column;
		if (fit && c->elastic && (place != last || room < widths[i]))
			room = widths[i];
		if (fit && at_end && room < 4)
			break; /* so few letters would be useless */
		if (*text) {
			spaces(p, owed + (right ? pad : 0));
			put_cut(p, c, text, room);
			owed = right || pad < 0 ? 0 : pad;
		} else {
			owed += widths[i];
		}
		column += widths[i];
	}
}

/* How much of the width FIT is left for elastic columns. */
static int room_beside(const struct table *t, const int *widths, int fit)
{
	int fixed = 0;
	for (int place = 0; place < t->order_count; place++) {
		int i = t->order[place];
		if (widths[i])
			fixed += gap_at(t, place) + (t->columns[i].elastic ? 0 : widths[i]);
	}
	return fit - fixed;
}

/* The column to hide next on a terminal that is too narrow; -1: none. */
static int next_drop(const struct table *t, const int *widths)
{
	int next = -1;
	for (int i = 0; i < t->column_count; i++)
		if (widths[i] && t->columns[i].drop &&
		    (next < 0 || t->columns[i].drop > t->columns[next].drop))
			next = i;
	return next;
}

/* Sets the width of elastic columns: what FIT leaves, or up to a limit. */
static void fit_widths(const struct table *t, int *widths, int fit)
{
	int room = TABLE_ALIGN, wanted = TABLE_NARROW;
	memset(widths, 0, sizeof t->widths);
	for (int i = 0; i < t->order_count; i++)
		widths[t->order[i]] = t->widths[t->order[i]];
	for (int i = 0; i < t->column_count; i++)
		if (t->columns[i].elastic && widths[i] < wanted)
			wanted = widths[i];
	for (int drop = t->chosen ? -1 : next_drop(t, widths); fit && drop >= 0;
	     drop = next_drop(t, widths)) {
		if (room_beside(t, widths, fit) >= wanted)
			break;
		widths[drop] = 0;
	}
	if (fit)
		room = room_beside(t, widths, fit) >= LEAST_NAME ? room_beside(t, widths, fit)
								 : SOME_NAME;
	for (int i = 0; i < t->column_count; i++)
		if (t->columns[i].elastic && widths[i] > room)
			widths[i] = room;
}

static void print_rule(const struct printed *p)
{
	int n = 0;
	for (int place = 0; place < p->t->order_count; place++) {
		int width = p->widths[p->t->order[place]];
		n += width ? width + gap_at(p->t, place) : 0;
	}
	if (n > 100)
		n = 100;
	for (n = p->fit && n > p->fit ? p->fit : n; n > 0; n--)
		fputc('-', p->out);
}

void table_print(const struct table *t, const struct terminal *terminal)
{
	static const char *const styles[] = {"", "\033[1m", "\033[2m"};
	struct printed p = {.t = t, .out = terminal->out, .fit = terminal->width};
	fit_widths(t, p.widths, p.fit);
	fputs(terminal->color ? "\033[4m" : "", p.out);
	print_row(&p, NULL);
	fputs(terminal->color ? "\033[0m\n" : "\n", p.out);
	for (size_t i = 0; i < t->row_count; i++) {
		const struct table_row *r = &t->rows[i];
		bool styled = terminal->color && (r->style != TABLE_PLAIN || r->rule);
		if (styled)
			fputs(styles[r->rule ? TABLE_FAINT : r->style], p.out);
		if (r->rule)
			print_rule(&p);
		else
			print_row(&p, r);
		fputs(styled ? "\033[0m\n" : "\n", p.out);
	}
	names_free(&p.names);
}

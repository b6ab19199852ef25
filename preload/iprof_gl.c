/* SPDX-License-Identifier: MIT */
/*
 * iprof_gl.c - draws IProf's report and graph (iprof.h) with OpenGL: compile it into the program.
 * The functions set colours and draw quads and lines, so the display must be in a 2d mode, with any
 * blending that the program likes. Text is printed by the program.
 */
#include "iprof.h"

#include <GL/gl.h>
#include <stdio.h>
#include <string.h>

#define TEXT 256

struct Prof_Place {
	float x, y, width, line;
	int precision;
	void (*print_text)(float x, float y, char *str);
	float (*text_width)(char *str);
};

static void print_at(const struct Prof_Place *p, float x, const char *text)
{
	char copy[TEXT];
	snprintf(copy, sizeof copy, "%s", text);
	p->print_text(x, p->y, copy);
}

/* Prints a text so that it ends at x. */
static void print_right(const struct Prof_Place *p, float x, const char *text)
{
	char copy[TEXT];
	snprintf(copy, sizeof copy, "%s", text);
	p->print_text(x - p->text_width(copy), p->y, copy);
}

/* The right end of a column of values. Columns are as wide as a number of seven digits. */
static float column_end(const struct Prof_Place *p, int value)
{
	char digits[] = "0000000.0";
	return p->x + p->width - (float)(Prof_VALUES - 1 - value) * p->text_width(digits);
}

static void highlight(const struct Prof_Place *p)
{
	float low = p->y + p->line * 0.25f, high = p->y - p->line * 0.75f;
	glColor4f(0.25f, 0.35f, 0.6f, 0.8f);
	glBegin(GL_QUADS);
	glVertex2f(p->x, low);
	glVertex2f(p->x + p->width, low);
	glVertex2f(p->x + p->width, high);
	glVertex2f(p->x, high);
	glEnd();
}

static void draw_heads(struct Prof_Place *p, const struct Prof_Report *r)
{
	glColor3f(0.6f, 1.0f, 0.6f);
	for (int i = 0; i < 2; i++, p->y += p->line)
		print_at(p, p->x, r->titles[i]);
	glColor3f(1.0f, 1.0f, 1.0f);
	print_at(p, p->x, r->headings[0]);
	for (int i = 0; i < Prof_VALUES; i++)
		print_right(p, column_end(p, i), r->headings[i + 1]);
	p->y += p->line;
}

static void draw_record(const struct Prof_Place *p, const struct Prof_Report_Record *r)
{
	char text[TEXT], space[] = " ";
	if (r->highlight)
		highlight(p);
	/* The colour goes from grey, for a row that does not change, to red. */
	glColor3f(0.8f + 0.2f * (float)r->heat, 0.8f - 0.5f * (float)r->heat,
		  0.8f - 0.5f * (float)r->heat);
	snprintf(text, sizeof text, "%c%s", r->mark, r->name);
	print_at(p, p->x + (float)r->indent * p->text_width(space), text);
	for (int i = 0; i < Prof_VALUES; i++) {
		snprintf(text, sizeof text, "%.*f", i == Prof_COUNT ? 1 : p->precision,
			 r->values[i]);
		if (r->shown & 1 << i)
			print_right(p, column_end(p, i), text);
	}
}

/*
 * The first record to draw, so that the record under the cursor is among the `fit` that are drawn.
 */
static int first_of(const struct Prof_Report *r, int fit)
{
	int cursor = 0;
	for (int i = 0; i < r->record_count; i++)
		if (r->records[i].highlight)
			cursor = i;
	return cursor < fit ? 0 : cursor - fit + 1;
}

void Prof_draw_gl(float sx, float sy, float width, float height, float line_spacing, int precision,
		  void (*print_text)(float x, float y, char *str), float (*text_width)(char *str))
{
	struct Prof_Place p = {sx,        sy + line_spacing, width,     line_spacing,
			       precision, print_text,        text_width};
	const struct Prof_Report *r = Prof_report();
	float line = line_spacing < 0 ? -line_spacing : line_spacing;
	int fit = line > 0 ? (int)(height / line) - 3 : 0;
	if (!r || fit < 1)
		return;
	draw_heads(&p, r);
	int first = first_of(r, fit);
	for (int i = first; i < r->record_count && i < first + fit; i++, p.y += p.line)
		draw_record(&p, &r->records[i]);
}

void Prof_draw_graph_gl(float sx, float sy, float x_spacing, float y_spacing)
{
	static const float colors[][3] = {{1, 0.4f, 0.4f}, {0.4f, 1, 0.4f},   {0.5f, 0.6f, 1},
					  {1, 1, 0.4f},    {1, 0.5f, 1},      {0.4f, 1, 1},
					  {1, 0.7f, 0.3f}, {0.8f, 0.8f, 0.8f}};
	const struct Prof_Graph *g = Prof_graph();
	for (int zone = 0; g && zone < g->zone_count; zone++) {
		glColor3fv(colors[zone % 8]);
		glBegin(GL_LINE_STRIP);
		for (int i = 0; i < g->reading_count; i++)
			glVertex2f(sx + (float)i * x_spacing,
				   sy + g->values[zone * g->reading_count + i] * y_spacing);
		glEnd();
	}
}

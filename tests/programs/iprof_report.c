/* SPDX-License-Identifier: MIT */
/*
 * iprof_report.c - a program written for IProf, with its report and its displays: frames of known
 * zones, drawn off screen by Mesa. Prints TAP. A file that is named gets the last picture, as PPM.
 */
#include <GL/osmesa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "preload/iprof.h"

enum { WIDTH = 320, HEIGHT = 240, LETTER = 6, LINE = 10 };

static unsigned char picture[HEIGHT][WIDTH][4];
static char printed[16384]; /* everything that was printed, line by line */
static int number, failed;
static volatile unsigned sum;

static void tap(int ok, const char *what)
{
	printf("%s %d - %s\n", ok ? "ok" : "not ok", ++number, what);
	failed |= !ok;
}

static void work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sum += i;
}

Prof_Define(ray_caster);

static void cast(unsigned n)
{
	Prof_Scope(ray_caster);
	work(n);
}

static void physics(void)
{
	Prof(physics_step);
	for (int i = 0; i < 4; i++)
		cast(2000);
}

static void ai(int depth)
{
	Prof(ai_think);
	cast(60000);
	if (depth)
		ai(depth - 1);
}

static void frame(int on)
{
	physics();
	ai(2);
	Prof_update(on);
}

static const struct Prof_Report_Record *record(const struct Prof_Report *r, const char *name)
{
	for (int i = 0; r && i < r->record_count; i++)
		if (!strcmp(r->records[i].name, name))
			return &r->records[i];
	return NULL;
}

static double count_of(const char *name)
{
	const struct Prof_Report_Record *r = record(Prof_report(), name);
	return r ? r->values[Prof_COUNT] : -1;
}

static int near(double a, double b)
{
	return fabs(a - b) < 0.001;
}

/* ---- a screen of letters that are blocks */

static void print_text(float x, float y, char *str)
{
	size_t used = strlen(printed);
	snprintf(printed + used, sizeof printed - used, "%s\n", str);
	glBegin(GL_QUADS);
	for (; *str; str++, x += LETTER) {
		if (*str == ' ')
			continue;
		glVertex2f(x, y);
		glVertex2f(x + LETTER - 1, y);
		glVertex2f(x + LETTER - 1, y - LINE + 3);
		glVertex2f(x, y - LINE + 3);
	}
	glEnd();
}

static float text_width(char *str)
{
	return (float)(strlen(str) * LETTER);
}

static int count_pixels(int red, int green, int blue)
{
	int count = 0;
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			count += abs(picture[y][x][0] - red) < 8 &&
				 abs(picture[y][x][1] - green) < 8 &&
				 abs(picture[y][x][2] - blue) < 8;
	return count;
}

#define GRAPH 230 /* where the graph's zero is; the report ends above */

/* Pixels that are not black around the graph's zero. */
static int count_lines(void)
{
	int count = 0;
	for (int y = GRAPH - 3; y < GRAPH + 3; y++)
		for (int x = 0; x < WIDTH; x++)
			count += picture[y][x][0] || picture[y][x][1] || picture[y][x][2];
	return count;
}

static void draw(void)
{
	*printed = 0;
	glClearColor(0, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	Prof_draw_gl(4, 4, WIDTH - 8, 160, LINE, 2, print_text, text_width);
	/* So flat that a line is on the picture however long a frame took. */
	Prof_draw_graph_gl(4, GRAPH, 4, -0.0001f);
	glFinish();
}

static void save(const char *path)
{
	FILE *f = fopen(path, "w");
	if (!f)
		return;
	fprintf(f, "P6 %d %d 255\n", WIDTH, HEIGHT);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			fwrite(picture[y][x], 1, 3, f);
	fclose(f);
}

static void displays(const char *path)
{
	OSMesaContext mesa = OSMesaCreateContextExt(OSMESA_RGBA, 0, 0, 0, NULL);
	tap(mesa && OSMesaMakeCurrent(mesa, picture, GL_UNSIGNED_BYTE, WIDTH, HEIGHT),
	    "Mesa draws off screen");
	OSMesaPixelStore(OSMESA_Y_UP, 0);
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glOrtho(0, WIDTH, HEIGHT, 0, -1, 1);
	Prof_set_report_mode(Prof_HIERARCHICAL_TIME);
	draw();
	tap(strstr(printed, "zone\n") && strstr(printed, "hier\n") &&
		strstr(printed, "ray_caster\n"),
	    "the report is printed");
	tap(strstr(printed, "7.0\n") != NULL, "with counts of a frame");
	tap(count_pixels(51, 71, 122) > WIDTH || count_pixels(64, 89, 153) > WIDTH,
	    "the cursor's line is highlighted");
	tap(count_lines() > 30, "the graph has lines");
	if (path)
		save(path);
	OSMesaDestroyContext(mesa);
}

static void look_up(void)
{
	Prof(look_up);
	work(50);
}

/* One frame that is slow, with many calls of one zone, and how it looks when it is gone back to. */
static int slow_frame(void)
{
	frame(1);
	Prof_report();
	for (int i = 0; i < 1023; i++)
		look_up();
	{
		Prof(load_level);
		work(1023 * 25);
	}
	Prof_update(1);
	frame(1);
	Prof_report();
	Prof_set_frame(2);
	const struct Prof_Report_Record *many = record(Prof_report(), "look_up");
	double self = many ? many->values[Prof_SELF] : 0;
	tap(many && near(many->values[Prof_COUNT], 1023), "the calls of a slow frame");
	const struct Prof_Report_Record *other = record(Prof_report(), "load_level");
	tap(other && self > other->values[Prof_SELF] / 4, "and the time of a zone of many calls");
	printf("1..%d\n", number);
	return failed;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "slow"))
		return slow_frame();
	for (int i = 0; i < 10; i++)
		frame(1);
	if (!Prof_report()) {
		printf("1..0 # SKIP not recorded\n");
		return 1;
	}
	tap(near(count_of("ray_caster"), 7) && near(count_of("ai_think"), 3),
	    "the first report has the frames before it");
	for (int i = 0; i < 10; i++)
		frame(1);
	Prof_set_average(0);
	tap(near(count_of("ray_caster"), 7) && near(count_of("physics_step"), 1),
	    "counts are those of a frame");
	for (int i = 0; i < 3; i++)
		frame(1);
	physics();
	frame(1);
	tap(near(count_of("physics_step"), 1.25), "or the mean of those since the last report");
	Prof_set_average(1);
	const struct Prof_Report_Record *r = record(Prof_report(), "physics_step");
	tap(r && r->values[Prof_COUNT] > 1 && r->values[Prof_COUNT] < 1.25,
	    "averages are decimals");
	Prof_set_average(0);

	/*
	 * The call graph: who called, on whose behalf. Of n samples of the caster, 180 of 188 are
	 * ai_think's; that most are not happens less than once in exp(0.4 n) (Hoeffding). These
	 * frames take 20 ms and more, 100 samples: once in 10^18; or 10^7, if they were but 40.
	 */
	for (int i = 0; i < 300; i++)
		frame(1);
	Prof_set_report_mode(Prof_HIERARCHICAL_TIME);
	const struct Prof_Report *report = Prof_report();
	for (int i = 0; i < report->record_count; i++)
		if (!strcmp(report->records[i].name, "ray_caster")) {
			Prof_set_cursor(i);
			break;
		}
	Prof_select();
	report = Prof_report();
	tap(report->record_count == 3, "the call graph of a zone has its callers");
	double counts = 0;
	for (int i = 0; i < report->record_count; i++)
		if (report->records[i].mark == '+')
			counts += report->records[i].values[Prof_COUNT];
	r = record(report, "ray_caster");
	tap(r && r->mark == '-' && r->highlight && near(counts, r->values[Prof_COUNT]),
	    "whose counts sum to its own");
	Prof_select_parent();
	report = Prof_report();
	r = record(report, "ai_think");
	tap(r && r->mark == '-',
	    "the largest parent is the one that costs most, not the one that calls most");
	Prof_move_cursor(1);
	report = Prof_report();
	tap(record(report, "ray_caster") && record(report, "ray_caster")->highlight,
	    "the cursor moves to a child");

	/* a pause: what is counted meanwhile is in no frame, and the report stands still */
	Prof_set_report_mode(Prof_SELF_TIME);
	for (int i = 0; i < 5; i++)
		frame(1);
	Prof_report();
	for (int i = 0; i < 5; i++)
		frame(1);
	double before = count_of("ray_caster");
	for (int i = 0; i < 20; i++) {
		physics();
		frame(0);
	}
	tap(near(count_of("ray_caster"), before) && strstr(Prof_report()->titles[1], "paused"),
	    "with Prof_update(0) the report stands still");
	Prof_set_report_mode(Prof_HIERARCHICAL_TIME);
	tap(near(count_of("ray_caster"), before), "and can be looked around in");

	frame(1);
	frame(1);
	frame(1);
	tap(near(count_of("physics_step"), 1), "what was counted meanwhile is in no later frame");

	/* frames that were kept: the latest has 9 casts, the one before 7 */
	cast(10);
	cast(10);
	frame(1);
	Prof_report();
	Prof_move_frame(-1);
	tap(near(count_of("ray_caster"), 9), "a frame back is the latest that was kept");
	Prof_move_frame(-1);
	tap(near(count_of("ray_caster"), 7), "and another the one before");
	Prof_move_frame(1);
	tap(near(count_of("ray_caster"), 9), "forward again");
	Prof_set_frame(0);
	Prof_set_average(1);
	tap(count_of("ray_caster") > 7 && count_of("ray_caster") < 9, "0 is now");
	Prof_set_average(0);
	frame(1);
	Prof_report();
	frame(1);

	Prof_set_recursion(Prof_SPREAD_RECURSION);
	report = Prof_report();
	tap(record(report, "ai_think'3") &&
		near(record(report, "ai_think'3")->values[Prof_COUNT], 1),
	    "recursion is spread");
	Prof_set_recursion(Prof_FLATTEN_RECURSION);
	tap(near(count_of("ai_think"), 3), "and flattened");
	for (int i = 0; i < 3; i++) {
		frame(1);
		Prof_report();
	}
	displays(argc > 1 ? argv[1] : NULL);
	printf("1..%d\n", number);
	return failed;
}

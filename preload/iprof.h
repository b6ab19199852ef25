/* SPDX-License-Identifier: MIT */
/*
 * iprof.h - the names of IProf (Sean Barrett's interactive profiler, 2003), for programs written
 * for it: include this file where they include "prof.h".
 *
 *     Prof(zone);                    private zone to the end of the block, in C too
 *     Prof_Begin(zone) ... Prof_End  private zone; neither takes a semicolon
 *     Prof_Define(zone);             public zone, at file scope
 *     extern Prof_Declare(zone);     the same public zone, in another file
 *     Prof_Scope(zone);              public zone to the end of the block
 *     Prof_Region(zone) ... Prof_End public zone
 *     Prof_Counter(zone);            counts one entry of a private zone that takes no time
 *     Prof_update(on);               ends a frame; with 0, the frame is discarded, and the report
 *                                    stands still, so that you can look around in the report
 *
 * If Prof_ENABLED is defined as 0, or ZPROF_DISABLE is defined, everything here compiles to
 * nothing. zprof.h gives costs and errors. An unbalanced Prof_End is reported and does no harm.
 *
 * IProf's report, which the program draws itself, needs a library:
 *
 *     cc game.c $(pkg-config --cflags --libs zprof-report)
 *
 *     Prof_report()                  the text to print: titles, headings, rows
 *     Prof_set_report_mode(mode)     which functions are shown, in which order
 *     Prof_move_cursor(lines)        moves the cursor down, or up if `lines` is below 0
 *     Prof_set_cursor(line)          puts the cursor on a row; the first is 0
 *     Prof_select()                  shows the call graph of the function under the cursor
 *     Prof_select_parent()           shows the caller with the largest hierarchical time
 *     Prof_set_frame(frame)          shows the values of one of the frames that history=full keeps:
 *                                    1 the latest, 2 the one before ...; 0 shows all again
 *     Prof_move_frame(frames)        goes so many kept frames forward, or back if `frames` is below
 *     0 Prof_set_average(which)        0: the frames since the last report; 1, 2: moving averages
 *     Prof_set_smoothing(f1, f2)     how many frames the averages 1 and 2 span; 10 and 100 at first
 *     Prof_set_recursion(how)        a recursive function in one row, or in one row for each level
 *     Prof_graph()                   the zones' self times, to be drawn as lines
 *
 * iprof_gl.c draws reports and graphs with OpenGL: Prof_draw_gl(), Prof_draw_graph_gl(). One thread
 * at a time may call these functions. With thousands of contexts, a report takes some milliseconds.
 */
#ifndef ZPROF_IPROF_H
#define ZPROF_IPROF_H

#ifndef Prof_ENABLED
#define Prof_ENABLED 1
#endif

#if !Prof_ENABLED && !defined(ZPROF_DISABLE)
#define ZPROF_DISABLE 1
#endif

#include "zprof.h"

#define Prof(zone)        ZPROF(zone)
#define Prof_Scope(zone)  ZPROF_SCOPE(zone)
#define Prof_Define(zone) ZPROF_DEFINE(zone)

#ifdef __cplusplus
extern "C" {
#endif

enum Prof_Report_Mode { Prof_SELF_TIME, Prof_HIERARCHICAL_TIME, Prof_CALL_GRAPH };
enum Prof_Recursion { Prof_FLATTEN_RECURSION, Prof_SPREAD_RECURSION };

/*
 * The values of a row: self time and hierarchical time, in milliseconds a frame; entries a frame.
 */
enum Prof_Value { Prof_SELF, Prof_HIERARCHICAL, Prof_COUNT, Prof_VALUES };

struct Prof_Report_Record {
	const char *name;
	int indent; /* of the name, in characters */
	char mark;  /* '+': the row can be selected; '-': it is selected; ' ': neither */
	double values[Prof_VALUES];
	int shown;     /* bit 1 << i: print values[i] */
	double heat;   /* from 0 to 1: how fast the row's values change */
	int highlight; /* 1: the cursor is on this row */
};

struct Prof_Report {
	const char *titles[2];
	const char *headings[Prof_VALUES + 1]; /* the heading of the names first */
	int record_count;
	const struct Prof_Report_Record *records;
};

/*
 * The self times of the zones that took most time lately. Each Prof_report() takes one reading. The
 * value of a zone in a reading is values[zone * reading_count + reading], in milliseconds a frame;
 * reading 0 is the oldest.
 */
struct Prof_Graph {
	int zone_count, reading_count;
	const char *const *names;
	const float *values;
};

/*
 * Each result is valid until the next call of the same function. NULL: nothing is recorded; of
 * Prof_graph(), also before the first Prof_report().
 */
const struct Prof_Report *Prof_report(void);
const struct Prof_Graph *Prof_graph(void);

void Prof_set_report_mode(enum Prof_Report_Mode mode);
void Prof_move_cursor(int lines);
void Prof_set_cursor(int line);
void Prof_select(void);
void Prof_select_parent(void);
void Prof_move_frame(int frames);
void Prof_set_frame(int frame);
void Prof_set_average(int which);
void Prof_set_smoothing(double frames1, double frames2);
void Prof_set_recursion(enum Prof_Recursion how);

/*
 * Prof_update() calls this if IProf's library is linked. `on`: 1, the report stands still; 0, not.
 */
void Prof_pause(int on) __attribute__((weak));

/*
 * In iprof_gl.c: draws the report, with as many rows around the cursor as fit. Lengths are in the
 * units of the display's coordinates.
 *
 *     sx, sy         the upper left corner
 *     width, height  the size of the report
 *     line_spacing   from one line to the next line below; negative if y grows upwards
 *     precision      decimals of times
 *     print_text     prints `str`; x and y are its lower left corner
 *     text_width     returns the width of `str`
 */
void Prof_draw_gl(float sx, float sy, float width, float height, float line_spacing, int precision,
		  void (*print_text)(float x, float y, char *str), float (*text_width)(char *str));

/*
 * In iprof_gl.c: draws the graph, one line for each zone, from the point (sx, sy). The next reading
 * is `x_spacing` to the right; a millisecond adds `y_spacing` to y.
 */
void Prof_draw_graph_gl(float sx, float sy, float x_spacing, float y_spacing);

#ifdef __cplusplus
}
#endif

#ifndef ZPROF_DISABLE

#define Prof_Begin(zone)   ZPROF_BEGIN(zone);
#define Prof_Region(zone)  ZPROF_REGION(zone);
#define Prof_Declare(zone) struct zprof_mark zprof_zone_##zone

/* Prof_End and Prof_Counter are single statements, so that an `else` may follow. */
#define Prof_End                                                                                   \
	{                                                                                          \
		ZPROF_END;                                                                         \
	}
#define Prof_Counter(zone)                                                                         \
	do {                                                                                       \
		ZPROF(zone);                                                                       \
	} while (0)

ZPROF_INLINE_ void Prof_update(int on)
{
	if (on)
		zprof_frame("Prof_update");
	else
		zprof_frame_discard("Prof_update");
	if (Prof_pause)
		Prof_pause(!on);
}

#else

#define Prof_Begin(zone)
#define Prof_Region(zone)
#define Prof_Declare(zone) int zprof_none_##zone
#define Prof_End
#define Prof_Counter(zone) ((void)0)
#define Prof_update(on)    ((void)0)

#define Prof_report()                        ((const struct Prof_Report *)0)
#define Prof_graph()                         ((const struct Prof_Graph *)0)
#define Prof_set_report_mode(mode)           ((void)0)
#define Prof_move_cursor(lines)              ((void)0)
#define Prof_set_cursor(line)                ((void)0)
#define Prof_select()                        ((void)0)
#define Prof_select_parent()                 ((void)0)
#define Prof_move_frame(frames)              ((void)0)
#define Prof_set_frame(frame)                ((void)0)
#define Prof_set_average(which)              ((void)0)
#define Prof_set_smoothing(frames1, frames2) ((void)0)
#define Prof_set_recursion(how)              ((void)0)

#endif

#endif

/* SPDX-License-Identifier: MIT */
/*
 * session.c - see session.h. Between readings the session waits for a key. With many contexts a
 * reading takes long; the pause after it is at least four times as long, so the view never takes
 * more than a fifth of a processor.
 */
#include "report/top/session.h"
#include "report/top/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report/process/choose.h"
#include "report/top/keys.h"
#include "report/top/process_list.h"
#include "report/top/screen.h"
#include "report/core/read/profile_since.h"

#define FIRST_S 0.2 /* from the first reading to the second */
#define PAUSES  4   /* the least pause after a reading, in times of the reading */

#define ANSWER_MS 20 /* from one check for an answer to the next */

/* The longest wait for a key. The signal that the window has another size may arrive just before the
 * wait begins, and is noticed after it. */
#define RESIZED_MS 500

struct session {
	const struct session_options *o;
	struct top top;
	struct follow follow;
	struct screen screen;
	struct sheet sheet;
	struct choose choose;
	bool following;
	double next_s; /* time of the next reading */
};

static double now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void sleep_s(double seconds)
{
	struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
	nanosleep(&t, NULL);
}

static void open_view(struct session *s)
{
	top_init(&s->top);
	top_set_view(&s->top, s->o->first);
	if (s->o->sort != TOP_COLUMNS)
		s->top.sort = s->o->sort;
}

/* Begins at the counters that `zprof reset` left: the base file beside the profile, if there is
 * one, and it is of this process. */
static void take_base(struct session *s, const char *path)
{
	struct str err = {0};
	char *base = profile_since_base(path);
	if (!access(base, F_OK) && !follow_set_base(&s->follow, base, &err))
		message_say(&s->top, "%s", err.text);
	free(base);
	str_free(&err);
}

static bool start(struct session *s, const char *path, struct str *err)
{
	if (s->following)
		follow_close(&s->follow);
	s->following = s->o->finished ? follow_finished(&s->follow, s->o->view, err)
				      : follow_open(&s->follow, s->o->view, path, err);
	if (!s->following) {
		s->top.follow = NULL;
		return false;
	}
	if (s->o->sort == TOP_COUNTER)
		s->top.sort = (enum top_column)(TOP_COUNTER + s->o->view->filters.sort_counter);
	s->top.measure = s->o->measure;
	top_follow(&s->top, &s->follow);
	if (!s->o->finished) {
		take_base(s, path);
		top_remember(&s->top);
	}
	top_make(&s->top);
	s->next_s = now_s() + (s->o->delay_s < FIRST_S ? s->o->delay_s : FIRST_S);
	return true;
}

/* Reads once. When the process has ended, rates are over, and the view changes to the whole run. */
static bool read_once(struct session *s, struct str *err)
{
	double before = now_s();
	if (!follow_read(&s->follow, err))
		return false;
	top_remember(&s->top);
	if (s->follow.state != FOLLOW_RUNS && top_is_rate(&s->top))
		s->top.measure = MEASURE_ALL;
	top_make(&s->top);
	double took = now_s() - before;
	s->next_s = now_s() + (s->o->delay_s > PAUSES * took ? s->o->delay_s : PAUSES * took);
	return true;
}

static void close_session(struct session *s)
{
	choose_free(&s->choose);
	top_free(&s->top);
	sheet_free(&s->sheet);
	if (s->following)
		follow_close(&s->follow);
}

/* ---- printed */

bool session_print(const struct session_options *o, struct str *err)
{
	struct session s = {.o = o};
	struct terminal terminal;
	open_view(&s);
	bool ok = start(&s, o->path, err);
	terminal_open(&terminal, TERMINAL_NEVER, o->view->width, false);
	for (size_t i = 0; ok && (!o->batch || i < o->batch); i++) {
		if (s.follow.state == FOLLOW_RUNS) {
			sleep_s(s.next_s - now_s() > 0 ? s.next_s - now_s() : 0);
			ok = read_once(&s, err);
		}
		sheet_make(&s.sheet, &s.top, terminal.width, 0, false);
		for (size_t k = 0; ok && k < s.sheet.count; k++)
			puts(str_text(&s.sheet.lines[k].text));
		puts("");
		ok = ok && !fflush(stdout) && !ferror(stdout);
		if (s.follow.state != FOLLOW_RUNS)
			break;
	}
	close_session(&s);
	return ok || !err->used;
}

/* ---- on a screen */

static void show(struct session *s)
{
	int width, height;
	screen_size(&s->screen, &width, &height);
	sheet_make(&s->sheet, &s->top, width, height, s->screen.unicode);
	screen_show(&s->screen, &s->sheet);
}

static void click(struct session *s, int x, int y)
{
	const struct sheet *sheet = &s->sheet;
	if (s->top.helping || s->top.prompt)
		return;
	if (y == sheet->head_line) {
		enum top_column column = sheet_column_at(sheet, x);
		if (column < TOP_COLUMNS)
			top_sort_by(&s->top, column);
	} else if (y >= sheet->first_line && y < sheet->first_line + sheet->rows) {
		long to = (long)s->top.first + y - sheet->first_line, at = (long)s->top.cursor;
		if (to == at)
			top_select(&s->top);
		else
			top_move(&s->top, to - at);
	}
}

static void save(struct session *s)
{
	struct str err = {0};
	const char *path = str_text(&s->top.typed);
	if (follow_save(&s->follow, path, &err))
		message_say(&s->top, "saved as '%s'; 'zprof report %s' shows it", path, path);
	else
		message_say(&s->top, "%s", err.text);
	str_clear(&s->top.typed);
	str_free(&err);
}

/* A pattern that names what the cursor is on; false with a message: that has no hooks. */
static bool pattern_of_row(const struct session *s, struct str *pattern, struct str *err)
{
	const struct top_row *row = top_row(&s->top);
	uint32_t zone = top_row_zone(&s->top);
	const struct zone *z = zone ? &s->follow.view.load.zones.list[zone] : NULL;
	if (row && row->kind == TOP_GROUP && row->item) {
		str_add(pattern, "group:%s", row->name);
		return true;
	}
	if (!z)
		return str_fail(err, "no function or group is under the cursor");
	if (z->kind || z->nameless)
		return str_fail(err, "'%s' has no hooks that could be switched", z->name);
	choose_add_name(pattern, z->name);
	return true;
}

static void ask_to_watch(struct session *s, bool watch)
{
	char pid[16];
	struct str pattern = {0}, err = {0};
	snprintf(pid, sizeof pid, "%u", s->follow.view.load.processes[0].header.pid);
	bool ok = s->follow.state == FOLLOW_RUNS || str_fail(&err, "the program has ended");
	ok = ok && pattern_of_row(s, &pattern, &err) &&
	     choose_ask(&s->choose, pid, watch ? REQUEST_WATCH : REQUEST_UNWATCH,
			str_text(&pattern), &err);
	if (ok)
		message_say(&s->top, "%s %s ...", watch ? "watching" : "unwatching",
			    str_text(&pattern));
	else
		message_say(&s->top, "%s", str_text(&err));
	str_free(&pattern);
	str_free(&err);
}

static void look_for_answer(struct session *s)
{
	struct str text = {0};
	if (s->choose.asked && choose_over(&s->choose, &text))
		message_say(&s->top, "%s", str_text(&text));
	str_free(&text);
}

/* Does what key KEY asks. False: the user quits. *CHOOSE: the user wants to choose another
 * process. */
static bool obey(struct session *s, int key, bool *choose)
{
	switch (keys_press(&s->top, key)) {
	case KEYS_QUIT:
		return false;
	case KEYS_PROCESSES:
		*choose = true;
		break;
	case KEYS_RESET:
		follow_reset(&s->follow);
		top_make(&s->top);
		message_say(&s->top, "counters begin at zero here; the program's own go on");
		break;
	case KEYS_SNAPSHOT:
		save(s);
		break;
	case KEYS_WATCH:
		ask_to_watch(s, true);
		break;
	case KEYS_UNWATCH:
		ask_to_watch(s, false);
		break;
	default:
		break;
	}
	return true;
}

static int wait_ms(const struct session *s)
{
	double left = s->next_s - now_s();
	int ms = left > 0 ? (int)(left * 1000) + 1 : 0;
	if (s->top.paused || s->follow.state != FOLLOW_RUNS)
		ms = RESIZED_MS;
	return s->choose.asked && ms > ANSWER_MS ? ANSWER_MS : ms;
}

/* Shows the profile until the user quits, or wants another process (*CHOOSE). */
static bool view_profile(struct session *s, bool *choose, struct str *err)
{
	bool stale = true; /* the screen: nothing moves while nothing happens */
	*choose = false;
	while (!*choose) {
		int x = 0, y = 0;
		if (stale)
			show(s);
		int key = screen_key(&s->screen, wait_ms(s), &x, &y);
		if (key == SCREEN_CLOSED)
			return true;
		if (key == SCREEN_CLICK)
			click(s, x, y);
		else if (key >= 0 && !obey(s, key, choose))
			return true;
		stale = key != SCREEN_NOTHING || s->choose.asked;
		look_for_answer(s);
		if (wait_ms(s) == 0) {
			if (!read_once(s, err))
				return false;
			stale = true;
		}
	}
	return true;
}

/* Shows the process of PATH, or one that the user chooses, and others that the user asks for. */
static bool follow_processes(struct session *s, bool choose, struct str *path, struct str *err)
{
	bool ok = true;
	do {
		if (choose && !process_list_choose(&s->screen, s->o->name, path))
			break;
		ok = start(s, path->text, err) && view_profile(s, &choose, err);
	} while (ok && choose);
	return ok;
}

bool session_screen(const struct session_options *o, struct str *err)
{
	struct session s = {.o = o};
	struct str path = {0};
	bool color = o->view->color != TERMINAL_NEVER && !getenv("NO_COLOR"),
	     choose = !o->path && !o->finished;
	open_view(&s);
	/* What there is to say of the files is said before the screen opens. */
	if (o->finished && !start(&s, NULL, err))
		return false;
	bool ok = screen_open(&s.screen, color, err);
	str_add(&path, "%s", o->path ? o->path : "");
	if (ok && o->finished)
		ok = view_profile(&s, &choose, err);
	else if (ok)
		ok = follow_processes(&s, choose, &path, err);
	screen_close(&s.screen);
	close_session(&s);
	str_free(&path);
	return ok;
}

/* SPDX-License-Identifier: MIT */
/* keys.c - see keys.h. */
#include "report/top/keys.h"

#include "report/core/base/text_width.h"

/* Which profiles a key is for. */
enum key_for { KEY_ALWAYS, KEY_LIVE, KEY_FINISHED };

struct key {
	int codes[3]; /* 0: none */
	const char *name, *help;
	enum keys_result (*press)(struct top *t);
	enum key_for for_which;
};

static bool is_for(const struct key *k, bool finished)
{
	return k->for_which == KEY_ALWAYS || (k->for_which == KEY_FINISHED) == finished;
}

static long page(const struct top *t)
{
	return t->page > 1 ? (long)t->page - 1 : 1;
}

#define MOVE(name, lines)                                                                          \
	static enum keys_result name(struct top *t)                                                \
	{                                                                                          \
		top_move(t, lines);                                                                \
		return KEYS_SHOW;                                                                  \
	}
MOVE(up, -1)
MOVE(down, 1)
MOVE(page_up, -page(t))
MOVE(page_down, page(t))
MOVE(home, -(long)t->row_count)
MOVE(end, (long)t->row_count)
#undef MOVE

#define CALL(name, what)                                                                           \
	static enum keys_result name(struct top *t)                                                \
	{                                                                                          \
		what;                                                                              \
		return KEYS_SHOW;                                                                  \
	}
CALL(view_self, top_set_view(t, TOP_SELF))
CALL(view_total, top_set_view(t, TOP_TOTAL))
CALL(view_graph, top_set_view(t, TOP_GRAPH))
CALL(view_tree, top_set_view(t, TOP_TREE))
CALL(view_groups, top_set_view(t, TOP_GROUPS))
CALL(view_threads, top_set_view(t, TOP_THREADS))
CALL(view_callers, top_set_view(t, TOP_CALLERS))
CALL(view_source, top_set_view(t, TOP_SOURCE))
CALL(view_frames, top_set_view(t, TOP_FRAMES))
CALL(slowest, top_slowest_frame(t))
CALL(older, top_next_frame(t, -1))
CALL(newer, top_next_frame(t, 1))
CALL(choose, top_select(t))
CALL(back, top_back(t))
CALL(tell, t->telling = true)
CALL(parent, top_select_parent(t))
CALL(open_context, top_open(t, true))
CALL(close_context, top_open(t, false))
CALL(open_all, top_open_all(t))
CALL(next_measure, top_set_measure(t, (t->measure + 1) % MEASURE_FRAME))
CALL(measure_now, top_set_measure(t, MEASURE_NOW))
CALL(measure_short, top_set_measure(t, MEASURE_SHORT))
CALL(measure_long, top_set_measure(t, MEASURE_LONG))
CALL(measure_all, top_set_measure(t, MEASURE_ALL))
CALL(next_time, top_next_time(t))
CALL(clear, top_clear_filters(t))
CALL(search_next, top_search(t, true))
CALL(help, t->helping = true)
CALL(ask_search, t->prompt = TOP_SEARCH)
CALL(ask_filter, t->prompt = TOP_FILTER)
CALL(pause_view, t->paused = !t->paused)
#undef CALL

static enum keys_result ask_snapshot(struct top *t)
{
	t->prompt = TOP_SNAPSHOT;
	str_clear(&t->typed);
	str_add(&t->typed, "zprof.snapshot.%u", t->follow->last.header.pid);
	return KEYS_SHOW;
}

static enum keys_result spread(struct top *t)
{
	t->spread = !t->spread;
	kept_forget(&t->kept);
	top_make(t);
	return KEYS_SHOW;
}

static enum keys_result reverse(struct top *t)
{
	return top_sort_by(t, t->sort), KEYS_SHOW;
}

static enum keys_result sort_left(struct top *t)
{
	top_sort_beside(t, -1);
	return KEYS_SHOW;
}

static enum keys_result sort_right(struct top *t)
{
	top_sort_beside(t, 1);
	return KEYS_SHOW;
}

static enum keys_result quit(struct top *t)
{
	(void)t;
	return KEYS_QUIT;
}

static enum keys_result list_processes(struct top *t)
{
	(void)t;
	return KEYS_PROCESSES;
}

static enum keys_result reset(struct top *t)
{
	(void)t;
	return KEYS_RESET;
}

static enum keys_result watch(struct top *t)
{
	(void)t;
	return KEYS_WATCH;
}

static enum keys_result unwatch(struct top *t)
{
	(void)t;
	return KEYS_UNWATCH;
}

static const struct key keys[] = {
    {{KEYS_UP, 'k'}, "up k", "a line up", up, KEY_ALWAYS},
    {{KEYS_DOWN, 'j'}, "down j", "a line down", down, KEY_ALWAYS},
    {{KEYS_PAGE_UP, 'b', 'B' - '@'}, "pgup b", "a page up", page_up, KEY_ALWAYS},
    {{KEYS_PAGE_DOWN, 'F' - '@'}, "pgdn", "a page down", page_down, KEY_ALWAYS},
    {{KEYS_HOME, 'g'}, "home g", "the first line", home, KEY_ALWAYS},
    {{KEYS_END, 'G'}, "end G", "the last line", end, KEY_ALWAYS},
    {{KEYS_ENTER, '\r', '\n'}, "enter", "its call graph; or only it", choose, KEY_ALWAYS},
    {{KEYS_ESCAPE, KEYS_BACKSPACE, 0x7f}, "esc", "back; backspace too", back, KEY_FINISHED},
    {{KEYS_BACKSPACE, 0x7f, '\b'}, "backspace", "its largest caller", parent, KEY_LIVE},
    {{'s'}, "s", "functions by self time", view_self, KEY_ALWAYS},
    {{'t'}, "t", "functions by total time", view_total, KEY_ALWAYS},
    {{'c'}, "c", "call graph of the function", view_graph, KEY_ALWAYS},
    {{'C'}, "C", "its callers, and theirs", view_callers, KEY_FINISHED},
    {{'x'}, "x", "contexts, as a tree", view_tree, KEY_ALWAYS},
    {{'a'}, "a", "its source", view_source, KEY_FINISHED},
    {{'+', '=', KEYS_RIGHT}, "+ right", "open a context", open_context, KEY_ALWAYS},
    {{'-', KEYS_LEFT}, "- left", "close it", close_context, KEY_ALWAYS},
    {{'*'}, "*", "open where most of it goes", open_all, KEY_ALWAYS},
    {{'m'}, "m", "groups", view_groups, KEY_ALWAYS},
    {{'T'}, "T", "threads", view_threads, KEY_ALWAYS},
    {{'l'}, "l", "frames, the slowest first", view_frames, KEY_ALWAYS},
    {{'F'}, "F", "the slowest frame", slowest, KEY_ALWAYS},
    {{'['}, "[", "the frame before", older, KEY_ALWAYS},
    {{']'}, "]", "the frame after", newer, KEY_ALWAYS},
    {{'a'}, "a", "next average", next_measure, KEY_LIVE},
    {{'0'}, "0", "the last interval", measure_now, KEY_LIVE},
    {{'1'}, "1", "moving average of 2 s", measure_short, KEY_LIVE},
    {{'2'}, "2", "moving average of 15 s", measure_long, KEY_LIVE},
    {{'3'}, "3", "all since the start", measure_all, KEY_LIVE},
    {{'M'}, "M", "time: cpu, wait, wall, own", next_time, KEY_ALWAYS},
    {{'<', ','}, "<", "sort by the column left", sort_left, KEY_ALWAYS},
    {{'>', '.'}, ">", "sort by the column right", sort_right, KEY_ALWAYS},
    {{'R'}, "R", "the other way round", reverse, KEY_ALWAYS},
    {{'r'}, "r", "recursion: merged or spread", spread, KEY_ALWAYS},
    {{'/'}, "/", "search", ask_search, KEY_ALWAYS},
    {{'n'}, "n", "search on", search_next, KEY_ALWAYS},
    {{'f'}, "f", "only functions like ...", ask_filter, KEY_ALWAYS},
    {{'u'}, "u", "clear filters and search", clear, KEY_ALWAYS},
    {{'p', ' '}, "p space", "pause the view", pause_view, KEY_LIVE},
    {{'W'}, "W", "unwatch it: its hooks go off", unwatch, KEY_LIVE},
    {{'w'}, "w", "watch it again", watch, KEY_LIVE},
    {{'z'}, "z", "set counters to zero, here", reset, KEY_LIVE},
    {{'S'}, "S", "save a snapshot", ask_snapshot, KEY_LIVE},
    {{'P'}, "P", "list of processes", list_processes, KEY_LIVE},
    {{'i'}, "i", "about this profile", tell, KEY_FINISHED},
    {{'?', 'h'}, "? h", "these keys", help, KEY_ALWAYS},
    {{'q', 'C' - '@'}, "q", "quit", quit, KEY_ALWAYS},
};

#define KEY_COUNT (sizeof keys / sizeof *keys)

size_t keys_help_count(bool finished)
{
	size_t count = 0;
	for (size_t i = 0; i < KEY_COUNT; i++)
		count += is_for(&keys[i], finished);
	return count;
}

void keys_help(struct str *text, bool finished, size_t i, int width)
{
	const struct key *k = keys;
	for (; k < keys + KEY_COUNT; k++)
		if (is_for(k, finished) && !i--)
			break;
	if (k == keys + KEY_COUNT)
		return;
	size_t before = text->used;
	str_add(text, "%10s  %s", k->name, k->help);
	int have = text_width(text->text + before);
	str_add(text, "%*s", width > have ? width - have : 0, "");
}

/* ---- what is typed at the foot */

static void take_back(struct str *typed)
{
	while (typed->used && ((unsigned char)typed->text[typed->used - 1] & 0xc0) == 0x80)
		typed->text[--typed->used] = 0;
	if (typed->used)
		typed->text[--typed->used] = 0;
}

static void add_character(struct str *typed, int code)
{
	char bytes[4];
	if (code < 0x80) {
		bytes[0] = (char)code;
		str_add_bytes(typed, bytes, 1);
	} else if (code < 0x800) {
		bytes[0] = (char)(0xc0 | code >> 6);
		bytes[1] = (char)(0x80 | (code & 0x3f));
		str_add_bytes(typed, bytes, 2);
	} else if (code < 0x10000) {
		bytes[0] = (char)(0xe0 | code >> 12);
		bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
		bytes[2] = (char)(0x80 | (code & 0x3f));
		str_add_bytes(typed, bytes, 3);
	}
}

static enum keys_result end_prompt(struct top *t)
{
	enum top_prompt prompt = t->prompt;
	enum keys_result result = KEYS_SHOW;
	t->prompt = TOP_NO_PROMPT;
	if (prompt == TOP_SEARCH) {
		str_clear(&t->search);
		str_add(&t->search, "%s", str_text(&t->typed));
		top_search(t, false);
	} else if (prompt == TOP_FILTER) {
		top_filter(t, str_text(&t->typed));
	} else if (t->typed.used) {
		return KEYS_SNAPSHOT;
	}
	str_clear(&t->typed);
	return result;
}

static enum keys_result type(struct top *t, int code)
{
	if (code == KEYS_ENTER || code == '\r' || code == '\n')
		return end_prompt(t);
	if (code == KEYS_ESCAPE || code == 'C' - '@') {
		t->prompt = TOP_NO_PROMPT;
		str_clear(&t->typed);
	} else if (code == KEYS_BACKSPACE || code == 0x7f || code == '\b') {
		take_back(&t->typed);
	} else if (code >= ' ' && code < KEYS_UP) {
		add_character(&t->typed, code);
	}
	return KEYS_SHOW;
}

enum keys_result keys_press(struct top *t, int code)
{
	str_clear(&t->message);
	if (t->prompt)
		return type(t, code);
	if (t->helping || t->telling) {
		t->helping = t->telling = false;
		return code == 'C' - '@' ? KEYS_QUIT : KEYS_SHOW;
	}
	for (size_t i = 0; i < KEY_COUNT; i++)
		for (int k = 0; k < 3; k++)
			if (keys[i].codes[k] && keys[i].codes[k] == code &&
			    is_for(&keys[i], top_is_finished(t)))
				return keys[i].press(t);
	return KEYS_SHOW;
}

/* SPDX-License-Identifier: MIT */
/* keys.c - see keys.h. */
#include "report/top/keys.h"

#include "report/core/base/text_width.h"

struct key {
	int codes[3]; /* 0: none */
	const char *name, *help;
	enum keys_result (*press)(struct top *t);
};

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
CALL(view_frames, top_set_view(t, TOP_FRAMES))
CALL(slowest, top_slowest_frame(t))
CALL(older, top_next_frame(t, -1))
CALL(newer, top_next_frame(t, 1))
CALL(choose, top_select(t))
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
	top_make(t);
	return KEYS_SHOW;
}

static enum keys_result reverse(struct top *t)
{
	return top_sort_by(t, t->sort), KEYS_SHOW;
}

static enum keys_result sort_left(struct top *t)
{
	top_sort_by(t, (t->sort + TOP_COLUMNS - 1) % TOP_COLUMNS);
	return KEYS_SHOW;
}

static enum keys_result sort_right(struct top *t)
{
	top_sort_by(t, (t->sort + 1) % TOP_COLUMNS);
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
    {{KEYS_UP, 'k'}, "up k", "a line up", up},
    {{KEYS_DOWN, 'j'}, "down j", "a line down", down},
    {{KEYS_PAGE_UP, 'b', 'B' - '@'}, "pgup b", "a page up", page_up},
    {{KEYS_PAGE_DOWN, 'F' - '@'}, "pgdn", "a page down", page_down},
    {{KEYS_HOME, 'g'}, "home g", "the first line", home},
    {{KEYS_END, 'G'}, "end G", "the last line", end},
    {{KEYS_ENTER, '\r', '\n'}, "enter", "its call graph; or only it", choose},
    {{KEYS_BACKSPACE, 0x7f, '\b'}, "backspace", "its largest caller", parent},
    {{'s'}, "s", "functions by self time", view_self},
    {{'t'}, "t", "functions by total time", view_total},
    {{'c'}, "c", "call graph of the function", view_graph},
    {{'x'}, "x", "contexts, as a tree", view_tree},
    {{'+', '=', KEYS_RIGHT}, "+ right", "open a context", open_context},
    {{'-', KEYS_LEFT}, "- left", "close it", close_context},
    {{'*'}, "*", "open where most of it goes", open_all},
    {{'m'}, "m", "groups", view_groups},
    {{'T'}, "T", "threads", view_threads},
    {{'l'}, "l", "frames, the slowest first", view_frames},
    {{'F'}, "F", "the slowest frame", slowest},
    {{'['}, "[", "the frame before", older},
    {{']'}, "]", "the frame after", newer},
    {{'a'}, "a", "next average", next_measure},
    {{'0'}, "0", "the last interval", measure_now},
    {{'1'}, "1", "moving average of 2 s", measure_short},
    {{'2'}, "2", "moving average of 15 s", measure_long},
    {{'3'}, "3", "all since the start", measure_all},
    {{'M'}, "M", "time: cpu, wait, wall, own", next_time},
    {{'<', ','}, "<", "sort by the column left", sort_left},
    {{'>', '.'}, ">", "sort by the column right", sort_right},
    {{'R'}, "R", "the other way round", reverse},
    {{'r'}, "r", "recursion: merged or spread", spread},
    {{'/'}, "/", "search", ask_search},
    {{'n'}, "n", "search on", search_next},
    {{'f'}, "f", "only functions like ...", ask_filter},
    {{'u'}, "u", "clear filters and search", clear},
    {{'p', ' '}, "p space", "pause the view", pause_view},
    {{'W'}, "W", "unwatch it: its hooks go off", unwatch},
    {{'w'}, "w", "watch it again", watch},
    {{'z'}, "z", "set counters to zero, here", reset},
    {{'S'}, "S", "save a snapshot", ask_snapshot},
    {{'P'}, "P", "list of processes", list_processes},
    {{'?', 'h'}, "? h", "these keys", help},
    {{'q', 'C' - '@'}, "q", "quit", quit},
};

#define KEY_COUNT (sizeof keys / sizeof *keys)

size_t keys_help_count(void)
{
	return KEY_COUNT;
}

void keys_help(struct str *text, size_t i, int width)
{
	if (i >= KEY_COUNT)
		return;
	size_t before = text->used;
	str_add(text, "%10s  %s", keys[i].name, keys[i].help);
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
	if (t->helping) {
		t->helping = false;
		return code == 'C' - '@' ? KEYS_QUIT : KEYS_SHOW;
	}
	for (size_t i = 0; i < KEY_COUNT; i++)
		for (int k = 0; k < 3; k++)
			if (keys[i].codes[k] && keys[i].codes[k] == code)
				return keys[i].press(t);
	return KEYS_SHOW;
}

/* SPDX-License-Identifier: MIT */
/* options: see the header. */
#include "vm-6502/command/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/guest/forth-machine.h"
#include "vm-6502/command/options-help.h"

enum {
	MACHINE = 256,
	CPU,
	LOAD,
	SKIP,
	START,
	RESET,
	PUTC,
	GETC,
	IMAGE,
	PURE,
	DIR,
	STOP,
	LOOP,
	CYCLES,
	SYMBOLS,
	REGISTERS,
	DISASSEMBLE,
	TRACE,
	BREAK,
	WATCH,
	MONITOR,
	PROFILE,
	ANNOTATE,
	SOURCE,
	ZONES,
	PRIMITIVES,
	BUCKETS,
	REPORT,
	METRIC,
	CLASSIC,
	TICKS,
	STARTED,
	GUEST,
	GROUPS,
	PRESET,
	NEXT,
	IP,
	W,
	RP,
	DOCOL,
	DODOES,
	EXIT,
	CORE_END,
	THREADING,
	PATCHED,
	STAMP,
	NEWLINE,
	EXIT_AT_EOF,
	KEYS,
	TYPE,
	SCREEN,
	HELP,
	VERSION,
};

static const struct option table[] = {
    {"machine", required_argument, NULL, MACHINE},
    {"cpu", required_argument, NULL, CPU},
    {"load", required_argument, NULL, LOAD},
    {"skip", required_argument, NULL, SKIP},
    {"start", required_argument, NULL, START},
    {"reset", no_argument, NULL, RESET},
    {"putc", required_argument, NULL, PUTC},
    {"getc", required_argument, NULL, GETC},
    {"image", required_argument, NULL, IMAGE},
    {"pure", no_argument, NULL, PURE},
    {"dir", required_argument, NULL, DIR},
    {"stop", required_argument, NULL, STOP},
    {"until-loop", no_argument, NULL, LOOP},
    {"cycles", required_argument, NULL, CYCLES},
    {"symbols", required_argument, NULL, SYMBOLS},
    {"registers", no_argument, NULL, REGISTERS},
    {"disassemble", no_argument, NULL, DISASSEMBLE},
    {"trace", optional_argument, NULL, TRACE},
    {"break", required_argument, NULL, BREAK},
    {"watch", required_argument, NULL, WATCH},
    {"monitor", no_argument, NULL, MONITOR},
    {"profile", optional_argument, NULL, PROFILE},
    {"annotate", optional_argument, NULL, ANNOTATE},
    {"source", optional_argument, NULL, SOURCE},
    {"zones", required_argument, NULL, ZONES},
    {"primitives", no_argument, NULL, PRIMITIVES},
    {"buckets", required_argument, NULL, BUCKETS},
    {"bucket-report", optional_argument, NULL, REPORT},
    {"metric", required_argument, NULL, METRIC},
    {"classic", required_argument, NULL, CLASSIC},
    {"ticks", required_argument, NULL, TICKS},
    {"started", no_argument, NULL, STARTED},
    {"guest", no_argument, NULL, GUEST},
    {"groups", optional_argument, NULL, GROUPS},
    {"preset", required_argument, NULL, PRESET},
    {"next", required_argument, NULL, NEXT},
    {"ip", required_argument, NULL, IP},
    {"w", required_argument, NULL, W},
    {"rp", required_argument, NULL, RP},
    {"docol", required_argument, NULL, DOCOL},
    {"dodoes", required_argument, NULL, DODOES},
    {"exit", required_argument, NULL, EXIT},
    {"core-end", required_argument, NULL, CORE_END},
    {"threading", required_argument, NULL, THREADING},
    {"patched", required_argument, NULL, PATCHED},
    {"stamp", required_argument, NULL, STAMP},
    {"newline", required_argument, NULL, NEWLINE},
    {"exit-at-eof", no_argument, NULL, EXIT_AT_EOF},
    {"keys", required_argument, NULL, KEYS},
    {"type", required_argument, NULL, TYPE},
    {"screen", no_argument, NULL, SCREEN},
    {"help", no_argument, NULL, HELP},
    {"version", no_argument, NULL, VERSION},
    {0},
};

/* What is collected while reading, and looked at when all is read. */
struct reading {
	struct options *o;
	const char *load, *start, *putc, *getc, *stop;
	const char *next[STAMP - NEXT + 1]; /* of another Forth, by option */
	const char *cpu, *machine;
	const char *debug; /* the last file of symbols that has lines, or else the first */
	const char **include;
	int includes;
	struct machine_arg *arg;
	int args;
	char err[512];
};

static bool wrong(struct reading *r, const char *format, const char *text)
{
	snprintf(r->err, sizeof r->err, format, text);
	return false;
}

static bool set_machine(struct reading *r, const char *name)
{
	r->o->kind = machine_find(name);
	r->machine = name;
	return r->o->kind || wrong(r, "there is no machine '%s': see --help", name);
}

static bool set_cpu(struct reading *r, const char *name)
{
	r->cpu = name;
	return strcmp(name, "6502") == 0 || strcmp(name, "65c02") == 0 ||
	       wrong(r, "there is no processor '%s': 6502 and 65c02", name);
}

static bool set_number(struct reading *r, const char *text, unsigned long long *number)
{
	char *end;
	*number = strtoull(text, &end, 10);
	return (*text >= '0' && *text <= '9' && !*end) || wrong(r, "'%s' is no number", text);
}

/* Debug information begins with its version; a list of labels doesn't. */
static bool is_debug(const char *path)
{
	FILE *file = fopen(path, "r");
	char begin[8] = "";
	bool is = file && fread(begin, 1, 8, file) == 8 && memcmp(begin, "version\t", 8) == 0;

	if (file)
		fclose(file);
	return is;
}

static bool load_symbols(struct reading *r, const char *path)
{
	if (!r->o->symbols)
		r->o->symbols = symbols_new();
	if (!r->debug || is_debug(path))
		r->debug = path;
	return r->o->symbols && symbols_load(r->o->symbols, path, r->err, sizeof r->err);
}

static bool load_sources(struct reading *r)
{
	if (!r->o->source)
		return true;
	if (!r->debug)
		return wrong(r, "%s",
			     "--source needs --symbols=FILE, written by ld65 --dbgfile FILE");
	r->o->sources = sources_load(r->debug, r->err, sizeof r->err);
	return r->o->sources;
}

static void add_arg(struct reading *r, int kind, const char *text)
{
	r->arg[r->args++] = (struct machine_arg){.kind = kind, .text = text};
}

static bool set_zones(struct reading *r, const char *which)
{
	struct options *o = r->o;

	o->zones = strcmp(which, "subroutines") == 0 ? ZONES_SUBROUTINES : ZONES_FORTH;
	o->forth.words = strcmp(which, "words") == 0 || strcmp(which, "both") == 0;
	o->forth.buckets = strcmp(which, "buckets") == 0 || strcmp(which, "both") == 0;
	return o->zones == ZONES_SUBROUTINES || o->forth.words || o->forth.buckets ||
	       wrong(r, "there are no zones '%s': words, buckets, both or subroutines", which);
}

/* One of two words; *second: it is the second. */
static bool set_choice(struct reading *r, const char *text, const char *const choice[2],
		       bool *second)
{
	char message[128];

	*second = strcmp(text, choice[1]) == 0;
	snprintf(message, sizeof message, "'%%s' is neither %s nor %s", choice[0], choice[1]);
	return *second || strcmp(text, choice[0]) == 0 || wrong(r, message, text);
}

static void set_trace(struct options *o, const char *value)
{
	if (value && strcmp(value, "words") == 0)
		o->forth.trace = "-";
	else if (value && strncmp(value, "words:", 6) == 0)
		o->forth.trace = value + 6;
	else
		o->trace = value ? value : "-";
}

static bool take_preset(void *reading, const char *name, const char *value);

/* An option that says what another Forth is like; as take() below. */
static bool take_other(struct reading *r, int option, const char *value)
{
	static const char *const threadings[2] = {"itc", "dtc"};

	switch (option) {
	case PRESET:
		return preset_load(&r->o->preset, value, take_preset, r, r->err, sizeof r->err);
	case THREADING:
		return set_choice(r, value, threadings, &r->o->other.direct);
	default:
		if (option < NEXT || option > STAMP)
			return wrong(r, "%s", "wrong option: see --help");
		r->next[option - NEXT] = value;
		return true;
	}
}

/* An option for a Forth; as take() below. */
static bool take_forth(struct reading *r, int option, const char *value)
{
	static const char *const layouts[2] = {"now", "talk"}, *const ticks[2] = {"as-run",
										  "as-next"};
	struct options *o = r->o;
	bool second, good = true;

	switch (option) {
	case ZONES:
		return set_zones(r, value);
	case PRIMITIVES:
		o->forth.primitives = true;
		break;
	case BUCKETS:
		o->buckets[o->forth.buckets_files++] = value;
		break;
	case REPORT:
		o->bucket_report = value ? value : "-";
		break;
	case METRIC:
		o->report.metric = value;
		break;
	case CLASSIC:
		good = set_choice(r, value, layouts, &second);
		o->report.layout = second ? FORTH_TALK : FORTH_CLASSIC;
		break;
	case TICKS:
		good = set_choice(r, value, ticks, &second);
		o->forth.as_next = o->report.as_next = second;
		break;
	case STARTED:
		o->forth.started = true;
		break;
	case GUEST:
		o->forth.guest = true;
		break;
	case GROUPS:
		o->groups = value ? value : "zprof.groups";
		break;
	default:
		return take_other(r, option, value);
	}
	return good;
}

/* An option that says how the guest's run is looked at or reported; as take() below. */
static bool take_watching(struct reading *r, int option, const char *value)
{
	struct options *o = r->o;

	switch (option) {
	case SYMBOLS:
		return load_symbols(r, value);
	case REGISTERS:
		o->registers = true;
		break;
	case DISASSEMBLE:
		o->disassemble = true;
		break;
	case TRACE:
		set_trace(o, value);
		break;
	case BREAK:
		o->breaks[o->break_count++] = value;
		break;
	case WATCH:
		o->watches[o->watch_count++] = value;
		break;
	case MONITOR:
		o->monitor = true;
		break;
	case PROFILE:
		o->profile = value ? value : "-";
		break;
	case ANNOTATE:
		o->annotate = value ? value : "-";
		break;
	case SOURCE:
		o->source = value ? value : "-";
		break;
	default:
		return take_forth(r, option, value);
	}
	return true;
}

/* An option that says where the guest's run begins or ends; as take() below. */
static bool take_course(struct reading *r, int option, const char *value)
{
	unsigned long long number = 0;
	bool good = true;

	switch (option) {
	case START:
		r->start = value;
		break;
	case RESET:
		r->o->machine.reset = true;
		break;
	case STOP:
		r->stop = value;
		break;
	case LOOP:
		r->o->until_loop = true;
		break;
	case CYCLES:
		good = set_number(r, value, &number);
		r->o->cycles = number;
		break;
	default:
		return take_watching(r, option, value);
	}
	return good;
}

/* An option that says what the machine is and what it holds; as take() below. */
static bool take_machine(struct reading *r, int option, const char *value)
{
	static const char *const newlines[2] = {"lf", "cr"};
	struct machine_options *m = &r->o->machine;
	unsigned long long number = 0;
	bool good = true;

	switch (option) {
	case NEWLINE:
		return set_choice(r, value, newlines, &m->cr);
	case KEYS:
		m->keys = value;
		break;
	case TYPE:
		m->type = value;
		break;
	case SCREEN:
		m->screen = true;
		break;
	case EXIT_AT_EOF:
		m->exit_at_eof = true;
		break;
	case MACHINE:
		return set_machine(r, value);
	case CPU:
		return set_cpu(r, value);
	case LOAD:
		r->load = value;
		break;
	case SKIP:
		good = set_number(r, value, &number);
		m->skip = number;
		break;
	case PUTC:
		r->putc = value;
		break;
	case GETC:
		r->getc = value;
		break;
	case IMAGE:
		m->image = value;
		break;
	case PURE:
		m->pure = true;
		break;
	case DIR:
		m->dir = value;
		break;
	default:
		return take_course(r, option, value);
	}
	return good;
}

/* One option; false: wrong, or (with no message) nothing more to do. */
static bool take(struct reading *r, int option, const char *value)
{
	switch (option) {
	case 'I':
		r->include[r->includes++] = value;
		return true;
	case 'e':
		add_arg(r, FORTH_ARG_TEXT, value);
		return true;
	case HELP:
		options_help(stdout);
		return false;
	case VERSION:
		puts("vm-6502 1.0");
		return false;
	default:
		return take_machine(r, option, value);
	}
}

/* A line of a preset. */
static bool take_preset(void *reading, const char *name, const char *value)
{
	for (const struct option *o = table; o->name; o++) {
		if (strcmp(o->name, name) == 0 && o->val != PRESET)
			return take(reading, o->val, value);
	}
	return wrong(reading, "a preset has no '%s'", name);
}

static bool set_address(struct reading *r, const char *text, long *address)
{
	*address = text ? symbols_address(r->o->symbols, text) : -1;
	return !text || *address >= 0 || wrong(r, "'%s' is neither an address nor a symbol", text);
}

static bool set_addresses(struct reading *r)
{
	struct machine_options *m = &r->o->machine;
	return set_address(r, r->load, &m->load) && set_address(r, r->start, &m->start) &&
	       set_address(r, r->putc, &m->putc) && set_address(r, r->getc, &m->getc) &&
	       set_address(r, r->stop, &r->o->stop);
}

static bool set_other_address(struct reading *r, int option, uint16_t *address)
{
	long value;

	if (!set_address(r, r->next[option - NEXT], &value))
		return false;
	if (value >= 0)
		*address = value;
	return true;
}

/* One token, or two with a comma between them. */
static bool set_exits(struct reading *r)
{
	char text[128];
	char *comma;
	long value;

	snprintf(text, sizeof text, "%s", r->next[EXIT - NEXT] ? r->next[EXIT - NEXT] : "0");
	comma = strchr(text, ',');
	if (comma)
		*comma++ = 0;
	if (!set_address(r, text, &value))
		return false;
	r->o->other.exit = value;
	if (!set_address(r, comma, &value))
		return false;
	r->o->other.unnest = value < 0 ? 0 : value;
	return true;
}

/* An address, and after how many NEXTs. */
static bool set_stamp(struct reading *r)
{
	char text[128];
	char *plus;

	snprintf(text, sizeof text, "%s", r->next[STAMP - NEXT] ? r->next[STAMP - NEXT] : "");
	plus = strchr(text, '+');
	if (plus)
		*plus++ = 0;
	r->o->other.stamp_after = plus ? atoi(plus) : 0;
	return set_address(r, text[0] ? text : NULL, &r->o->other.stamp);
}

/* Another Forth: what it takes to watch it has to be there. */
static bool set_other(struct reading *r)
{
	static const int needed[] = {IP, W, DOCOL, CORE_END};
	static const char *const name[] = {"ip", "w", "docol", "core-end"};
	struct forth_image *i = &r->o->other;

	for (int k = NEXT; k <= STAMP; k++)
		i->other |= r->next[k - NEXT] != NULL;
	if (!i->other)
		return true;
	if (!r->next[0])
		return wrong(r, "%s", "--next is missing: where the other Forth's NEXT is");
	for (int k = 0; k < 4; k++) {
		if (!r->next[needed[k] - NEXT])
			return wrong(r, "--next takes --%s besides", name[k]);
	}
	return set_other_address(r, NEXT, &i->next) && set_other_address(r, IP, &i->ip) &&
	       set_other_address(r, W, &i->w) && set_other_address(r, RP, &i->rp) &&
	       set_other_address(r, DOCOL, &i->docol) && set_other_address(r, DODOES, &i->dodoes) &&
	       set_other_address(r, CORE_END, &i->core_end) && set_exits(r) &&
	       set_address(r, r->next[PATCHED - NEXT], &i->patched) && set_stamp(r);
}

static void check_preset(const struct options *o)
{
	if (o->preset.name[0] && o->machine.image && !preset_fits(&o->preset, o->machine.image))
		fprintf(stderr, "vm-6502: warning: '%s' is not the image that preset '%s' is for\n",
			o->machine.image, o->preset.name);
}

static const char *default_image(void)
{
	static char path[PATH_MAX + 64];

	preset_beside("forth.img", path, sizeof path);
	return path;
}

static bool is_kind(const struct reading *r, const char *name)
{
	return strcmp(r->o->kind->name, name) == 0;
}

/* A program of cl65 -t sim6502 says so itself. */
static bool says_sim65(const char *path)
{
	FILE *file = fopen(path, "rb");
	char begin[5] = "";
	bool says = file && fread(begin, 1, 5, file) == 5 && memcmp(begin, "sim65", 5) == 0;

	if (file)
		fclose(file);
	return says;
}

/* The first file is the program; all else is its arguments. */
static void take_program(struct reading *r)
{
	if (!r->machine && r->args && r->arg[0].kind == FORTH_ARG_FILE &&
	    says_sim65(r->arg[0].text))
		r->o->kind = machine_find("sim65");
	if (!is_kind(r, "sim65") || !r->args)
		return;
	r->o->machine.image = r->arg[0].text;
	memmove(r->arg, r->arg + 1, --r->args * sizeof *r->arg);
}

/* What isn't an option: a file before `--`, an argument for the guest behind it. */
static bool take_words(struct reading *r, int argc, char **argv, int first)
{
	bool files = first == 0 || strcmp(argv[first - 1], "--") != 0;
	struct machine_options *m = &r->o->machine;

	for (int i = first; i < argc; i++) {
		if (files && strcmp(argv[i], "--") == 0)
			files = false;
		else if (is_kind(r, "forth") || is_kind(r, "sim65"))
			add_arg(r, files ? FORTH_ARG_FILE : FORTH_ARG_WORD, argv[i]);
		else if (m->image)
			return wrong(r, "one file is enough, '%s' is too many", argv[i]);
		else
			m->image = argv[i];
	}
	if (!m->image && strcmp(r->o->kind->name, "forth") == 0)
		m->image = default_image();
	return true;
}

/* The guest has room for so much of a file's name or a text. */
static bool check_arguments(struct reading *r)
{
	for (int i = 0; i < r->args; i++) {
		if (r->arg[i].kind == FORTH_ARG_WORD || strlen(r->arg[i].text) <= 255)
			continue;
		return wrong(r, "%s longer than 255 bytes",
			     r->arg[i].kind == FORTH_ARG_TEXT
				 ? "put it into a file: a text of -e is"
				 : "the name of a file is");
	}
	return true;
}

static bool read_all(struct reading *r, int argc, char **argv)
{
	struct machine_options *m = &r->o->machine;
	int option;

	/* A `-` first: words come in their order among -e, and end at `--`. */
	while ((option = getopt_long(argc, argv, "-:e:I:", table, NULL)) != -1) {
		if (option == 1)
			add_arg(r, FORTH_ARG_FILE, optarg);
		else if (option == '?' || option == ':')
			return wrong(r,
				     option == '?' ? "there is no option '%s': see --help"
						   : "option '%s' lacks its value",
				     argv[optind - 1]);
		else if (!take(r, option, optarg))
			return false;
	}
	take_program(r);
	if (!take_words(r, argc, argv, optind))
		return false;
	if (!is_kind(r, "forth") && r->args && !m->image) {
		m->image = r->arg[0].text;
		if (r->args > 1)
			return wrong(r, "one file is enough, '%s' is too many", r->arg[1].text);
	}
	m->cpu = r->cpu ? strcmp(r->cpu, "65c02") == 0 ? M6502_CMOS : M6502_NMOS : r->o->kind->cpu;
	m->include = r->include;
	m->arg = r->arg;
	m->args = r->args;
	if (!check_arguments(r) || !set_addresses(r) || !set_other(r) || !load_sources(r))
		return false;
	check_preset(r->o);
	return true;
}

bool options_read(struct options *o, int argc, char **argv, int *status)
{
	struct reading r = {.o = o};
	bool good = false;

	memset(o, 0, sizeof *o);
	o->kind = machine_at(0);
	o->cycles = M6502_NEVER;
	o->machine.dir = ".";
	o->buckets = calloc(argc + 1, sizeof *o->buckets);
	o->forth.buckets_file = o->buckets;
	r.include = calloc(argc + 1, sizeof *r.include);
	r.arg = calloc(argc + 1, sizeof *r.arg);
	o->breaks = calloc(argc + 1, sizeof *o->breaks);
	o->watches = calloc(argc + 1, sizeof *o->watches);
	if (r.include && r.arg && o->breaks && o->watches && o->buckets)
		good = read_all(&r, argc, argv);
	else
		wrong(&r, "%s", "out of memory");
	o->machine.include = r.include;
	o->machine.arg = r.arg;
	if (r.err[0])
		fprintf(stderr, "vm-6502: %s\n", r.err);
	*status = r.err[0] ? 2 : 0;
	return good;
}

void options_free(struct options *o)
{
	free((void *)o->machine.include);
	free((void *)o->machine.arg);
	free(o->breaks);
	free(o->buckets);
	preset_free(&o->preset);
	free(o->watches);
	symbols_free(o->symbols);
	sources_free(o->sources);
}

/* SPDX-License-Identifier: MIT */
/* options: see the header. */
#include "vm-6502/command/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm-6502/command/options-inside.h"
#include "vm-6502/guest/forth-machine.h"

static bool load_sources(struct options_reading *r)
{
	if (!r->debug || !options_is_debug(r->debug))
		return true;
	r->o->sources = sources_load(r->debug, r->err, sizeof r->err);
	return r->o->sources;
}

bool options_address(struct options_reading *r, const char *text, long *address)
{
	*address = text ? symbols_address(r->o->symbols, text) : -1;
	return !text || *address >= 0 ||
	       options_wrong(r, "'%s' is neither an address nor a symbol", text);
}

static bool set_addresses(struct options_reading *r)
{
	struct machine_options *m = &r->o->machine;
	return options_address(r, r->load, &m->load) && options_address(r, r->start, &m->start) &&
	       options_address(r, r->putc, &m->putc) && options_address(r, r->getc, &m->getc) &&
	       options_address(r, r->stop, &r->o->stop);
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

static const char *default_help(void)
{
	static char path[PATH_MAX + 64];

	preset_beside("forth.help", path, sizeof path);
	return path;
}

/* The Forth's own files, which programs load by NEED: its folder is searched last. */
static void add_library(struct options_reading *r)
{
	static char path[PATH_MAX + 64];

	preset_beside("forth-library", path, sizeof path);
	if (access(path, R_OK) == 0)
		r->include[r->includes++] = path;
}

static bool is_kind(const struct options_reading *r, const char *name)
{
	return strcmp(r->o->kind->name, name) == 0;
}

/* A program made by cl65 -t sim6502 begins with a header that says so. */
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
static void take_program(struct options_reading *r)
{
	if (!r->machine && r->args && r->arg[0].kind == FORTH_ARG_FILE &&
	    says_sim65(r->arg[0].text))
		r->o->kind = machine_find("sim65");
	if (!is_kind(r, "sim65") || !r->args)
		return;
	r->o->machine.image = r->arg[0].text;
	memmove(r->arg, r->arg + 1, --r->args * sizeof *r->arg);
}

/* Takes the words that are not options: files before `--`, arguments for the guest after it. */
static bool take_words(struct options_reading *r, int argc, char **argv, int first)
{
	bool files = first == 0 || strcmp(argv[first - 1], "--") != 0;
	struct machine_options *m = &r->o->machine;

	for (int i = first; i < argc; i++) {
		if (files && strcmp(argv[i], "--") == 0)
			files = false;
		else if (is_kind(r, "forth") || is_kind(r, "sim65"))
			options_add_arg(r, files ? FORTH_ARG_FILE : FORTH_ARG_WORD, argv[i]);
		else if (m->image)
			return options_wrong(r, "one file is enough, '%s' is too many", argv[i]);
		else
			m->image = argv[i];
	}
	if (!m->image && strcmp(r->o->kind->name, "forth") == 0)
		m->image = default_image();
	if (!m->help)
		m->help = default_help();
	return true;
}

/* The guest has room for 255 bytes of a file's name or a text. */
static bool check_arguments(struct options_reading *r)
{
	for (int i = 0; i < r->args; i++) {
		if (r->arg[i].kind == FORTH_ARG_WORD || strlen(r->arg[i].text) <= 255)
			continue;
		return options_wrong(r, "%s longer than 255 bytes",
				     r->arg[i].kind == FORTH_ARG_TEXT
					 ? "put it into a file: a text of -e is"
					 : "the name of a file is");
	}
	return true;
}

static bool read_all(struct options_reading *r, int argc, char **argv)
{
	struct machine_options *m = &r->o->machine;
	int option;

	/* The `-` at the front lets files and -e come in their order, up to `--`. */
	while ((option = getopt_long(argc, argv, "-:e:I:", options_table, NULL)) != -1) {
		if (option == 1)
			options_add_arg(r, FORTH_ARG_FILE, optarg);
		else if (option == '?' || option == ':')
			return options_wrong(r,
					     option == '?' ? "there is no option '%s': see --help"
							   : "option '%s' lacks its value",
					     argv[optind - 1]);
		else if (!options_take(r, option, optarg))
			return false;
	}
	take_program(r);
	if (!take_words(r, argc, argv, optind))
		return false;
	if (!is_kind(r, "forth") && r->args && !m->image) {
		m->image = r->arg[0].text;
		if (r->args > 1)
			return options_wrong(r, "one file is enough, '%s' is too many",
					     r->arg[1].text);
	}
	m->cpu = r->cpu ? strcmp(r->cpu, "65c02") == 0 ? M6502_CMOS : M6502_NMOS : r->o->kind->cpu;
	add_library(r);
	m->include = r->include;
	m->arg = r->arg;
	m->args = r->args;
	if (!check_arguments(r) || !set_addresses(r) || !options_other(r) || !load_sources(r))
		return false;
	check_preset(r->o);
	return true;
}

bool options_read(struct options *o, int argc, char **argv, int *status)
{
	struct options_reading r = {.o = o};
	bool good = false;

	memset(o, 0, sizeof *o);
	o->kind = machine_at(0);
	o->cycles = M6502_NEVER;
	o->machine.dir = ".";
	o->listing = "vm-6502.lst";
	o->buckets = calloc(argc + 1, sizeof *o->buckets);
	o->forth.buckets_file = o->buckets;
	r.include = calloc(argc + 2, sizeof *r.include);
	r.arg = calloc(argc + 1, sizeof *r.arg);
	o->breaks = calloc(argc + 1, sizeof *o->breaks);
	o->watches = calloc(argc + 1, sizeof *o->watches);
	if (r.include && r.arg && o->breaks && o->watches && o->buckets)
		good = read_all(&r, argc, argv);
	else
		options_wrong(&r, "%s", "out of memory");
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

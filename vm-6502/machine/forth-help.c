/* SPDX-License-Identifier: MIT */
/* forth-help: see the header. */
#include "vm-6502/machine/forth-help.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm-6502/guest/forth-names.h"

enum { PATH_BYTES = 4096 };

struct place {
	char name[32];
	char file[256]; /* "": it was typed in */
	unsigned line;
	bool system;
};

static void say_nothing(void *context, uint16_t xt)
{
	(void)context, (void)xt;
}

/* Finds the source of a word by its header: link, line, file (forth-names.h). */
static bool find_place(struct forth *f, uint16_t nt, struct place *p)
{
	struct m6502 *m = &f->machine->cpu;
	struct forth_image image;
	struct forth_names *names = NULL;

	if (forth_image_find(&image, m))
		names = forth_names_new(m, &image, NULL, say_nothing, NULL);
	if (!names)
		return false;
	forth_names_header(names, nt, p->name);
	forth_names_file(names, m6502_peek(m, nt + 4), p->file);
	p->line = m6502_peek16(m, nt + 2);
	p->system = nt < forth_image_core_end(&image, m);
	forth_names_free(names);
	return true;
}

/* The last line for a word: `name TAB stack effect TAB description`. */
static void find_in_list(const char *path, const char *word, char *text, size_t size)
{
	FILE *file = path ? fopen(path, "r") : NULL;
	char line[1024];

	while (file && fgets(line, sizeof line, file)) {
		char *effect = strchr(line, '\t'), *what;
		if (!effect)
			continue;
		*effect++ = 0;
		if (strcasecmp(line, word) != 0)
			continue;
		effect[strcspn(effect, "\n")] = 0;
		what = strchr(effect, '\t');
		if (what)
			*what++ = 0;
		snprintf(text, size, "%s%s%s", effect, what ? "  " : "", what ? what : "");
	}
	if (file)
		fclose(file);
}

/* Makes the text: the part of a line from ( to ), and then the comment. */
static void describe(char *line, const char *comment, char *text, size_t size)
{
	char *begin = strstr(line, "( "), *end = begin ? strchr(begin, ')') : NULL;

	if (!end)
		begin = end = line;
	else
		end++;
	snprintf(text, size, "%.*s%s%s", (int)(end - begin), begin, *comment ? " " : "",
		 comment + strspn(comment, " "));
}

/*
 * Whether a line of a list at the head of a source, `\ TAB names TAB stack effect TAB description`,
 * is about the word; then its text is that.
 */
static bool find_listed(char *line, const char *word, char *text, size_t size)
{
	char *names = line + 2, *effect = strchr(names, '\t'), *what, *next;

	if (!effect)
		return false;
	*effect++ = 0;
	what = strchr(effect, '\t');
	if (what)
		*what++ = 0;
	for (const char *name = strtok_r(names, " ", &next); name;
	     name = strtok_r(NULL, " ", &next)) {
		if (strcasecmp(name, word) != 0)
			continue;
		snprintf(text, size, "%s%s%s", effect, what ? "  " : "", what ? what : "");
		return true;
	}
	return false;
}

static void find_in_source(struct forth *f, const struct place *p, char *text, size_t size)
{
	char path[PATH_BYTES], line[1024] = "", comment[256] = "";
	FILE *file = NULL;
	bool listed = false;

	if (files_path(f->files, p->file, path, sizeof path) == 0)
		file = fopen(path, "r");
	for (unsigned i = 1; file && i <= p->line && fgets(line, sizeof line, file); i++) {
		line[strcspn(line, "\r\n")] = 0;
		if (strncmp(line, "\\\t", 2) == 0)
			listed = find_listed(line, p->name, text, size) || listed;
		else if (i == p->line && !listed)
			describe(line, comment, text, size);
		else if (line[0] != '\\')
			comment[0] = 0;
		else if (!comment[0])
			snprintf(comment, sizeof comment, "%.255s", line + 1);
	}
	if (file)
		fclose(file);
}

void forth_help_text(struct forth *f, uint16_t nt, char *text, size_t size)
{
	char found[512] = "";
	struct place p;

	text[0] = 0;
	if (!find_place(f, nt, &p))
		return;
	if (p.system)
		find_in_list(f->machine->options->help, p.name, found, sizeof found);
	else if (p.file[0])
		find_in_source(f, &p, found, sizeof found);
	snprintf(text, size, "%s%s%s", p.name, found[0] ? " " : "", found);
}

/* The editor's variable may hold options, so the shell splits it; the other arguments are passed
 * whole. */
static void run_editor(const char *path, unsigned line)
{
	char plus[16];

	snprintf(plus, sizeof plus, "+%u", line);
	signal(SIGINT, SIG_DFL);
	execl("/bin/sh", "sh", "-c", "exec ${VISUAL:-${EDITOR:-vi}} \"$@\"", "editor", plus, path,
	      (char *)NULL);
	_exit(127);
}

/* Ctrl-C belongs to the editor while it runs. */
static int wait_for_editor(const char *path, unsigned line)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	int status = 0;
	pid_t pid;

	sigaction(SIGINT, &ignore, &before);
	pid = fork();
	if (pid == 0)
		run_editor(path, line);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &before, NULL);
	return pid < 0 ? EAGAIN : WIFEXITED(status) && WEXITSTATUS(status) == 127 ? ENOENT : 0;
}

int forth_help_edit(struct forth *f, uint16_t nt)
{
	char path[PATH_BYTES];
	struct place p;
	int why;

	if (!find_place(f, nt, &p) || !p.file[0])
		return ENOENT;
	why = files_path(f->files, p.file, path, sizeof path);
	return why ? why : wait_for_editor(path, p.line);
}

/* SPDX-License-Identifier: MIT */
/*
 * files_random.c - runs zprof's commands in a folder in random order, beside a model
 * (files_model.h): no call may be lost that no `rm` named, and none may count twice.
 *
 *     files_random ZPROF LIBRARY PROGRAM SEED STEPS      in an empty folder
 *
 * PROGRAM N makes N calls, each of one function. Without N it reads numbers from standard input,
 * makes so many calls for each, and answers with a line. A step is one of: record (also -o), cp, mv,
 * archive (in place, or -o), merge, snapshot, reset, rm (also --keep), report, diff, two of these at
 * once, and for a program that runs: calls, attach, detach, its end, its death. After each step the
 * files in the folder must be those of the model; every few steps each file's calls are read, and
 * those of all files together. Prints the steps; exits with 1 at the first difference.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/files_model.h"

#define OUTPUT_ROOM 65536
#define NAMES       6 /* for copies, merged profiles and the like */
#define CALLS_MOST  50

static const char *zprof, *library, *program;
static struct model m;
static unsigned processes, runs;
static uint64_t seed;

static struct {
	pid_t pid; /* 0: none runs */
	int to, from;
	bool recording;
	char name[MODEL_NAME];
} live;

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* ---- commands */

static char output[OUTPUT_ROOM];

static pid_t start_command(const char *const *argv, int to)
{
	fflush(stdout);
	pid_t pid = fork();
	if (pid)
		return pid;
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	dup2(nothing, STDIN_FILENO);
	dup2(to, STDOUT_FILENO);
	dup2(to, STDERR_FILENO);
	execv(argv[0], (char *const *)argv);
	_exit(127);
}

static int status_of(pid_t pid)
{
	int status;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void take_output(int fd)
{
	ssize_t n = pread(fd, output, sizeof output - 1, 0);
	output[n > 0 ? n : 0] = 0;
}

static void print_command(const char *const *argv)
{
	printf(" ");
	for (const char *const *word = argv; *word; word++)
		printf(" %s", *word == zprof ? "zprof" : *word);
	puts("");
}

/* Runs zprof with the words up to NULL; its output is in `output`. */
static int run(const char *first, ...)
{
	const char *argv[MODEL_FILES + 16] = {zprof, first};
	size_t count = 2;
	va_list words;
	va_start(words, first);
	for (const char *word; (word = va_arg(words, const char *));)
		argv[count++] = word;
	va_end(words);
	int fd = memfd_create("output", MFD_CLOEXEC);
	print_command(argv);
	int status = status_of(start_command(argv, fd));
	take_output(fd);
	close(fd);
	return status;
}

static void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void fail(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	printf("NOT AS IT MUST BE: ");
	vprintf(format, list);
	va_end(list);
	printf("\nthe command said:\n%s", output);
	for (size_t i = 0; i < m.count; i++)
		printf("model: %s, kind %d, run %u, %lu calls%s\n", m.files[i].name,
		       m.files[i].kind, m.files[i].run,
		       model_calls(m.files[i].parts, m.files[i].part_count),
		       m.files[i].live ? ", live" : "");
	exit(1);
}

static void expect(int got, bool ok, const char *what)
{
	if ((got == 0) != ok)
		fail("%s gave %d, and %s", what, got,
		     ok ? "should have done it" : "should have refused");
}

/* ---- looking */

/* Runs `zprof COMMAND --json` for the files; its output is in `output`. */
static int look_at(const char *command, char names[][MODEL_NAME], size_t count)
{
	const char *argv[MODEL_FILES + 16] = {zprof, command, "--json"};
	for (size_t i = 0; i < count; i++)
		argv[3 + i] = names[i];
	int fd = memfd_create("output", MFD_CLOEXEC);
	int status = status_of(start_command(argv, fd));
	take_output(fd);
	close(fd);
	return status;
}

/* How many calls `zprof report` says that the files hold; -1: it refuses. */
static long reported(char names[][MODEL_NAME], size_t count)
{
	long calls = 0;
	int status = look_at("report", names, count);
	const char *at = strstr(output, "\"functions\":");
	const char *end = at ? strstr(at, "\"arcs\":") : NULL;
	for (; at && (at = strstr(at, "\"calls\":")) && at < end; at++)
		calls += strtol(at + strlen("\"calls\":"), NULL, 10);
	return status ? -1 : calls;
}

/* How many calls `zprof info` says that a file holds; it has all parts of a merged file. */
static long told_of(const char *name)
{
	char key[MODEL_NAME + 16];
	long calls = 0;
	snprintf(key, sizeof key, "{\"path\":\"%s\",", name);
	const char *at = strstr(output, "\n\"files\":");
	for (; at && (at = strstr(at, key)); at++) {
		const char *found = strstr(at, "\"notes\":");
		found = found ? strstr(found, ",\"calls\":") : NULL;
		calls += found ? strtol(found + strlen(",\"calls\":"), NULL, 10) : -1;
	}
	return calls;
}

static void check_names(void)
{
	size_t found = 0;
	DIR *d = opendir(".");
	for (struct dirent *e; (e = readdir(d));) {
		if (*e->d_name == '.' || strstr(e->d_name, ".base"))
			continue;
		if (!model_find(&m, e->d_name))
			fail("the file '%s' is there", e->d_name);
		found++;
	}
	closedir(d);
	if (found != m.count)
		for (size_t i = 0; i < m.count; i++)
			if (access(m.files[i].name, F_OK))
				fail("the file '%s' is gone", m.files[i].name);
}

static void check_calls(void)
{
	struct model_part parts[MODEL_PARTS];
	char all[MODEL_FILES][MODEL_NAME], folder[1][MODEL_NAME] = {"."};
	size_t count, names = 0;
	for (size_t i = 0; i < m.count; i++)
		strcpy(all[i], m.files[i].name);
	if (m.count && look_at("info", all, m.count))
		fail("zprof info failed");
	for (size_t i = 0; i < m.count; i++) {
		const struct model_file *f = &m.files[i];
		long is = told_of(f->name);
		if (is != (long)model_calls(f->parts, f->part_count))
			fail("'%s' holds %ld calls", f->name, is);
		if (f->kind != SNAPSHOT)
			strcpy(all[names++], f->name);
	}
	if (!names)
		return;
	bool ok = model_sum(&m, all, names, parts, &count);
	long is = reported(folder, 1), must = ok ? (long)model_calls(parts, count) : -1;
	if (is != must)
		fail("the folder holds %ld calls, not %ld", is, must);
}

/* ---- choosing */

static const char *some_name(void)
{
	static const char *const names[NAMES] = {"a.zp", "b.zp", "c.zp", "d.zp", "e.zp", "f.zp"};
	return names[below(NAMES)];
}

/* NULL: there is none. */
static struct model_file *some_file(void)
{
	return m.count ? &m.files[below((unsigned)m.count)] : NULL;
}

/* Up to four different files. */
static size_t some_files(char names[][MODEL_NAME])
{
	size_t count = 0;
	for (unsigned i = below(4) + 1; i-- && m.count;) {
		const struct model_file *f = some_file();
		bool known = false;
		for (size_t k = 0; k < count; k++)
			known |= !strcmp(names[k], f->name);
		if (!known)
			strcpy(names[count++], f->name);
	}
	return count;
}

/* ---- steps that make files */

static void note_new_file(pid_t pid, unsigned long calls, bool is_live)
{
	struct model_part part = {++processes, calls, !is_live};
	char name[MODEL_NAME];
	snprintf(name, sizeof name, "zprof.out.%d", (int)pid);
	if (model_find(&m, name))
		snprintf(name, sizeof name, "zprof.out.%d.2", (int)pid);
	model_put(&m, name, RECORDED, ++runs, &part, 1)->live = is_live;
	if (is_live)
		strcpy(live.name, name);
}

static void record_default(void)
{
	char number[16];
	unsigned calls = below(CALLS_MOST);
	snprintf(number, sizeof number, "%u", calls);
	expect(run("record", program, number, NULL), true, "record");
	const char *at = strstr(output, "zprof.out.");
	if (!at)
		fail("record named no profile");
	note_new_file((pid_t)strtol(at + strlen("zprof.out."), NULL, 10), calls + 1, false);
}

static void record_as(void)
{
	char number[16];
	const char *name = some_name();
	unsigned calls = below(CALLS_MOST);
	struct model_part part = {processes + 1, calls + 1, true};
	bool ok = model_may_write(&m, name, RECORDED, NULL, 0);
	snprintf(number, sizeof number, "%u", calls);
	expect(run("record", "-o", name, program, number, NULL), ok, "record -o");
	if (ok) {
		processes++;
		model_put(&m, name, RECORDED, ++runs, &part, 1);
	}
}

static void copy(void)
{
	const struct model_file *f = some_file();
	const char *to = some_name();
	char line[3 * MODEL_NAME];
	if (!f || model_find(&m, to))
		return;
	snprintf(line, sizeof line, "cp %s %s", f->name, to);
	printf("  %s\n", line);
	if (system(line))
		fail("cp failed");
	struct model_part *parts = f->parts;
	model_put(&m, to, f->kind, 0, parts, f->part_count);
}

static void move(void)
{
	struct model_file *f = some_file();
	const char *to = some_name();
	if (!f || f->live || model_find(&m, to))
		return;
	printf("  mv %s %s\n", f->name, to);
	if (rename(f->name, to))
		fail("mv failed");
	strcpy(f->name, to);
	f->run = 0;
}

static void archive_here(void)
{
	const struct model_file *f = some_file();
	if (f)
		expect(run("archive", f->name, NULL), true, "archive");
}

static void archive_to(void)
{
	const struct model_file *f = some_file();
	const char *to = some_name();
	if (!f || f->live)
		return;
	char input[1][MODEL_NAME];
	strcpy(input[0], f->name);
	enum model_kind kind = f->kind == RECORDED ? COPY : f->kind;
	bool ok = model_may_write(&m, to, kind, input, 1);
	expect(run("archive", "-o", to, f->name, NULL), ok, "archive -o");
	if (ok)
		model_put(&m, to, kind, 0, f->parts, f->part_count);
}

static int run_with(const char *first, const char *second, const char *third,
		    char names[][MODEL_NAME], size_t count)
{
	return run(first, second, third, count > 0 ? names[0] : NULL, count > 1 ? names[1] : NULL,
		   count > 2 ? names[2] : NULL, count > 3 ? names[3] : NULL, NULL);
}

static void merge(void)
{
	char names[4][MODEL_NAME];
	struct model_part parts[MODEL_PARTS];
	size_t part_count, count = some_files(names);
	const char *to = some_name();
	if (!count)
		return;
	bool ok = model_sum(&m, names, count, parts, &part_count) &&
		  model_may_write(&m, to, MERGED, names, count);
	expect(run_with("merge", "-o", to, names, count), ok, "merge");
	if (ok)
		model_put(&m, to, MERGED, 0, parts, part_count);
}

/* ---- steps that remove files */

static void remove_run(void)
{
	const struct model_file *f = some_file();
	if (!f)
		return;
	char name[MODEL_NAME];
	strcpy(name, f->name);
	bool kept = f->live;
	expect(run("rm", name, NULL), true, "rm");
	if (!kept)
		model_remove(&m, name);
}

/* Default names alone count, and each run here is of one process. */
static void remove_old(void)
{
	char keep[16];
	unsigned kept = below(3), newer = 0;
	snprintf(keep, sizeof keep, "%u", kept);
	expect(run("rm", "--keep", keep, ".", NULL), true, "rm --keep");
	for (unsigned run = runs; run > 0; run--)
		for (size_t i = m.count; i-- > 0;) {
			const struct model_file *f = &m.files[i];
			if (f->run == run && !strncmp(f->name, "zprof.out.", 10) &&
			    ++newer > kept && !f->live)
				model_remove(&m, f->name);
		}
}

/* ---- steps that look */

static void report_some(void)
{
	char names[4][MODEL_NAME];
	struct model_part parts[MODEL_PARTS];
	size_t part_count, count = some_files(names);
	if (!count)
		return;
	bool ok = model_sum(&m, names, count, parts, &part_count);
	long is = reported(names, count), must = ok ? (long)model_calls(parts, part_count) : -1;
	printf("  report of %zu files: %ld calls\n", count, is);
	if (is != must)
		fail("these files hold %ld calls, not %ld", is, must);
}

static bool has_side(const char *side, unsigned long calls)
{
	char number[64];
	const char *line = strstr(output, side);
	if (calls < 1000)
		snprintf(number, sizeof number, " %lu call", calls);
	else
		snprintf(number, sizeof number, " %lu,%03lu call", calls / 1000, calls % 1000);
	const char *found = line ? strstr(line, number) : NULL;
	return found && !memchr(line, '\n', (size_t)(found - line));
}

/* Two sides that are named are never left out against each other. */
static void compare(void)
{
	const struct model_file *a = some_file(), *b = some_file();
	if (!a)
		return;
	expect(run("diff", "--sum", "--width", "0", a->name, b->name, NULL), true, "diff");
	if (!has_side("before:", model_calls(a->parts, a->part_count)) ||
	    !has_side("after:", model_calls(b->parts, b->part_count)))
		fail("diff does not have the calls of '%s' and '%s'", a->name, b->name);
}

/* ---- two at once: neither needs what the other makes */

static void two_at_once(void)
{
	const struct model_file *f = some_file();
	if (!f || f->live)
		return;
	const char *archive[] = {zprof, "archive", f->name, NULL};
	const char *report[] = {zprof, "report", f->name, NULL};
	const char *html[] = {zprof, "html", "-o", ".page.html", f->name, NULL};
	const char **second = (const char **[]){archive, report, html}[below(3)];
	int fd = memfd_create("output", MFD_CLOEXEC);
	print_command(archive);
	print_command(second);
	pid_t one = start_command(archive, fd), two = start_command(second, fd);
	int first_status = status_of(one), second_status = status_of(two);
	take_output(fd);
	close(fd);
	expect(first_status, true, "archive beside another command");
	expect(second_status, true, "a command beside archive");
}

/* ---- a program that runs */

static struct model_file *live_file(void)
{
	return model_find(&m, live.name);
}

/* Lets it make the calls, and waits until they are made. */
static void call_live(unsigned calls)
{
	char line[16];
	int n = snprintf(line, sizeof line, "%u\n", calls);
	if (write(live.to, line, (size_t)n) != n || read(live.from, line, 1) != 1)
		fail("the program does not answer");
}

static void start_live(void)
{
	int to[2], from[2];
	if (live.pid || pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		return;
	fflush(stdout);
	live.pid = fork();
	if (!live.pid) {
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		setenv("LD_PRELOAD", library, 1);
		execl(program, program, NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	live.to = to[1];
	live.from = from[0];
	live.recording = true;
	printf("  the program %d begins\n", (int)live.pid);
	call_live(1);
	note_new_file(live.pid, 2, true);
}

static void use_live(void)
{
	unsigned calls = below(CALLS_MOST);
	if (!live.pid)
		return;
	call_live(calls);
	if (live.recording)
		live_file()->parts->calls += calls;
	printf("  %u calls of the program\n", calls);
}

static void end_live(bool by_signal)
{
	if (!live.pid)
		return;
	if (by_signal)
		kill(live.pid, SIGKILL);
	close(live.to);
	waitpid(live.pid, NULL, 0);
	close(live.from);
	printf("  the program %s\n", by_signal ? "is killed" : "ends");
	live_file()->live = false;
	live_file()->parts->ended = !by_signal;
	live.pid = 0;
}

static void snapshot_live(void)
{
	const char *to = some_name();
	char pid[16], input[1][MODEL_NAME];
	if (!live.pid)
		return;
	strcpy(input[0], live.name);
	snprintf(pid, sizeof pid, "%d", (int)live.pid);
	bool ok = model_may_write(&m, to, SNAPSHOT, input, 1);
	expect(run("snapshot", "-o", to, pid, NULL), ok, "snapshot");
	if (ok)
		model_put(&m, to, SNAPSHOT, 0, live_file()->parts, 1);
	expect(run("reset", pid, NULL), true, "reset");
}

/*
 * The next call of a function answers an attach or a detach, so some are made meanwhile; how many
 * of them are recorded is known only from the profile. No call may be lost that was there before.
 */
static void switch_live(void)
{
	char pid[16], one[1][MODEL_NAME];
	int fd = memfd_create("output", MFD_CLOEXEC);
	if (!live.pid) {
		close(fd);
		return;
	}
	snprintf(pid, sizeof pid, "%d", (int)live.pid);
	const char *argv[] = {zprof, live.recording ? "detach" : "attach", pid, NULL};
	print_command(argv);
	pid_t command = start_command(argv, fd);
	unsigned long made = 0;
	int status;
	while (waitpid(command, &status, WNOHANG) == 0) {
		call_live(1);
		made++;
	}
	take_output(fd);
	close(fd);
	expect(status, true, argv[1]);
	live.recording = !live.recording;
	strcpy(one[0], live.name);
	long is = reported(one, 1);
	struct model_part *part = live_file()->parts;
	if (is < (long)part->calls || is > (long)(part->calls + made))
		fail("'%s' holds %ld calls: there were %lu, and %lu more were made", live.name, is,
		     part->calls, made);
	part->calls = (unsigned long)is;
}

static void begin_or_use(void)
{
	start_live();
	use_live();
}

static void switch_and_use(void)
{
	switch_live();
	use_live();
}

static void use_or_end(void)
{
	if (below(4))
		use_live();
	else
		end_live(below(2));
}

static void report_or_remove(void)
{
	if (below(4))
		report_some();
	else
		remove_old();
}

static void step(void)
{
	static void (*const steps[])(void) = {
	    record_default, record_as,        record_as, copy,        copy,         move,
	    archive_here,   archive_to,       merge,     merge,       merge,        remove_run,
	    remove_run,     report_or_remove, compare,   two_at_once, begin_or_use, snapshot_live,
	    switch_and_use, use_or_end,
	};
	steps[below(sizeof steps / sizeof *steps)]();
}

int main(int argc, char **argv)
{
	if (argc != 6) {
		fputs("usage: files_random ZPROF LIBRARY PROGRAM SEED STEPS\n", stderr);
		return 2;
	}
	zprof = argv[1];
	library = argv[2];
	program = argv[3];
	seed = strtoull(argv[4], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
	long steps = strtol(argv[5], NULL, 10);
	for (long i = 1; i <= steps; i++) {
		printf("step %ld\n", i);
		step();
		check_names();
		if (i % 8 == 0 || i == steps)
			check_calls();
	}
	end_live(false);
	check_calls();
	printf("%ld steps, %u processes\n", steps, processes);
	return 0;
}

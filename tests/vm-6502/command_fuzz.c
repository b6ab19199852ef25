/* SPDX-License-Identifier: MIT */
/*
 * command_fuzz: whole runs of vm-6502, built with sanitizers, with command lines and files made at random:
 * sources of any bytes, changed images, programs of each machine, files of buckets, symbols and presets,
 * in a folder with links that lead out, pipes and odd names. No run may end by a signal or a
 * sanitizer's report, or go on for ever, and nothing outside of the folder may change. Prints TAP.
 *
 *	command_fuzz VM-6502 FORTH.IMG [RUNS [SEED]]    in an empty folder
 *
 * The same seed gives the same runs. What a bad run was given stays in the folder `box`.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 24, MOST_BYTES = 0x10010, SECONDS = 60, REPORTED = 99 };

static uint64_t seed;
static const char *vm, *image;
static uint8_t forth[MOST_BYTES];
static size_t forth_size;
static char *argument[MOST_ARGUMENTS + 4];
static int arguments;

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % n;
}

#define ANY_OF(list) list[below(sizeof(list) / sizeof *(list))]

static void add(const char *text)
{
	if (arguments < MOST_ARGUMENTS)
		argument[arguments++] = strdup(text);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
	FILE *to = fopen(name, "wb");

	if (!to || fwrite(bytes, 1, size, to) != size || fclose(to) != 0) {
		perror(name);
		exit(2);
	}
}

/* ---- what files hold */

static const char *const forth_words[] = {
    ": w",
    ";",
    "if",
    "then",
    "begin",
    "again",
    "until",
    "do",
    "loop",
    "+loop",
    "dup",
    "drop",
    "swap",
    "@",
    "!",
    "c!",
    "execute",
    "create",
    "does>",
    "allot",
    "here",
    "0",
    "-1",
    "$fe00",
    "$ffff",
    "100000",
    "s\" x\"",
    ".\" y\"",
    "abort\" z\"",
    "catch",
    "throw",
    "include",
    "a.fth",
    "need",
    "floating",
    "1e",
    "f/",
    "f.",
    "see",
    "dump",
    "vocabulary v",
    "v",
    "only",
    "order",
    "words",
    "defer d",
    "d",
    "code c",
    "end-code",
    "evaluate",
    "marker m",
    "m",
    "open-file",
    "create-file",
    "way/x",
    "../x",
    "pipe",
    "r/w",
    "read-line",
    "profiler-bucket b",
    "b end-bucket",
    "profiler-metric:[ m b ]profiler-metric",
    "profiler-start",
    "profiler-end",
    "profiler-report",
    "profiling on",
    "save-system s.img",
    "1 load",
    "5 block",
    "update",
    "flush",
    "allocate",
    "free",
    "resize",
};

static size_t fill_source(char *text)
{
	size_t n = 0, wanted = below(3000);

	while (n < wanted) {
		if (below(8) == 0) {
			for (unsigned k = below(40); k; k--)
				text[n++] = below(256);
		} else {
			n = stpcpy(text + n, ANY_OF(forth_words)) - text;
		}
		text[n++] = " \n\n  \t"[below(6)];
	}
	return n;
}

static const char *const lines[] = {
    "[bucket a]\nfile = a.fth\n",
    "[bucket b]\nwords = dup drop\n",
    "[bucket c]\naddr = 8000-8400\n",
    "[bucket]\naddr = x-\n",
    "[metric m]\nbuckets = a b c d\n",
    "from  to   size  bucket\n8000 8400  1024  [x]\n",
    "al 000400 .start\nal C:0401 .next\n",
    "al 99999999 .far\n",
    "version\tmajor=2,minor=0\ninfo\tcsym=1,file=1,lib=0,line=1,mod=1,scope=1,seg=1,span=1,sym=1,type=0\n",
    "file\tid=0,name=\"a.fth\",size=1,mtime=0x0,mod=0\n",
    "seg\tid=0,name=\"CODE\",start=0x000400,size=0x0010,addrsize=absolute,type=ro\n",
    "span\tid=0,seg=0,start=0,size=3\n",
    "line\tid=0,file=0,line=1,span=0\n",
    "sym\tid=0,name=\"main\",addrsize=absolute,scope=0,def=0,val=0x400,seg=0,type=lab\n",
    "csym\tid=0,name=\"main\",scope=0,type=0,sc=ext,sym=0\n",
    "span\tid=99999999,seg=7,start=-1,size=70000\n",
    "machine = flat\nload = 0400\n",
    "next = 27\nip = 2c\nw = 3a\nrp = 20\ndocol = 2ae7\n",
    "size = 12\nsha256 = 00\n",
    "preset = ./text\n",
};

static size_t fill_text(char *text)
{
	size_t n = 0;

	for (unsigned k = below(12); k; k--)
		n = stpcpy(text + n, ANY_OF(lines)) - text;
	for (unsigned k = below(3); n && k; k--)
		text[below(n)] = below(256);
	return n;
}

/* Changes some bytes; now and then, the length too. */
static size_t change(uint8_t *bytes, size_t n)
{
	for (unsigned k = below(1 << below(10)); n && k; k--)
		bytes[below(n)] = below(256);
	return below(4) ? n : below(n + 1);
}

static size_t fill_code(uint8_t *bytes, size_t n)
{
	static const uint8_t often[] = {0x20, 0xf4, 0xff, 0x4c, 0x60, 0xd2,
					0xff, 0xa9, 0x00, 0x8d, 0xc0, 0xf1};

	for (size_t i = 0; i < n; i++)
		bytes[i] = below(2) ? ANY_OF(often) : below(256);
	return n;
}

/* ---- runs */

static void add_options(void)
{
	static const char *const option[] = {
	    "--cpu=65c02",
	    "--pure",
	    "--registers",
	    "--trace=trace",
	    "--trace=words:trace",
	    "--monitor",
	    "--zones=words",
	    "--zones=buckets",
	    "--zones=both",
	    "--zones=subroutines",
	    "--zones=cells",
	    "--primitives",
	    "--buckets=text",
	    "--bucket-report=table",
	    "--metric=m",
	    "--classic=talk",
	    "--ticks=as-next",
	    "--started",
	    "--guest",
	    "--groups=groups",
	    "--symbols=text",
	    "--preset=./text",
	    "--helpers=folded",
	    "--break=400",
	    "--watch=10",
	    "--stop=fff9",
	    "--until-loop",
	    "--start=main",
	    "--next=10",
	    "--ip=17",
	    "--w=27",
	    "--docol=2ae7",
	    "--threading=dtc",
	    "--core-end=43d9",
	    "--patched=1b",
	    "--stamp=100+3",
	    "--screen",
	    "--type=a\\nb",
	    "--keys=a.fth",
	    "--newline=cr",
	    "--exit-at-eof",
	    "--putc=f001",
	    "--getc=f004",
	    "--skip=12",
	    "--load=ffff",
	    "--reset",
	    "--dir=way",
	    "--dir=sub",
	    "--disassemble",
	    "-I",
	    "--",
	    "--bogus",
	    "-e",
	    "1 . cr",
	    "\xff\xfe",
	};

	for (unsigned k = below(5); k; k--)
		add(ANY_OF(option));
}

static void make_run(void)
{
	static uint8_t bytes[MOST_BYTES];
	size_t n;
	char name[256];

	write_file("text", bytes, fill_text((char *)bytes));
	write_file("a.fth", bytes, fill_source((char *)bytes));
	snprintf(name, sizeof name, "--image=%s", image);
	switch (below(6)) {
	case 0:
	case 1:
		add(name);
		add_options();
		add("a.fth");
		break;
	case 2:
		memcpy(bytes, forth, forth_size);
		n = change(bytes, forth_size);
		write_file("b.img", bytes, n);
		add("--image=b.img");
		add_options();
		add("a.fth");
		break;
	case 3:
		memcpy(bytes, "sim65\2\0\x80\0\2\0\2", 12);
		n = 12 + fill_code(bytes + 12, below(2000));
		if (below(4) == 0)
			n = change(bytes, n);
		write_file("prog", bytes, n);
		add("prog");
		add_options();
		break;
	case 4:
		memcpy(bytes, "\1\10\13\10\12\0\236 2064\0\0\0\352\352", 17);
		n = 17 + fill_code(bytes + 17, below(2000));
		if (below(4) == 0)
			n = change(bytes, n);
		write_file("prog", bytes, n);
		add("--machine=c64");
		add_options();
		add("prog");
		break;
	default:
		write_file("prog", bytes, fill_code(bytes, below(MOST_BYTES)));
		add("--machine=flat");
		add_options();
		add("prog");
	}
}

/* The folder that runs are in: files, and what is none. */
static void make_box(void)
{
	if (system("rm -rf box && mkdir -p box/sub outside && echo secret >outside/x && cd box && "
		   "ln -s ../outside way && ln -s /etc/passwd link && mkfifo pipe && "
		   "echo odd >'na me' && echo x >\"$(printf 'b\\377d')\"") != 0)
		exit(2);
}

/* What the folder outside holds. */
static bool outside_is_there(void)
{
	return system("[ \"$(ls -A outside)\" = x ] && [ \"$(cat outside/x)\" = secret ]") == 0;
}

/* The status of a run, as waitpid() gives it. */
static int run(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		int input = open(below(2) ? "/dev/null" : "a.fth", O_RDONLY);
		int output = open("../said", O_WRONLY | O_CREAT | O_TRUNC, 0666);
		dup2(input, 0);
		dup2(output, 1);
		dup2(output, 2);
		alarm(SECONDS);
		execv(vm, argument);
		_exit(127);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static bool one_run(long number)
{
	int status;

	arguments = 0;
	add(vm);
	add("--cycles=3000000");
	make_run();
	argument[arguments] = NULL;
	status = run();
	if (WIFSIGNALED(status) || WEXITSTATUS(status) == REPORTED || WEXITSTATUS(status) == 127) {
		printf("# run %ld ended with %#x:", number, (unsigned)status);
		for (int i = 1; i < arguments; i++)
			printf(" '%s'", argument[i]);
		printf("\n");
		return false;
	}
	for (int i = 0; i < arguments; i++)
		free(argument[i]);
	return true;
}

int main(int argc, char **argv)
{
	enum { RUNS_PER_BOX = 200 };
	long runs = argc > 3 ? atol(argv[3]) : 1000, n = 0;
	bool good = true, there = true;
	FILE *from = argc > 2 ? fopen(argv[2], "rb") : NULL;

	if (!from)
		return 2;
	forth_size = fread(forth, 1, sizeof forth, from);
	fclose(from);
	vm = realpath(argv[1], NULL);
	image = realpath(argv[2], NULL);
	seed = argc > 4 ? strtoull(argv[4], NULL, 0) : 6502;
	setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=0", 1);
	setenv("UBSAN_OPTIONS", "exitcode=99", 1);
	setenv("EDITOR", "true", 1);
	for (; good && there && n < runs; n++) {
		if (n % RUNS_PER_BOX == 0)
			make_box();
		if (chdir("box") != 0)
			return 2;
		good = one_run(n);
		if (chdir("..") != 0)
			return 2;
		if (n % RUNS_PER_BOX == RUNS_PER_BOX - 1)
			there = outside_is_there();
	}
	there = there && outside_is_there();
	printf("%sok 1 - %ld runs of vm-6502 on what nobody would give it\n", good ? "" : "not ",
	       n);
	printf("%sok 2 - and nothing outside of the folder has changed\n1..2\n",
	       there ? "" : "not ");
	return !good || !there;
}

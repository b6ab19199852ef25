/* SPDX-License-Identifier: MIT */
/* cmd_help.c - `zprof help`: the overview, a command's page, or a page on a subject of all
 * commands. */
#include <stdio.h>
#include <string.h>

#include "report/commands.h"
#include "report/core/command/help_text.h"
#include "report/help/help.h"
#include "report/core/base/near.h"

/* Pages that belong to no command. */
static const struct {
	const char *name, *text;
} pages[] = {
    {"groups-file",
     "GROUPS FILE\n"
     "    A group is a named set of functions. Groups are read from 'zprof.groups' in the\n"
     "    current folder, or from --groups FILE:\n"
     "\n"
     "        [group scanner]\n"
     "        file   = src/scan*.c\n"
     "        func   = scan_* next_token\n"
     "        [group io]\n"
     "        module = libc.so*\n"
     "        [group numbers]\n"
     "        parent = scanner\n"
     "        func   = /^scan_(int|real)$/\n"
     "        addr   = libm.so.6:0x1000-0x2000\n"
     "        [metric compile]\n"
     "        groups = scanner io\n"
     "\n"
     "    func, file and module take patterns separated by spaces; \"quotes\" keep spaces. A\n"
     "    pattern is a glob, or /an extended regular expression/. A function is in the group\n"
     "    when any pattern of any key matches: its name or the last parts of it (with or\n"
     "    without parameters, or as the linker sees it), the file it is defined in, or its\n"
     "    program or library (paths by their last parts). addr is a range of addresses in a\n"
     "    module's own terms. A key may be given several times, or go on in lines that begin\n"
     "    with a space.\n"
     "\n"
     "    parent nests a group: its functions count for the parent if a metric lists the\n"
     "    parent but not the group. A function in two groups of a metric that do not nest\n"
     "    counts for the one listed first. Without --metric all groups are used, in the\n"
     "    order of the file.\n"
     "\n"
     "    Time in a function of no group counts for the nearest group among its callers; if\n"
     "    there is none, for (etc). An interpreter may name groups for the functions it\n"
     "    lends; those need not be in the file.\n"},
    {"patterns",
     "PATTERNS\n"
     "    scan_*            a function: a glob (* ? [a-z]) that matches its name, or the\n"
     "                      last parts of it (text::scan_line), with or without parameters\n"
     "                      and the <arguments> in front of them; or its name as the\n"
     "                      linker sees it\n"
     "    /^scan_(a|b)/     the same by an extended regular expression, which may match\n"
     "                      anywhere in the whole name; it has no back-references, and at\n"
     "                      most 1,000 parts, each {m,n} expanded\n"
     "    group:scanner     functions of a group, those nested in it included\n"
     "    file:src/scan*.c  functions defined in a file: its path, or its last parts\n"
     "    module:libz.so*   functions of a program or library: its path, or its last parts\n"
     "    addr:libz.so.1:0x1000-0x2000\n"
     "                      functions in a range of addresses, in the module's own terms\n"
     "\n"
     "    --func, --not, --only and --under take all of these and may be given several times:\n"
     "    one match is enough. --module and --file take the pattern without a prefix. A\n"
     "    pattern that matches nothing in the profile is an error, status 1, so that a\n"
     "    misspelt name does not look like one that costs nothing.\n"},
    {"files",
     "FILES\n"
     "    A file is one of these, by what is in it, not by its name:\n"
     "\n"
     "    kind      written by               'report .' and others that add files up\n"
     "    --------  -----------------------  ----------------------------------------------\n"
     "    recorded  the library              count its process\n"
     "    copy      archive -o               count its process, unless a file holds more of it\n"
     "    snapshot  snapshot, reset          leave it out, unless it is named\n"
     "    merged    merge                    count all its members\n"
     "    NAME~     record -o NAME           leave it out, unless it is named\n"
     "    other     anybody else             leave it out; an error if it is named\n"
     "\n"
     "    A process counts once, however many files hold it. zprof reads the file that has most of\n"
     "    the process: the file in which it ended; then the one with most calls; then one with\n"
     "    times of a second run; then an archived one; then the library's own. The head of a report\n"
     "    names the files that were left out. Two files are of one process if run, process number\n"
     "    and the moment at which recording began are equal; names do not matter. The two sides of\n"
     "    a 'diff' are looked at separately, and 'info' shows each file.\n"
     "\n"
     "    A merged profile names its members. If a member is also in another file that is to be\n"
     "    read, that is an error: its calls would count twice.\n"
     "\n"
     "    Commands that write a file ask one rule:\n"
     "\n"
     "    the output is                            the command\n"
     "    ---------------------------------------  ------------------------------------------\n"
     "    not there                                writes\n"
     "    a device or a FIFO                       writes a page or an export; a profile needs a\n"
     "                                             file\n"
     "    a folder                                 refuses\n"
     "    a file that the command reads            refuses, even with --force\n"
     "    a profile that is being recorded         refuses, even with --force\n"
     "    of the kind that the command writes      replaces it\n"
     "    anything else                            refuses; with --force it replaces it\n"
     "\n"
     "    So 'merge -o' replaces a merged profile, 'archive -o' a copy, 'snapshot -o' a snapshot,\n"
     "    'html' a page, 'export' a file of its format. (The formats folded and ordering have no\n"
     "    mark, so their files need --force.) These commands replace a file in one step: whatever\n"
     "    ends them, the old file or the new one is there, whole. Owner, mode, extended attributes\n"
     "    and symbolic links stay as they were.\n"
     "\n"
     "    'record -o NAME' replaces the run that was recorded as NAME before. While the program\n"
     "    runs, the earlier files are called NAME~, NAME.2~ and so on; they are removed when the new\n"
     "    run has a profile. If it has none, there is no file NAME, and NAME~ stays. A pattern with\n"
     "    %p or %e, and output= in ZPROF_OPTIONS, replace nothing: where a name is taken, the\n"
     "    library appends .2, .3 and so on.\n"
     "\n"
     "    'rm FILE' removes the recorded files of FILE's run whose names the library made as it made\n"
     "    that of FILE: with the number of the process, with .2, .3, and what 'reset' left (.base).\n"
     "    'rm --keep N' looks at the library's and snapshots' default names alone. Copies, snapshots\n"
     "    and merged profiles that are named go alone.\n"},
    {"status",
     "EXIT STATUS\n"
     "    0    all is well\n"
     "    1    the command failed; the reason is on stderr\n"
     "    2    wrong usage: an unknown command or option, or a bad value\n"
     "    3    zprof diff: a condition of --fail is broken\n"
     "    125  zprof record failed before the program ran\n"
     "    126  zprof record: the program could not be run\n"
     "    127  zprof record: the program was not found\n"
     "    Otherwise zprof record gives the program's own status, 128+N when signal N ended it.\n"},
};

const char *cmd_help_page(const char *name)
{
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
		if (!strcmp(name, pages[i].name))
			return pages[i].text;
	return NULL;
}

static int run(int argc, char **argv)
{
	if (argc < 2) {
		help_overview();
		return command_end();
	}
	const struct command *c = commands_find(argv[1]);
	if (c) {
		help_command(c);
		return command_end();
	}
	if (cmd_help_page(argv[1])) {
		fputs(cmd_help_page(argv[1]), stdout);
		return command_end();
	}
	struct str message = {0};
	struct near near;
	str_add(&message, "no help on '%s'", argv[1]);
	near_init(&near, argv[1]);
	commands_try_names(&near);
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
		near_try(&near, pages[i].name, pages[i].name);
	near_add(&near, &message);
	str_add(&message, "; 'zprof help' lists the commands");
	int status = command_fail(EXIT_USAGE, &message);
	str_free(&message);
	return status;
}

const struct command cmd_help = {
    .name = "help",
    .synopsis = "[COMMAND | patterns | groups-file | files | status]",
    .summary = "explain a command",
    .text =
	"Prints the page of a command, as --help after that command does; without a name, a list of "
	"the commands.",
    .run = run,
};

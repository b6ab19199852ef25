/* SPDX-License-Identifier: MIT */
/* options-help: see the header. */
#include "vm-6502/options-help.h"

#include "vm-6502/machine.h"

static const char usage[] = "usage: vm-6502 [OPTION…] [FILE…] [-- ARGUMENT…]\n"
			    "\n"
			    "Runs a program of the 6502. Addresses are hexadecimal, or symbols.\n"
			    "\n"
			    "  --machine=NAME     what is around the processor:\n";

static const char usage_options[] =
    "  --cpu=6502|65c02   the processor\n"
    "\n"
    "The flat machine: FILE is the program.\n"
    "  --load=ADDR        where FILE is loaded (0000)\n"
    "  --skip=BYTES       leave out the first bytes of FILE, as a header\n"
    "  --start=ADDR       where to begin (where it was loaded)\n"
    "  --reset            begin as the chip does, at the vector at fffc\n"
    "  --putc=ADDR        a byte written here goes to stdout\n"
    "  --getc=ADDR        a byte read here comes from stdin\n"
    "\n"
    "The forth machine: FILEs are sources to include; with neither FILE nor -e it reads the\n"
    "terminal. Words behind -- are arguments for the program.\n"
    "  --image=FILE       the Forth (forth.img next to vm-6502)\n"
    "  -e TEXT            interpret TEXT\n"
    "  --dir=DIR          the folder that the guest's files are in (.)\n"
    "  -I DIR             a folder to look for files to read in next\n"
    "  --load, --start    for an image without a header\n"
    "  --pure             run all machine code as it is, and none of NEXT and the primitives by\n"
    "                     the host's own; slower, and nothing else differs\n"
    "\n"
    "When to stop:\n"
    "  --stop=ADDR        before the instruction there\n"
    "  --until-loop       at an instruction that jumps to itself\n"
    "  --cycles=N         after N cycles (decimal)\n"
    "\n"
    "Looking at it:\n"
    "  --symbols=FILE     names of addresses: ld65's -Ln or --dbgfile\n"
    "  --registers        print the registers at the end\n"
    "  --disassemble      print the program instead of running it\n"
    "  --trace[=FILE]     each instruction with registers and cycle, to stderr or FILE\n"
    "  --break=ADDR       enter the monitor before the instruction there\n"
    "  --watch=ADDR       enter the monitor after a write there\n"
    "  --monitor          enter the monitor first, and when the processor jams\n"
    "  --profile[=FILE]   calls and cycles of each subroutine, to stdout or FILE\n"
    "  --annotate[=FILE]  a disassembly with counts and cycles of each instruction\n"
    "  --source[=FILE]    the sources with counts and cycles of each line (--symbols has to\n"
    "                     be ld65's --dbgfile)\n"
    "\n"
    "Looking at a Forth (watched, too, whenever zprof is recording):\n"
    "  --profile[=FILE]   calls, cycles and NEXTs of each word\n"
    "  --zones=WHICH      words, buckets, both (the default), or subroutines of machine code\n"
    "  --primitives       primitives are words, too\n"
    "  --annotate[=FILE]  decompiled words with counts and cycles of each cell\n"
    "  --trace=words[:FILE]  each NEXT with its number, cycle, depth and word\n"
    "  --buckets=FILE     buckets and metrics, besides those of the program\n"
    "  --bucket-report[=FILE]  the tables of NEXTs and cycles of buckets\n"
    "  --metric=NAME      of this metric alone\n"
    "  --classic=talk     in the layout without addresses\n"
    "  --ticks=as-next    cycles to the bucket of the token behind, as a guest measures them\n"
    "                     (as-run, to that of the token that ran, is the default)\n"
    "  --started          zones of buckets from profiler-start to profiler-end alone\n"
    "  --guest            the program's profiler counts for itself, by hooking NEXT\n"
    "  --groups[=FILE]    write buckets and metrics for zprof groups (zprof.groups)\n"
    "\n"
    "  --help, --version\n"
    "\n"
    "Exit status: the guest's own; 0 when it stopped where asked; 1 when it jammed or ran out of\n"
    "cycles; 2 for a wrong command line; 130 for Ctrl-C.\n";

void options_help(FILE *to)
{
	const struct machine_kind *kind;

	fputs(usage, to);
	for (int i = 0; (kind = machine_at(i)); i++)
		fprintf(to, "    %-16s %s%s\n", kind->name, kind->help, i ? "" : " (the default)");
	fputs(usage_options, to);
}

#!/bin/sh
# SPDX-License-Identifier: MIT
# What the command says and how it ends when something is wrong, and when asked for help.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
"$ZPROF_BUILD/tests/make_profile" good.prof <"$golden_folder/report/sample.spec" || exit 1

# profiles that cannot be read
expect 1 "zprof: cannot open 'none.prof': No such file or directory" "$zprof" graph none.prof
expect 1 "zprof: no profile here: there is no file 'zprof.out.*' in this folder; make one with 'zprof record PROGRAM'" "$zprof" graph
echo hello >text.prof
expect 1 "zprof: 'text.prof' is not a profile" "$zprof" report text.prof
: >empty.prof
expect 1 "zprof: 'empty.prof' is not a profile: it has only 0 bytes" "$zprof" info empty.prof
head -c 3000 good.prof >cut.prof
expect 1 "zprof: 'cut.prof' is damaged: it ends at offset 3000, inside the header" "$zprof" graph cut.prof
head -c 20480 good.prof >short.prof
expect 0 "zprof: 'short.prof' is cut short at offset 20480: the numbers are those of what is left" "$zprof" graph short.prof
patch_byte() { # FILE OFFSET OCTAL
	cp good.prof "$1" && printf "\\$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
patch_byte version.prof 8 011
expect 1 "zprof: cannot read 'version.prof': it is a profile of version 9, this zprof reads version 1; use the zprof that belongs to the libzprof.so that wrote it" "$zprof" graph version.prof
cp good.prof swapped.prof && printf '\001\002\003\004' | dd of=swapped.prof bs=1 seek=12 conv=notrunc 2>/dev/null
expect 1 "zprof: cannot read 'swapped.prof': it was written in the other byte order (offset 12)" "$zprof" graph swapped.prof
patch_byte section.prof 4104 001
expect 1 "is damaged at offset 4096: a section's size makes no sense" "$zprof" graph section.prof
mkdir folder
expect 1 "zprof: no profile in folder 'folder'" "$zprof" graph folder
expect 1 "zprof: '$zprof' is a program, not a profile; 'zprof record $zprof' makes one of it" "$zprof" graph "$zprof"
expect 2 "zprof: unknown command '$zprof'; to profile it: 'zprof record $zprof'" "$zprof" "$zprof"
if [ "$(id -u)" = 0 ]; then as_other="setpriv --reuid 65534 --clear-groups"; else as_other=; fi
cp good.prof secret.prof && chmod 0 secret.prof && chmod 755 .
# shellcheck disable=SC2086
expect 1 "zprof: cannot open 'secret.prof': Permission denied" $as_other "$zprof" graph secret.prof
mkfifo pipe.prof
expect 1 "zprof: cannot read 'pipe.prof': it is not a regular file" "$zprof" graph pipe.prof

# wrong usage
expect 2 "zprof: unknown command 'grpah' (did you mean 'graph'?); 'zprof help' lists them" "$zprof" grpah
expect 2 "zprof: unknown option '--fnuc=x' (did you mean '--func'?); see 'zprof help graph'" "$zprof" graph --fnuc=x
expect 2 "zprof: unknown option '--ouput=x' (did you mean '--output'?); see 'zprof help record'" "$zprof" record --ouput=x true
expect 2 "zprof: no help on 'group' (did you mean 'groups'" "$zprof" help group
expect 2 "zprof: unknown option '-x'; see 'zprof help report'" "$zprof" report -x
expect 2 "zprof: unknown option '--matrix'" "$zprof" report --matrix
expect 2 "zprof: option '--func' needs a value: PATTERN" "$zprof" graph --func
expect 2 "zprof: option '--json=yes' takes no value" "$zprof" graph --json=yes
expect 2 "zprof: --min is a percentage from 0 to 100, not 'few'" "$zprof" graph --min few
expect 2 "zprof: --min is a percentage from 0 to 100, not '101'" "$zprof" graph --min 101
expect 2 "zprof: --limit is a number of rows, 1 or more, not '0'" "$zprof" graph --limit 0
expect 2 "zprof: --depth is a number of levels, 1 or more, not '-1'" "$zprof" graph --depth -1
expect 2 "zprof: --color is auto, always or never, not 'red'" "$zprof" graph --color red
expect 2 "zprof: --recursion is spread or fold, not 'deep'" "$zprof" graph --recursion deep
expect 2 "zprof: --width is a number of columns, 0 for any, not 'wide'" "$zprof" graph --width wide
expect 2 "zprof: bad regular expression '/(/'" "$zprof" graph --func '/(/'

# groups
grep -v "DUP" "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" none-lent.prof
expect 1 "zprof: no group 'scaner'; there are: 'words'" "$zprof" graph --group scaner good.prof
expect 1 "zprof: --sort is one of self, total, calls, error, waited and name, or a counter of the profile, not 'size'" "$zprof" graph --sort size good.prof
cp "$golden_folder/report/sample.groups" some.groups
expect 1 "zprof: no metric 'comp' in the groups file; there are: 'compile', 'inner'" "$zprof" groups --groups some.groups --metric comp good.prof
expect 1 "zprof: cannot open 'none.groups': No such file or directory" "$zprof" groups --groups none.groups good.prof
printf '[group x]\nfunk = y\n' >bad.groups
expect 1 "zprof: 'bad.groups' line 2: unknown key 'funk' in group 'x'" "$zprof" groups --groups bad.groups good.prof
printf '# none\n[group x]\nfunc = /((((a{1,100}){1,100}){1,100}){1,100})/\n' >costly.groups
expect 1 "zprof: 'costly.groups' line 3: bad regular expression '/((((a{1,100}){1,100}){1,100}){1,100})/': it is too large" sh -c "ulimit -t 2; exec '$zprof' report --groups costly.groups good.prof"
expect 2 "zprof: bad regular expression '/((((a{1,100}){1,100}){1,100}){1,100})/': it is too large" sh -c "ulimit -t 2; exec '$zprof' report --not '/((((a{1,100}){1,100}){1,100}){1,100})/' good.prof"
expect 0 "No groups: they are read from 'zprof.groups' in this folder" "$zprof" groups --only main none-lent.prof
expect 0 "zprof: nothing to show: no function in the profile is selected" "$zprof" graph --func main --file scan.c good.prof

# notes about what cannot be remedied
expect 0 "zprof: '/lib/libio.so.1'" "$zprof" graph good.prof
sed 's/clock fake/clock tsc 2000000000/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" other.prof
expect 0 "zprof: 'good.prof' and 'other.prof' were measured by different clocks: their times add up, their ticks do not" "$zprof" report good.prof other.prof
# times, and calls without times, cannot be added up
sed 's/^clock fake/&\nmode count/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" count.prof
mixed="zprof: cannot add up 'other.prof', which has times, and 'count.prof', which has only calls (clock=count,sample=0)"
for command in report "report --json" "report --tree" graph groups tune; do
	# shellcheck disable=SC2086
	expect 1 "$mixed" "$zprof" $command other.prof count.prof
done
expect 1 "$mixed" "$zprof" graph count.prof other.prof
[ "$("$zprof" report --json count.prof other.prof 2>errors | wc -c)" = 0 ]
tap $? "and nothing is printed"
expect 0 "  clock         fake, one tick a reading, counts only" "$zprof" info other.prof count.prof
# a percentage above 100 is not shown
sed 's/^clock fake/clock tsc 1000000000\nhooks 800 400 90000000/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" far.prof
expect 0 "a self time may be off by more than the whole" "$zprof" report far.prof
sed 's/^clock fake/clock tsc 1000000000\nhooks 80000 40000 90000/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" nothing.prof
expect 0 "a self time may be off by more than the whole" "$zprof" report nothing.prof
# what took the samples, if the kernel would not
sed 's/^clock fake/clock tsc 1000000000\nmode count\nsampler 3 0 13/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" timer.prof
expect 0 "the kernel did not take samples (Permission denied): a timer took fewer, and what was waited for is in no time" "$zprof" report timer.prof
expect 0 "  clock         TSC 1.000 GHz, times from samples" "$zprof" info timer.prof
sed 's/^clock fake/clock monotonic 1000000000/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" system.prof
expect 0 "  clock         CLOCK_MONOTONIC, exact" "$zprof" info system.prof
sed 's/^clock fake/clock tsc 0/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" unknown.prof
expect 0 "  clock         TSC, exact" "$zprof" info unknown.prof
sed 's/^clock fake/clock tsc 1000000000\nsampler 0 0 38/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" refused.prof
expect 0 "the kernel did not take samples (Function not implemented): times are by the clock alone" "$zprof" report refused.prof
# one of a thing is no plural
printf 'clock tsc 1000000000\nmode count\nsampler 1 0 0\nmodule 1 /none 0x1000 0x2000 0\nthread 1 t 1\n  a 1 1\nseen 1 0 0 1000000\n' | "$ZPROF_BUILD/tests/make_profile" one.prof
expect 0 "times: on a processor, from 1 sample" "$zprof" report one.prof
expect 0 "  holds         2 contexts, 1 thread, 1 module" "$zprof" info one.prof
expect 0 "t (number 1): 1.00 ms, 1 call" "$zprof" info --by-thread one.prof
expect 0 "zprof: 1 profile, 1 rank, 1 context: " "$zprof" merge -o one.merged one.prof
printf 'thread 1 t 1\n  a\033[31mb\001c 1 1\n' | "$ZPROF_BUILD/tests/make_profile" escape.prof
expect 0 'a\x1b[31mb\x01c' "$zprof" report escape.prof
"$zprof" graph good.prof 2>errors >/dev/full
[ $? = 1 ] && grep -q "zprof: cannot write the output: No space left on device" errors
tap $? "a full disk is reported"
cat good.prof >big.prof
{ "$zprof" graph --json good.prof good.prof good.prof 2>errors; echo $? >status; } | head -c 10 >/dev/null
! grep -v libio errors | grep -q . && [ "$(cat status)" = 0 ]
tap $? "a reader that goes away is not an error"

# a file, and all of its run
mkdir runs
for pid in 7 8; do sed "s/^pid .*/pid $pid 1/" "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" runs/$pid.prof; done
sed 's/^run .*/run ffeeddccbbaa99887766554433221100/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" runs/9.prof
[ "$("$zprof" info --json --run runs/8.prof 2>errors | grep -o '"path":"[^"]*"' | tr '\n' ' ')" = '"path":"runs/8.prof" "path":"runs/7.prof" ' ]
tap $? "--run adds the other processes of the run"
[ "$(cd runs && "$zprof" info --json --run 9.prof 8.prof 7.prof 2>errors | grep -c '"path"')" = 3 ]
tap $? "each once"

# patterns that nothing matches
expect 1 "zprof: --func: no function in the profile matches 'trem' (did you mean 'term'?)" "$zprof" graph --func trem good.prof
expect 1 "zprof: --func: no function in the profile matches 'scan' (did you mean 'scan_word'" "$zprof" graph --json --func main --func scan good.prof
[ "$("$zprof" graph --json --func scan good.prof 2>errors | wc -c)" = 0 ]
tap $? "and nothing is printed then"
expect 1 "zprof: --only: no function in the profile matches 'nosuch'" "$zprof" graph --only nosuch good.prof
expect 1 "zprof: --not: no function in the profile matches 'file:x*.c'" "$zprof" report --not file:x*.c good.prof
expect 1 "zprof: --under: no function in the profile matches '/xyz/'" "$zprof" groups --under /xyz/ good.prof
expect 1 "zprof: --module: no function in the profile matches 'module:libio' (did you mean 'libio.so.1'?)" "$zprof" graph --module libio good.prof
expect 1 "zprof: --file: no function in the profile matches 'file:Parse.c' (did you mean 'parse.c'?)" "$zprof" report --file Parse.c good.prof
expect 1 "zprof: --thread: no thread in the profile matches 'wroker' (did you mean 'worker'?)" "$zprof" report --thread wroker good.prof
expect 1 "zprof: no group 'wrods'; there are: 'words' (did you mean 'words'?)" "$zprof" report --group wrods good.prof

# help
expect 0 "zprof graph - the call graph" "$zprof" help graph
expect 0 "zprof graph - the call graph" "$zprof" graph --help
expect 0 "zprof record - run a program" "$zprof" record --help
expect 0 "[group scanner]" "$zprof" help groups-file
expect 0 "PATTERNS" "$zprof" help patterns
expect 0 "EXIT STATUS" "$zprof" help status
expect 0 "Commands:" "$zprof" help
expect 0 "Commands:" "$zprof" --help
"$zprof" 2>errors | grep -q '^Commands:' && [ ! -s errors ]
tap $? "without a command it is the same"
expect 0 "zprof 0." "$zprof" --version
expect 0 "zprof 0." "$zprof" -V
expect 2 "zprof: no help on 'nothing'" "$zprof" help nothing
"$zprof" help >overview
missing=
for command in $("$zprof" help | sed -n 's/^    \([a-z]*\)  .*/\1/p'); do
	"$zprof" help "$command" | grep -q '^SYNOPSIS' || missing="$missing $command"
	"$zprof" help "$command" | awk 'length > 80 { exit 1 }' || missing="$missing $command(wide)"
done
[ -z "$missing" ] && grep -q '^    graph ' overview
tap $? "every command listed has a page of its own, 80 columns wide at most$missing"
sed -n 's/^    \([a-z]*\)  .*/\1/p' overview | sort >named
"$zprof" manual | sed -n 's/^zprof-\(.*\)\.1$/\1/p' | sort | diff - named >difference && grep -A1 '^  Compare' overview | grep -q '^    diff '
tap $? "the overview names every command once, below what it is for"

# no command takes what belongs to another
expect 2 "zprof: unknown option '--sum-ranks'" "$zprof" brief --sum-ranks
expect 2 "zprof: unknown option '--tokens'" "$zprof" merge --tokens 5
expect 2 "zprof: unknown option '--by-rank'" "$zprof" mcp --by-rank
finish

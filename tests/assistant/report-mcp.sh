#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof mcp`: no answer is larger than 32 KiB, and the pages of a long one are together what the command prints.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
client=$ZPROF_BUILD/tests/check_mcp
make_profile=$ZPROF_BUILD/tests/make_profile

# many arcs; names that JSON writes longer than they are, and one that fills a page by itself
{
	printf 'clock tsc 1000000000\nthread 1 t 1\n'
	for i in $(seq 30); do
		printf '  f"%d" 1 %d\n' "$i" "$i"
		for k in $(seq 20); do printf '    g\\%d_%d 3 7\n      h%d 3 7\n' "$i" "$k" "$k"; done
	done
} >many.spec
"$make_profile" many.prof <many.spec || exit 1
{ cat many.spec; echo '  new 1 900'; } | "$make_profile" more.prof
# frames of many functions, and lines of source: arrays within the items of arrays
{
	echo 'static volatile int x;'
	for i in $(seq 300); do echo "static void f$i(void) { x++; }"; done
	echo 'static void turn(void) {'
	for i in $(seq 300); do echo "f$i();"; done
	echo '} int main(void) { for (int i = 0; i < 40; i++) turn(); }'
} >many.c
gcc -g -O0 -finstrument-functions many.c -o many || exit 1
"$zprof" record --quiet -o turns.prof --callsites --frame=turn --history=full ./many || exit 1

answers() { # PAGES-AT-LEAST TOOL ARGUMENTS COMMAND...: the pages of the answer are what the command prints
	least=$1 tool=$2 arguments=$3
	shift 3
	"$client" "$zprof" "$tool" "$arguments" >whole 2>pages
	rc=$?
	case "$*" in
	*--json*) "$zprof" "$@" 2>errors | "$client" >printed ;;
	*) "$zprof" "$@" >printed 2>errors ;;
	esac
	[ $rc = 0 ] && cmp -s whole printed && read -r pages longest <pages && [ "$pages" -ge "$least" ] && [ "$longest" -le 32768 ]
	tap $? "$tool $arguments: what '$*' prints, in answers of 32 KiB" || { cat pages; wc -c whole printed; } | sed 's/^/# /'
}
answers 3 graph '{"files":["many.prof"]}' graph --json --limit 50 many.prof
answers 10 graph '{"files":["many.prof"],"limit":100000}' graph --json --limit 100000 many.prof
answers 10 tree '{"files":["many.prof"],"limit":100000}' report --tree --json --limit 100000 many.prof
answers 2 report '{"files":["many.prof"]}' report --json --limit 50 many.prof
answers 2 diff '{"files":["many.prof","more.prof"],"limit":100}' diff --json --limit 100 many.prof more.prof
answers 3 frames '{"files":["turns.prof"],"limit":1000}' frames --json --limit 1000 turns.prof
answers 1 frames '{"files":["turns.prof"],"slowest":1}' frames --json --limit 50 --slowest 1 turns.prof
answers 2 annotate '{"files":["turns.prof"]}' annotate turns.prof
answers 1 annotate '{"files":["turns.prof"],"lines":"2-3"}' annotate --lines 2-3 turns.prof
answers 1 diff '{"files":["turns.prof"],"slowest":1,"limit":5}' diff --json --limit 5 --slowest 1 turns.prof
answers 1 ls '{"files":["many.prof","turns.prof"]}' ls --json many.prof turns.prof
answers 1 info '{"files":["many.prof"]}' info --json many.prof
answers 1 groups '{"files":["many.prof"]}' groups --json many.prof
answers 1 brief '{"files":["many.prof"],"tokens":300}' brief --tokens 300 many.prof

# a page of JSON is a document, and says how to go on
ask() { # METHOD PARAMS
	printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\n' "$1" "$2" | "$zprof" mcp >answer
}
ask tools/list '{}'
is "the calls" "brief report tree graph groups annotate diff frames info ls" \
	"$(sed 's/"annotations"/\n&/g' answer | sed -n 's/.*{"name":"\([a-z]*\)".*/\1/p' | tr '\n' ' ' | sed 's/ $//')"
[ "$(wc -c <answer)" -lt 32768 ]
tap $? "the list of calls is not larger, either"
ask tools/call '{"name":"graph","arguments":{"files":["many.prof"]}}'
grep -qE '"There is more: call again with \\"cursor\\": \\"[1-9][0-9]*\\"."' answer && grep -qE '"_meta":\{"nextCursor":"[1-9]' answer
tap $? "an answer that goes on says so, to people and to programs"
ask tools/call '{"name":"info","arguments":{"files":["many.prof"]}}'
grep -q 'nextCursor' answer
is "one that does not says nothing" 1 $?
for cursor in '"99999999"' '"x"' '7' '"-1"' '""'; do
	ask tools/call "{\"name\":\"graph\",\"arguments\":{\"files\":[\"many.prof\"],\"cursor\":$cursor}}"
	grep -q '"code":-32602' answer
	tap $? "the cursor $cursor is refused" || sed 's/^/# /' answer
done
long=$(printf 'n%.0s' $(seq 50000))
ask tools/call "{\"name\":\"report\",\"arguments\":{\"files\":[\"$long\"]}}"
[ "$(wc -c <answer)" -le 32768 ] && grep -q '"isError":true' answer
tap $? "an error that quotes a long name is not larger"
ask tools/call "{\"name\":\"$long\"}"
[ "$(wc -c <answer)" -le 32768 ] && grep -q '"code":-32602' answer
tap $? "nor is a call that there is not"
ask tools/call '{"name":"ls","arguments":{"files":["many.prof"],"limit":3}}'
grep -q "'ls' has no argument 'limit'" answer
tap $? "an argument that a call does not have is refused"
ask tools/call '{"name":"annotate","arguments":{"files":["--","./many"]}}'
grep -q "cannot open './--'" answer
tap $? "no file is taken for an option, nor for a program to run" || sed 's/^/# /' answer
finish

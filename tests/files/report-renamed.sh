#!/bin/sh
# SPDX-License-Identifier: MIT
# report-renamed.sh - a process that renamed itself as setproctitle() does: the room of its arguments is full of zeros, or of blanks, which
# no view shows. (The program sleeps until zprof attaches to it, so the library reads the new name.)
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof name=q$$
cat >renamed.c <<'E'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) void work(void) { usleep(1000); }
__attribute__((no_instrument_function)) int main(int count, char **arguments)
{
	char fill = *arguments[1] == 'b' ? ' ' : 0, *end = strchr(arguments[count - 1], 0), name[64];
	int bytes = snprintf(name, sizeof name, "%s: one", strrchr(arguments[0], '/') + 1);
	memset(arguments[0], fill, (size_t)(end - arguments[0]));
	memcpy(arguments[0], name, (size_t)bytes);
	puts("renamed");
	fclose(stdout);
	for (int i = 0; i < 60000; i++)
		work();
	return 0;
}
E
mkdir bin here
# shellcheck disable=SC2046
gcc -w -g -O2 $("$zprof" cflags --release) renamed.c -o "bin/$name" -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -Wl,-rpath,"$ZPROF_BUILD" &&
	"$zprof" sleep "bin/$name" 2>errors || exit 1
cd here || exit 1
for fill in zeros blanks; do
	mkfifo said
	"../bin/$name" $fill --of "the room" '' --that="its arguments had" before >said &
	process=$! profile=zprof.out.$!
	read -r _ <said
	rm said
	"$zprof" attach $process 2>errors
	"$zprof" top --batch 1 "$name" >top 2>&1
	"$zprof" top --batch 1 $process >>top 2>&1
	is "$fill: top finds it by its name, and shows it in a line" 2 "$(grep -c "^$name: one *pid $process" top)"
	kill $process && wait $process 2>errors
	is "$fill: info" "  command       $name: one" "$("$zprof" info "$profile" | grep command)"
	is "$fill: ls" "$profile $name: one" "$("$zprof" ls | grep -o "$profile .*" | tr -s ' ')" # names of other lengths may be above
	is "$fill: the head of a report" "$name: one" "$("$zprof" report "$profile" | sed -n 1p)"
	is "$fill: a page of text" "$name: one" "$("$zprof" brief "$profile" | sed -n 1p)"
	"$zprof" report --json "$profile" | grep -q "\"command\":\"$name: one\""
	tap $? "$fill: the list of processes in JSON"
done
"$zprof" merge -o merged zprof.out.* 2>errors
is "a merged profile" "$name: one" "$("$zprof" report merged | sed -n 1p)"
is "and ls of it" "merged  $name: one" "$("$zprof" ls merged | grep -o "merged .*")"
finish

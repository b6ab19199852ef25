#!/bin/sh
# SPDX-License-Identifier: MIT
# What commands do to files (zprof help files): nothing is lost, nothing counts twice, and a gate never compares a stale file.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof calls=$ZPROF_BUILD/tests/calls forks=$ZPROF_BUILD/tests/programs/gcc-O2/forks
export TZ=UTC0
quietly() { # WHAT COMMAND...: the command succeeds; what it prints is in `actual`
	name=$1; shift
	"$@" >actual 2>&1 </dev/null
	tap $? "$name"
}
calls_of() { "$zprof" report --json "$@" 2>/dev/null | sed -n '/^"functions"/,/^"arcs"/p' | grep -o '"calls":[0-9]*' | awk -F: '{ n += $2 } END { print n + 0 }'; }
record() { "$zprof" record --quiet "$@" >said 2>&1; }
only() { ls >listed; [ "$(grep -vE '^(actual|said|listed|errors|difference|same.*)$' listed | tr '\n' ' ')" = "${*:+$* }" ]; } # the files here are these
fresh() { rm -rf work; mkdir work; cd work || exit 1; }
end() { cd .. || exit 1; }

# ---- an output that is an input
fresh
record -o a.zp "$calls" 10; record -o b.zp "$calls" 20; cp b.zp same
expect 1 "cannot write 'b.zp': it is one of the files that are read" "$zprof" merge -o b.zp a.zp b.zp
quietly "merge leaves it as it was" cmp b.zp same
expect 1 "it is one of the files that are read" "$zprof" merge --force -o b.zp a.zp b.zp
ln b.zp link.zp
expect 1 "it is one of the files that are read" "$zprof" merge -o link.zp a.zp b.zp
ln -sf b.zp symlink.zp
expect 1 "it is one of the files that are read" "$zprof" export --format=folded --force -o symlink.zp b.zp
quietly "and so do all others" cmp b.zp same
end

# ---- rm
fresh
for i in 1 2 3; do record "$calls" $i; done
expect 1 "--keep is for folders, and 'zprof.out." "$zprof" rm --keep 1 zprof.out.*
quietly "rm --keep with files removes none" sh -c '[ "$(ls zprof.out.* | wc -l)" = 3 ]'
expect 0 "removed 2 files of 2 runs" "$zprof" rm --keep 1
end
fresh
record "$calls" 5; run=$(ls zprof.out.*)
"$zprof" archive -o base.zp "$run" 2>/dev/null; cp "$run" new.zp; cp "$run" "zprof.out.$$.kept"; "$zprof" merge -o all.zp "$run" 2>/dev/null
expect 0 "removed 1 file of 1 run" "$zprof" rm "$run"
quietly "rm FILE removes what the recorder has named, and no copy" only all.zp base.zp new.zp "zprof.out.$$.kept"
expect 0 "removed 1 file" "$zprof" rm base.zp
quietly "a copy that is named goes alone" only all.zp new.zp "zprof.out.$$.kept"
end
fresh
record "$forks"
expect 0 "files of 1 run" "$zprof" rm zprof.out.*
quietly "all processes of a run may be named" only
record -o sim.zp "$forks"
expect 0 "removed 3 files of 1 run" "$zprof" rm sim.zp.2
quietly "numbered parts go with their run" only
end
fresh
mkfifo in out
{ ZPROF_OPTIONS=output=zprof.out.%p LD_PRELOAD=$ZPROF_BUILD/libzprof.so exec "$calls" <in >out; } & pid=$!
exec 3>in 4<out
echo 7 >&3; read -r line <&4
"$zprof" snapshot "$pid" >/dev/null && "$zprof" snapshot "$pid" >/dev/null && "$zprof" reset "$pid" >/dev/null
cp "zprof.out.$pid" copied.zp
expect 1 "process $pid is recorded into it" "$zprof" merge --force -o "zprof.out.$pid" copied.zp
expect 1 "process $pid is recorded into it" "$zprof" export --format=csv --force -o "zprof.out.$pid" copied.zp
expect 1 "process $pid is recorded into it" "$zprof" html --force -o "zprof.out.$pid" copied.zp
expect 1 "process $pid is recorded into it" "$zprof" archive --force -o "zprof.out.$pid" copied.zp
expect 1 "it is one of the files that are read" "$zprof" snapshot --force -o "zprof.out.$pid" "$pid"
expect 125 "process $pid is recorded into it" "$zprof" record --force -o "zprof.out.$pid" "$calls" 1
expect 0 "1 run is still recording: kept" "$zprof" rm "zprof.out.$pid"
echo 3 >&3; read -r line <&4
quietly "a copy of a live profile is not live, and the process counts once: 11 calls" [ "$(calls_of .)" = 11 ]
expect 0 "1 copy" "$zprof" ls copied.zp "zprof.out.$pid"
exec 3>&-; wait "$pid"
rm copied.zp
quietly "ls counts the process once" sh -c '[ "$("$0" ls --json . | grep -o "\"processes\":[0-9]*" | paste -sd" ")" = "\"processes\":1" ]' "$zprof"
expect 0 "removed 4 files of 1 run" "$zprof" rm --keep 0
quietly "rm --keep takes snapshots and .base along" only in out
end
fresh
record "$calls" 5; run=$(ls zprof.out.*); mkfifo in out
{ ZPROF_OPTIONS=output=zprof.out.%p LD_PRELOAD=$ZPROF_BUILD/libzprof.so exec "$calls" <in >out; } & pid=$!
exec 3>in 4<out
echo 7 >&3; read -r line <&4
"$zprof" reset "$pid" >/dev/null; "$zprof" snapshot "$pid" >/dev/null
exec 3>&-; wait "$pid"
"$zprof" rm "zprof.out.$pid" 2>/dev/null
quietly "rm FILE takes FILE.base along, and leaves the snapshot" only in out "$run" "zprof.snapshot.$pid"
end

fresh
record "$calls" 1; record "$calls" 2; newest=$(ls -t zprof.out.* | head -1); mkfifo in out
{ ZPROF_OPTIONS=output=sim.zp LD_PRELOAD=$ZPROF_BUILD/libzprof.so exec "$calls" <in >out; } & pid=$!
exec 3>in 4<out
echo 7 >&3; read -r line <&4
"$zprof" snapshot "$pid" >/dev/null; "$zprof" snapshot -o sim.zp.base "$pid" >/dev/null
expect 1 "'sim.zp' is still being recorded: 'zprof snapshot' copies it" "$zprof" archive -o base.zp sim.zp
"$zprof" rm --keep 1 2>/dev/null
quietly "a snapshot is no run of its own for rm --keep" test -e "$newest"
kill -9 "$pid"; wait "$pid" 2>/dev/null; exec 3>&- 4<&-
"$zprof" archive -o kept.zp sim.zp 2>/dev/null
expect 0 "the process was killed" "$zprof" report kept.zp
cp sim.zp sim.zp.20260101; record -o new.zp "$calls" 1; cp sim.zp.base new.zp.base
"$zprof" rm new.zp 2>/dev/null
quietly "a .base of another process stays" test -e new.zp.base
"$zprof" rm sim.zp.20260101 2>/dev/null
quietly "a copy with a number behind its name is no part of the run" sh -c 'test -e sim.zp && ! test -e sim.zp.20260101'
"$zprof" record --quiet -o killed.zp sh -c 'kill -9 $$' 2>/dev/null
cp sim.zp killed.zp
expect 0 "the profile is in 'killed.zp'" "$zprof" record -o killed.zp "$calls" 5
ln -s sim.zp link
expect 1 "'link' is a symbolic link" "$zprof" rm link
expect 125 "'link': it is a symbolic link" "$zprof" record -o link "$calls" 5
expect 0 "removed 1 file of 1 run" "$zprof" rm "$newest"
end
fresh
mkfifo in out
{ "$zprof" record -o killed.zp "$calls" <in >out 2>said; } & recorder=$!
exec 3>in 4<out
echo 7 >&3; read -r line <&4
kill -9 "$(cat /proc/$recorder/task/$recorder/children)"; wait $recorder; exec 3>&- 4<&-
cp killed.zp zprof.out.1
expect 0 "./prog" sh -c '"$0" rm killed.zp --dry-run 2>/dev/null; echo ./prog' "$zprof"
expect 0 "the profile is in 'killed.zp'" "$zprof" record -o killed.zp "$calls" 5
quietly "a run that was killed is replaced" [ "$(calls_of killed.zp)" = 6 ]
end

# ---- a process counts once
fresh
record "$calls" 99; run=$(ls zprof.out.*)
"$zprof" archive -o base.zp "$run" 2>/dev/null
cp "$run" copied.zp
quietly "report . after archive -o and cp: 100 calls" [ "$(calls_of .)" = 100 ]
quietly "report --run, too" [ "$(calls_of --run "$run")" = 100 ]
quietly "and files by name" [ "$(calls_of base.zp "$run" copied.zp)" = 100 ]
expect 0 "counts once: '" "$zprof" report .
expect 0 "is read; '" "$zprof" graph .
expect 0 "counts once: '" "$zprof" report --json .
quietly "ls has one process" sh -c '"$0" ls --json . | grep -q "\"processes\":1,.*\"copies\":2,"' "$zprof"
expect 0 "1 profile, 1 rank" "$zprof" merge -o all.zp .
quietly "merge . adds it once" [ "$(calls_of all.zp)" = 100 ]
expect 1 "'./all.zp' was merged of profiles of which './base.zp' holds one, too" "$zprof" report ./all.zp ./base.zp
expect 1 "its calls would count twice" "$zprof" report .
expect 1 "its calls would count twice" "$zprof" merge -o more.zp all.zp "$run"
expect 0 "1 profile, 1 rank" "$zprof" merge -o all.zp .
"$zprof" rm "$run" base.zp copied.zp 2>/dev/null
record "$calls" 49
expect 1 "cannot write 'all.zp': it is one of the files that are read" "$zprof" merge -o all.zp .
quietly "a merged profile with what is nowhere else is not replaced from its folder" [ "$(calls_of all.zp)" = 100 ]
quietly "and counts beside other processes" [ "$(calls_of .)" = 150 ]
mkdir old new; cp all.zp old/1.zp; "$zprof" archive -o new/1.zp zprof.out.* 2>/dev/null; cp zprof.out.* new/2.zp; cp zprof.out.* old/2.zp
"$zprof" diff --sum --width 0 old new >text 2>&1
quietly "diff: each side counts a process once, and the other side does not matter" sh -c 'grep -q "^before: old .* 150 calls" text && grep -q "^after:  new .* 50 calls" text'
rm -r old new; rm text
end
fresh
record -o one.zp "$calls" 4; cp one.zp two.zp; record -o three.zp "$calls" 4
quietly "processes of one command are not one process" [ "$(calls_of one.zp three.zp)" = 10 ]
head -c 20000 one.zp >cut.zp
quietly "of a copy that is cut short the whole one is read" [ "$(calls_of cut.zp one.zp)" = 5 ]
end

# ---- record -o replaces
fresh
record -o base.zp "$calls" 10; record -o new.zp "$calls" 10
record -o new.zp "$calls" 11
quietly "a second record -o replaces the first" only base.zp new.zp
expect 3 "work: calls 10 -> 11" "$zprof" diff --fail 'calls>0%' base.zp new.zp
"$zprof" diff --fail 'calls>100%' base.zp new.zp >text
quietly "the gate says what it compared: command, time and build-id, of both sides" sh -c '[ "$(grep -cE "recorded 20[0-9-]{8} [0-9:]{8}, build-id [0-9a-f]{40}" text)" = 2 ] && [ "$(grep -c "(.*calls 1[01])" text)" = 2 ]'
quietly "in JSON" sh -c '[ "$("$0" diff --json base.zp new.zp | grep -cE "\"command\":.*\"started_ns\":[1-9][0-9]*,\"build_id\":\"[0-9a-f]{40}\"")" = 2 ]' "$zprof"
quietly "in Markdown" sh -c '[ "$("$0" diff --markdown base.zp new.zp | grep -cE "^- (before|after): .*, recorded 20.*, build-id [0-9a-f]{40}")" = 2 ]' "$zprof"
rm text
expect 0 "'new.zp' is not there now; the earlier one is 'new.zp~'" "$zprof" record -o new.zp /bin/true
quietly "without a profile NAME is absent" only base.zp new.zp~
expect 1 "cannot open 'new.zp'" "$zprof" diff --fail 'calls>0%' base.zp new.zp
record -o new.zp "$forks"
quietly "the next profile takes its place; processes are .2 and .3" only base.zp new.zp new.zp.2 new.zp.3
"$zprof" record -o new.zp /bin/true 2>/dev/null
quietly "all parts are put aside" only base.zp new.zp.2~ new.zp.3~ new.zp~
expect 127 "'new.zp' is not there now" "$zprof" record -o new.zp ./nothing
record -o new.zp "$calls" 1
quietly "and removed" only base.zp new.zp
ZPROF_OPTIONS=output=new.zp record "$calls" 2
quietly "output= in ZPROF_OPTIONS never replaces" only base.zp new.zp new.zp.2
rm new.zp.2
"$zprof" archive -o kept.zp base.zp 2>/dev/null
expect 125 "'kept.zp': it is there, and is an archived copy" "$zprof" record -o kept.zp "$calls" 1
"$zprof" merge -o all.zp base.zp 2>/dev/null
expect 125 "'all.zp': it is there, and is a merged profile" "$zprof" record -o all.zp "$calls" 1
echo text >prog.c
expect 125 "'prog.c': it is there, and is a file of another kind" "$zprof" record -o prog.c "$calls" 1
quietly "and a program is not run then" [ "$(cat prog.c)" = text ]
expect 0 "the profile is in 'prog.c'" "$zprof" record --force -o prog.c "$calls" 1
record -o new.zp "$calls" 1; echo mine >new.zp~
expect 125 "there is another file of that name" "$zprof" record -o new.zp "$calls" 1
quietly "whose content stays" grep -qx mine new.zp~
rm new.zp~; record -o new.zp~ "$calls" 777
expect 125 "there is another file of that name" "$zprof" record -o new.zp "$calls" 1
quietly "a profile, too" [ "$(calls_of new.zp~)" = 778 ]
rm new.zp~; mkdir folder; record -o folder/new.zp "$calls" 1; record -o folder/new.zp /bin/true; record -o folder/other.zp "$calls" 4
quietly "what was put aside does not count in its folder" [ "$(calls_of folder)" = 5 ]
mkdir new.zp.2~; record -o new.zp "$forks"
expect 125 "there is another file of that name" "$zprof" record --force -o new.zp "$calls" 1
quietly "all parts are put aside, or none" sh -c 'test -e new.zp && test -e new.zp.2'
rm -r new.zp* folder; record -o new.zp "$calls" 1
mkdir 'a%b'; record -o 'a%%b/x.zp' "$calls" 1; record -o 'a%%b/x.zp' "$calls" 2
quietly "a percent sign in a folder" [ "$(ls a%b) $(calls_of a%b)" = "x.zp 3" ]
rm -r 'a%b'
cp new.zp new.zp.20260101; record -o new.zp "$calls" 3
quietly "a copy with a number behind its name is no part that is replaced" test -e new.zp.20260101
rm new.zp.20260101
record -o '%e.zp' "$calls" 1
expect 0 "'calls.zp' is of another run, and stays; this run is in 'calls.zp.2'" "$zprof" record -o '%e.zp' "$calls" 1
rm calls.zp*; record -o '%%%r.zp' "$calls" 1; record -o '%%%r.zp' "$calls" 1
quietly "%r and %% name one file, and it is replaced" only %0.zp all.zp base.zp kept.zp new.zp prog.c
end

# ---- the one rule, for all commands that write
fresh
record -o a.zp "$calls" 10; cp "$ZPROF_BUILD/tests/calls" program; echo 'int x;' >prog.c
record -o other.zp "$calls" 3; "$zprof" merge -o merged.zp other.zp 2>/dev/null
rule() { # WHAT KIND-NAME COMMAND...: the command, with -o FILE and a.zp, replaces its own kind and refuses others
	what=$1; shift
	"$@" -o mine a.zp >/dev/null 2>&1 && "$@" -o mine a.zp >/dev/null 2>&1
	tap $? "$what: replaces what it has written"
	wrong=
	for file in program prog.c other.zp merged.zp a.zp; do
		[ "$what $file" = "merge merged.zp" ] && continue
		cp $file same
		"$@" -o $file a.zp >/dev/null 2>&1 && wrong="$wrong $file"
		cmp -s $file same || wrong="$wrong $file(changed)"
	done
	mkdir folder; "$@" --force -o folder a.zp >/dev/null 2>&1 && wrong="$wrong folder"; rmdir folder
	[ -z "$wrong" ]
	tap $? "$what: refuses other files$wrong"
	cp prog.c forced; "$@" --force -o forced a.zp >/dev/null 2>&1 && ! cmp -s prog.c forced
	tap $? "$what: replaces them with --force"
	: >empty; "$@" -o empty a.zp >/dev/null 2>&1 && [ -s empty ]
	tap $? "$what: an empty file holds nothing to lose"
	rm -f mine forced empty
}
rule merge "$zprof" merge
rule archive "$zprof" archive
rule html "$zprof" html
rule "diff --html" "$zprof" diff --html other.zp
for format in callgrind pprof; do rule "export $format" "$zprof" export --format=$format; done
mkfifo pipe
"$zprof" export --format=csv -o pipe a.zp 2>/dev/null & cat pipe >piped; wait $!
"$zprof" export --format=csv a.zp >direct
quietly "a FIFO is written to as it is" sh -c 'cmp piped direct && test -p pipe'
quietly "and so is a device" "$zprof" html -o /dev/null a.zp
"$zprof" export --format=csv -o /dev/stdout a.zp 2>/dev/null | cmp -s - direct
tap $? "and a pipe by the name /dev/stdout"
{ "$zprof" export --format=csv -o /dev/stdout a.zp 2>/dev/null; echo tail; } >both
quietly "what the shell writes behind it stays" grep -qx tail both
expect 1 "cannot write '/dev/null': a profile needs a regular file" "$zprof" merge -o /dev/null a.zp
expect 1 "cannot write 'a.zp/x': Not a directory" "$zprof" merge -o a.zp/x other.zp
for format in callgrind cpuprofile csv dot firefox gmon pprof speedscope; do
	for i in 1 2; do "$zprof" export --format=$format -o was.$format a.zp 2>/dev/null || echo "$format, $i"; done
	"$zprof" export --format=$format -o prog.c a.zp 2>/dev/null && echo "$format, foreign"
done >wrong
for format in folded ordering; do # without a mark
	printf 'alice 52000\nbob 48000\n' >salaries
	"$zprof" export --format=$format -o salaries a.zp 2>/dev/null && echo "$format, foreign"
	"$zprof" export --force --format=$format -o salaries a.zp 2>/dev/null || echo "$format, --force"
done >>wrong
quietly "every format of export knows its own files: $(tr '\n' ' ' <wrong)" test ! -s wrong
end
finish

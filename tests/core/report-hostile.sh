#!/bin/sh
# SPDX-License-Identifier: MIT
# Whoever wrote a profile chose its names. Nothing in them reaches a terminal except as text: no command prints a control, a
# character that changes the direction of writing or is invisible, or a byte that is not UTF-8; and JSON is valid.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
cc=${CC:-gcc}
root=$(cd "$(dirname "$0")/../.." && pwd)
# clears the screen; the same by U+009B; U+202E, which reverses what follows; a byte that is not
# UTF-8
evil=$(printf '\033[2J\302\2332J\342\200\256\377')
short=$(printf '\033[J\302\233\342\200\256\377')

cat >spec <<END
clock tsc 1000000000
hooks 9000000 9000000 3000000
pid 7 1
command ./p$evil -x$evil
exe /bin/$evil
host h$evil
rank r$evil
options recursion=9$evil
note n$evil
flags filtered
started 1700000000
counter 9 1
module 1 /lib/l$evil.so 0x10000 0x20000 0x10000
zone z$evil kind=2 file=/src/f$evil.c line=4
zone y$evil group=g$evil file=w$evil.fs
counts c$evil
turns t$evil 5
thread 1 t$short 2
  z$evil 1 900000000 open
    y$evil 5 7000
extra 12:5 1 0 0 7
via @1+0x80 0x7000
    @1+0x100 5000000 90000
    @1+0x200 500 90000 folded
  (table) 0 0 overflow
    z$evil 1 0
END
"$ZPROF_BUILD/tests/make_profile" "p$evil.prof" <spec || exit 1
head -c 12288 "p$evil.prof" >"cut$evil.prof"
printf '[group a%s]\nfunc = z* y*\n[metric m%s]\ngroups = a%s\n' "$evil" "$evil" "$evil" >"groups$evil"
printf '[group a]\nf%s = x\n' "$evil" >"bad$evil"

# Runs a command of zprof, whatever its status, and looks at every byte it says.
clean() { # NAME SHOWN ARGUMENTS...: SHOWN is how an escape appears in what it says
	name=$1 shown=$2; shift 2
	echo "$1" >>ran
	"$zprof" "$@" >said 2>&1 </dev/null
	! LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f\xad]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xd8\x9c' said &&
		iconv -f UTF-8 -t UTF-8 said >/dev/null 2>&1 && grep -qF -e "$shown" said
	tap $? "$name"
}
valid() { # NAME: what was said is JSON
	sed '/^zprof: /d' said | "$ZPROF_BUILD/tests/json_shape" >shape 2>&1 && [ -s shape ]
	tap $? "$1"
}

for view in "report" "report --tree" "report --callers --all" "graph" "graph --by-thread" "graph --sites --full-names" "groups --matrix" "info" "tune"; do
	# shellcheck disable=SC2086
	clean "$view" '\x1b[2J\u009b2J\u202e\xff' $view "p$evil.prof"
	case $view in *full-names) continue ;; esac
	# shellcheck disable=SC2086
	clean "$view --json" '\u001B[2J\u009b2J\u202e' $view --json "p$evil.prof"
	valid "$view --json is JSON"
done
for format in callgrind folded dot csv; do
	clean "export --format=$format" '\x1b[2J\u009b2J\u202e\xff' export --format=$format "p$evil.prof"
done
for format in firefox cpuprofile speedscope; do
	clean "export --format=$format" '\u001B[2J\u009b2J\u202e' export --format=$format "p$evil.prof"
	valid "export --format=$format is JSON"
done
clean "view" '\x1b[2J\u009b2J\u202e\xff' view "p$evil.prof"
clean "top --batch" '\x1b[2J\u009b2J\u202e\xff' top --batch 1 "p$evil.prof"
clean "diff --html" '\u001B[2J\u009b2J\u202e' diff --html -o - "p$evil.prof" "p$evil.prof"
clean "brief" '\x1b[2J\u009b2J\u202e\xff' brief "p$evil.prof"
"$ZPROF_BUILD/tests/make_profile" named.prof <spec
printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{"files":["named.prof"]}}}\n' brief report '--help' >calls
echo mcp >>ran
"$zprof" mcp <calls >said 2>errors
! LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f\xad]|\xe2\x80[\x8b-\x8f\xa8-\xae]' said && grep -c 'x1b\[2J\|u001b\[2J\|u001B\[2J' said | grep -qx 2
tap $? "mcp: no name from a profile reaches the assistant's terminal as more than text"
grep -q "no such call: '--help'" said && [ ! -s errors ]
tap $? "mcp: a call's name is not taken for an option"
clean "annotate" '\x1b[2J' annotate "p$evil.prof"
clean "annotate --json" '\u001B[2J\u009b2J\u202e' annotate --json "p$evil.prof"
valid "annotate --json is JSON"
printf '[group a</script>]\nfunc = z*\n' >page.groups
clean "html" '\u001B[2J\u009b2J\u202e' html -o - --groups page.groups "p$evil.prof"
! sed '/^zprof: /d' said | sed -n '/id="profile"/,$p' | sed 's/<script[^>]*>//' | sed '/<.script>/,$d' | grep -q '<'
tap $? "html: no name can end the element of the profile"
[ "$(sed -n 's/^.*id="profile">//p; /^{"head"/,/^}/p' said | grep -c 'a.u003c/script>')" -ge 1 ]
tap $? "html: a group's name is in the profile, escaped"
"$zprof" export --format=pprof -o packed "p$evil.prof" && gzip -t packed && gzip -dc packed | LC_ALL=C grep -qaF "$(printf '\033[2J')"
tap $? "export --format=pprof has the name as it is"
"$zprof" export --format=folded "p$evil.prof" | grep -c ' [0-9]*$' >lines
[ "$(cat lines)" = "$("$zprof" export --format=folded "p$evil.prof" | wc -l)" ]
tap $? "export --format=folded: a name cannot start a line"
clean "groups from a file" '\x1b[2J' groups --groups "groups$evil" --metric "m$evil" "p$evil.prof"
clean "what filters are in force" '\x1b[2J' report --not "y$evil" "p$evil.prof"
sed 's/ 5 7000/ 6 8000/' spec | "$ZPROF_BUILD/tests/make_profile" "more$evil.prof"
for form in --fail --markdown --junit --folded; do
	clean "diff $form" '\x1b[2J' diff --fail 'calls>0%' "$(echo $form | sed s/--fail/--all/)" "p$evil.prof" "more$evil.prof"
done
clean "diff --json" '\u001B[2J\u009b2J\u202e' diff --json --fail 'calls>0%' "p$evil.prof" "more$evil.prof"
valid "diff --json is JSON"
clean "diff --bencher" '\u001B[2J\u009b2J\u202e' diff --bencher "p$evil.prof"
valid "diff --bencher is JSON"
clean "a condition that fits nothing" '\x1b[2J' diff --fail "no$evil calls>0%" "p$evil.prof" "more$evil.prof"
clean "merge" '\x1b[2J' merge -o "all$evil.zp" "p$evil.prof" "more$evil.prof"
clean "what was merged" '\x1b[2J' graph --by-process "all$evil.zp"
clean "what was merged, --json" '\u001B[2J\u009b2J\u202e' report --by-rank --json "all$evil.zp"
valid "what was merged is JSON"
clean "by rank" '\x1b[2J' report --by-rank "all$evil.zp"
clean "info of what was merged" '\x1b[2J' info "all$evil.zp"
clean "archive" '\x1b[2J' archive "all$evil.zp"
printf '#include "preload/zprof.h"\nvoid f(void) { zprof_frame("k\\033[2J\\302\\2332J\\342\\200\\256"); }\nint main(void) { for (int i = 0; i < 9; i++) f(); return 0; }\n' >kinds.c
gcc -finstrument-functions -I"$root" kinds.c -o kinds && ZPROF_OPTIONS=output=frames.prof LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./kinds
clean "kinds of frames" '\x1b[2J' frames frames.prof
clean "kinds of frames, --json" '\u001B[2J\u009b2J\u202e' frames --json frames.prof
valid "kinds of frames are JSON"
clean "a view of one frame" '\x1b[2J' report --slowest 1 frames.prof
clean "a missing kind" '\x1b[2J' frames --kind "no$evil" frames.prof
clean "ls" '\x1b[2J' ls "p$evil.prof" "cut$evil.prof" "all$evil.zp"
clean "ls --json" '\u001B[2J\u009b2J\u202e' ls --json "p$evil.prof"
valid "ls --json is JSON"
clean "rm, dry" '\x1b[2J' rm --dry-run "p$evil.prof"
clean "a missing process" '\x1b[2J' report --pid "no$evil" "p$evil.prof"
clean "a filter that fits nothing" "did you mean 'z\\x1b[2J" report --func "z${evil}q" "p$evil.prof"
clean "a missing thread" "did you mean 't\\x1b[J" report --thread "t${short}q" "p$evil.prof"
clean "a missing group" '\x1b[2J' report --group "no$evil" "p$evil.prof"
clean "a missing file" '\x1b[2J' graph "no$evil.prof"
clean "a file that is cut short" "is cut short" graph "cut$evil.prof"
clean "a file of groups that is wrong" '\x1b[2J' groups --groups "bad$evil" "p$evil.prof"
clean "an unknown option" '\x1b[2J' graph "--no$evil"
clean "an unknown command" '\x1b[2J' "no$evil"
clean "help about nothing" '\x1b[2J' help "no$evil"
clean "a missing program to be put to sleep" '\x1b[2J' sleep "no$evil"
clean "and one to be woken" '\x1b[2J' wake "no$evil"
for command in top reset snapshot attach detach; do
	clean "$command for a missing process" '\x1b[2J' "$command" "no$evil"
done
for command in watch unwatch; do
	clean "$command in a missing process" '\x1b[2J' "$command" "no$evil" main
done
clean "an address that is no receiver's" '\x1b[2J' push "no$evil" "rec$evil"
clean "a program that is not a compiler" '\x1b[2J' cflags --cc "no$evil"

# a program, recorded
printf 'int main(void) { return 0; }\n' >prog.c
"$cc" -finstrument-functions prog.c -o "prog$evil" && printf '#!/bin/sh\n' >"script$evil" && chmod +x "script$evil" || exit 1
clean "record says where the profile is" "is in 'rec\\x1b[2J" record --output "rec$evil" "./prog$evil" "$evil"
clean "and that there is none" "ran in './script\\x1b[2J" record "./script$evil"
clean "and a program that cannot be run" "cannot run './no\\x1b[2J" record "./no$evil"
clean "what was recorded" 'main' graph "rec$evil"
clean "and what of" '\x1b[2J' info "rec$evil"

"$zprof" help | sed -n 's/^    \([a-z]*\)  .*/\1/p' | sort -u >all
sort -u ran | comm -13 - all >left
[ -s all ] && [ ! -s left ]
tap $? "every command was asked $(tr '\n' ' ' <left)"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Each feature of report/ that no other uses is deleted, with its lines in the three tables: the rest builds, knows nothing of it, and
# shows the same as before.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
root=$(cd "${0%/*}/../.." && pwd)
export LC_ALL=C TZ=UTC0
unset ZPROF_RUN ZPROF_OPTIONS MAKEFLAGS MFLAGS MAKELEVEL

# The sources of the command and its objects as they are: only the tables are compiled again.
mkdir tree tables
tree=$PWD/tree
(cd "$root" && git ls-files Makefile '*.mk' 'report/*.[^m]*' 'symbolize/*.[^m]*' 'preload/*.[^m]*' tests/install.sh report/uses |
	xargs cp --parents -pt "$tree")
mkdir tree/build && (cd "$ZPROF_BUILD" && cp -a .packages-build libsymbolize.a symbolize report "$tree/build")
cp tree/report/commands.c tree/report/loaders.c tree/report/uses tables

# What the tables may name of a feature: its commands, its loader, what it does after a run, what it adds to attach.
lines_of() { # FEATURE
	sed -nE 's/^const struct (command cmd_(\w+)|loader (\w+)_loader|after_run (\w+)_after_run|attach_more (\w+)_attach_more) .*/\2\3\4\5/p' "tree/report/$1"/*.c
}
delete() { # FEATURE: its folder is put into deleted/
	for name in $(lines_of "$1"); do sed -i "/^#define /s/ LINE($name)$//; /LINE($name)/d" tree/report/commands.c tree/report/loaders.c; done
	sed -i "/^$1\>/d" tree/report/uses
	mkdir -p deleted && mv "tree/report/$1" deleted
}
build() { # NAME: makes without-NAME of what is in the tree, and puts everything back; false if it does not compile or link
	rm -f tree/build/zprof
	make -s -j2 -C tree B=build build/zprof >said 2>&1 && cp tree/build/zprof "without-$1"
	built=$?
	cp tables/* tree/report
	[ ! -d "deleted/$1" ] || mv "deleted/$1" tree/report
	return $built
}
alike() { # WITHOUT-FEATURE VIEW...: the same output, messages and status
	without=$1
	shift
	"$zprof" "$@" >expected 2>&1 </dev/null
	echo "status $?" >>expected
	"./$without" "$@" >actual 2>&1 </dev/null
	echo "status $?" >>actual
	[ "$(wc -l <expected)" -gt 2 ]
	tap $? "there is something to compare: $*"
	same "$without shows the same: $*" expected actual
}
all_alike() { # WITHOUT-FEATURE FILE OTHER: in all views
	while read -r view; do
		# shellcheck disable=SC2086
		alike "$1" $view "$2"
	done <<-'VIEWS'
		report
		report --tree
		report --json
		graph
		graph --json
		groups
		brief
		annotate
		info
		export --format=folded
		html -o /dev/stdout
		top --batch 1
	VIEWS
	alike "$1" diff --all "$2" "$3"
}

gcc -g -O1 -finstrument-functions -I"$root" "$root/tests/programs/frames.c" -o frames -lpthread || exit 1
for slow in 7 8; do
	ZPROF_OPTIONS=output=$PWD/turns$slow.zp,history=full LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so ./frames $((slow + 20)) $slow turns
done
is "the profile has frames" 1 "$("$zprof" frames turns7.zp | grep -c '^turn, .*: 26 frames')"

# Every feature that no other uses, nor the overview; iprof is another library.
used=$(awk '/^[a-z]/ && $1 != "iprof" { for (i = 2; i <= NF; i++) print $i }' "$root/report/uses"
	sed -nE 's|^#include "report/(\w+)/.*|\1|p' "$root/report/main.c" | grep -v core)
deleted=
# shellcheck disable=SC2013
for feature in $(awk '/^[a-z]/ && $1 != "iprof" { print $1 }' "$root/report/uses"); do
	if echo "$used" | grep -qx "$feature"; then continue; fi
	deleted="$deleted $feature"
	delete "$feature"
	build "$feature"
	tap $? "zprof builds without $feature" || { sed 's/^/# /' said; continue; }
	for file in "tree/report/$feature"/cmd_*.c; do
		[ -e "$file" ] || continue
		name=${file##*/cmd_} name=${name%.c}
		expect 2 "unknown command '$name'" "./without-$feature" "$name"
		is "nor does the overview list it" 0 "$("./without-$feature" help | grep -c "^    $name  ")"
	done
	[ "$feature" = callgraph ] || alike "without-$feature" graph turns7.zp
done
is "these features can be deleted" " advise assistant compare fleet frames second_run top" "$deleted"

# Without frames, views show a profile with frames as they do, and know no option for them.
all_alike without-frames turns7.zp turns8.zp
for option in '--frame 3' '--slowest 1' '--kind turn'; do
	for view in graph report annotate html 'diff turns8.zp'; do
		# shellcheck disable=SC2086
		expect 2 "unknown option '${option% *}'" ./without-frames $view $option turns7.zp
	done
done
for view in graph diff html; do
	is "nor are they in the help of $view" 0 \
		"$(./without-frames help $view | sed -n '/^OPTIONS/,/^EXAMPLES/p' | grep -cE -- '^ *--(frame|slowest|kind)\>')"
done
"$zprof" graph --slowest 1 turns7.zp >shown
grep -q "frame 6 of 'turn' alone" shown
tap $? "which the whole command has"

# Without push, record has no flag for it.
expect 2 "unknown option '--push'" ./without-fleet record --push http://localhost ./frames 5 1
is "nor is libcurl there, which the whole command loads" "0 1" "$(grep -ac 'libcurl\.so' ./without-fleet) $(grep -ac 'libcurl\.so' "$zprof")"

# Without the second run, its times are shown, and none can be made.
for flag in native verify; do
	expect 2 "unknown option '--$flag'" ./without-second_run record --$flag ./frames 5 1
	./without-second_run help record >page
	is "the help says nothing of it: --$flag" 0 "$(grep -ci -e "--$flag\|second run" page)"
done
# shellcheck disable=SC2046
gcc -w -g -O2 $("$zprof" cflags --fentry) -I"$root" "$root/tests/programs/native.c" -o native || exit 1
"$zprof" record --native --quiet -o native1.zp ./native 1000 >said 2>&1
"$zprof" record --native --quiet -o native2.zp ./native 2000 >>said 2>&1
if grep -q 'cannot take samples' said; then
	skip "a profile with times of a second run" "the system does not allow samples"
else
	is "the profile has times of a second run" 1 "$("$zprof" report native1.zp | grep -c '^times: .* of a second run')"
	all_alike without-second_run native1.zp native2.zp
fi
ZPROF_LIB=$ZPROF_BUILD/libzprof.so expect 0 "the profile is in 'again.zp'" ./without-second_run record -o again.zp ./frames 5 1

# The core needs no loader.
sed -i '/LINE([a-z_]*)/d' tree/report/loaders.c
build loaders
tap $? "zprof builds with an empty list of loaders" || sed 's/^/# /' said
all_alike without-loaders turns7.zp turns8.zp
finish

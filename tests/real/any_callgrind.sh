#!/bin/sh
# SPDX-License-Identifier: MIT
# any_callgrind.sh - programs of this system, as they are installed: the calls of every function that `zprof record --any` displaces, called or
# not, are as many as callgrind sees executions of the instruction at its entry, to the call.
#
#   tests/real/any_callgrind.sh
#
# What is not compared, and why:
#   - functions that share their name with another one of the file;
#   - constructors: the linker calls them before anything is displaced;
#   - jq, which seeds its tables by chance, and Python, which calls some functions more or less often by where its objects are.
# Both runs have the same variables in their environment, since gawk and perl make a value of each, and a folder that does not change, since
# make reads it.
cd "${0%/*}/../.." || exit 2
. tests/lib/tap.sh
. tests/lib/displaced.sh
: "${ZPROF_BUILD:?is set by make}"
unset ZPROF_OPTIONS LD_PRELOAD
export PERL_HASH_SEED=0 LC_ALL=C
tree=$PWD programs=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/run" && cd "$work" || exit 2

# What callgrind counted at each address of FILE, as `COUNT ADDRESS`; and `init ADDRESS` of constructors. Of several lines about one
# instruction the first is its own; those behind a call have the called function's, and the linkage table's.
executed() { # FILE
	gawk -v file="$1" '
		/^ob=/ { here = substr($0, 4) == file; next }
		/^cob=/ { there = substr($0, 5) == file; next }
		/^fn=/ { last = ""; linker = /call_init/; next }
		/^calls=/ { if (linker && there) print "init", $2; there = here; getline; last = $1; next }
		/^0x/ { if (here && $1 != last) count[$1] += $3; last = $1 }
		END { for (a in count) print count[a], a }' callgrind.out
}
compare() { # NAME FILE [--libs=LIBRARIES] PROGRAM ARGUMENT...
	name=$1 file=$(realpath "$2" 2>/dev/null) libraries=
	shift 2
	case $1 in --libs=*) libraries=$1; shift ;; esac
	command -v "$1" >/dev/null && [ "$file" ] || { echo "# $name is not installed"; return; }
	rm -f p.zp
	(cd run && env GLIBCPP_FORCE_NEW=1 GLIBCXX_FORCE_NEW=1 LD_LIBRARY_PATH=/usr/lib/debug \
		"$ZPROF_BUILD/zprof" record --any --quiet ${libraries:+"$libraries"} -o ../p.zp -- "$@") >recorded 2>said </dev/null
	(cd run && env ZPROF_OPTIONS=of-as-many-variables ZPROF_RUN=of-as-many-variables valgrind -q --tool=callgrind --dump-instr=yes \
		--compress-strings=no --compress-pos=no --callgrind-out-file=../callgrind.out "$@") >plain 2>>said </dev/null
	same "$name runs as by itself" plain recorded
	executed "$file" >counted
	displaced_functions p.zp "$file" >functions
	# From an offset in the file to an address.
	readelf -lW "$file" | awk '$1 == "LOAD" && / R E / { print "load", $2, $3; exit }' >load
	gawk '
		$1 == "load" { base = strtonum($3) - strtonum($2); next }
		$1 == "init" { init[strtonum($2)] = 1; next }
		$2 ~ /^0x/ { count[strtonum($2)] = $1; next }
		{
			at = strtonum("0x" $1) + base
			if (at in init)
				print "# not compared, a constructor: " $2 >"constructors"
			else {
				print $2, count[at] + 0 >"of_callgrind"
				print $2, $3 >"of_zprof"
			}
		}' load counted functions
	[ ! -f constructors ] || { cat constructors && rm constructors; }
	sum=$(awk '{ sum += $2; called += $2 > 0 } END { print sum " calls of " called + 0 }' of_callgrind)
	same "$name: $(wc -l <of_zprof) functions, $sum" of_callgrind of_zprof
	[ "${sum%% *}" -gt 50000 ]
	tap $? "$name: there is something to compare"
	programs=$((programs + 1))
}

cat >run/table.sql <<'END'
create table t(a integer primary key, b text, c real);
with recursive n(x) as (select 1 union all select x + 1 from n where x < 5000) insert into t select x, 'row ' || x, x * 1.5 from n;
create index i on t(b);
select count(*), sum(c), max(b) from t where b like '%99%';
select sum(length(a.b)) from t a join t b on a.b = b.b where a.a % 7 = 1;
select group_concat(b) from (select b from t order by c desc limit 10);
END
{ echo 'all: $(foreach n,$(shell seq 300),t$(n))' && seq 300 | sed 's/.*/t&: ; @echo $(subst 1,one,$(words $(wordlist 1,&,$(shell seq &))))/'; } >run/Makefile
compare perl /usr/bin/perl perl -e 'my %h; $h{$_} = "v$_" for 1 .. 9000; my $n = grep { /7/ } sort values %h; print "$n\n"'
compare gawk /usr/bin/gawk gawk 'BEGIN { for (i = 0; i < 9000; i++) { a[i % 97] = substr(a[i % 97] i, 1, 50); s += length(a[i % 97]) } print s }'
compare git /usr/bin/git git -C "$tree" grep --threads=1 --no-color -n -w in -- preload
compare grep /usr/bin/grep grep -rc 'in[t ]' "$tree/preload"
compare sed /usr/bin/sed sed -n 's/\([a-z]*\)_\([a-z]*\)/\2 \1/p' "$tree"/preload/*/*.[ch]
compare make /usr/bin/make make -n
compare sqlite "$(library_of libsqlite3.so.0 sqlite3)" sqlite3 :memory: '.read table.sql'
compare xz "$(library_of liblzma.so.5 xz)" '--libs=liblzma*' xz -k -c /bin/true
compare ripgrep /usr/bin/rg rg -j1 --sort path -c 'in[t ]' "$tree/preload"
[ $programs -ge 8 ]
tap $? "eight programs are there: $programs"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Where names come from when the program has been stripped, moved or lost: its debug file beside it,
# .dynsym, .gnu_debugdata, dwz, a debuginfod server; and the stubs of procedure linkage tables.
set -u
src=$(cd "$(dirname "$0")" && pwd)
print=$ZPROF_BUILD/tests/symbolize_print
unset DEBUGINFOD_URLS
. "${0%/*}/../lib/tap.sh"

# The quality and name found at the address of a symbol of the unstripped program.
at() { # FILE SYMBOL [OPTION...]
	file=$1
	address=$(nm whole | awk -v s="$2" '$3 == s { print "0x" $1 }')
	shift 2
	echo "$address" | "$print" -v "$@" "$file" 2>notice | cut -d' ' -f2,7-
}

id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

gcc -O2 -g -rdynamic -fcf-protection=none "$src/symbolize_sample.c" -o whole
nm whole | awk '$2 ~ /^[tT]$/ { print "0x" $1 }' >functions
"$print" <functions whole >want

objcopy --only-keep-debug whole whole.debug
strip whole -o stripped
objcopy --add-gnu-debuglink=whole.debug stripped linked
is "a debug file beside the program" "$(cat want)" "$("$print" linked <functions)"
is "a static function through .gnu_debuglink" "dwarf sample_static" "$(at linked sample_static.constprop.0)"
mkdir .debug && mv whole.debug .debug/
is "a debug file in .debug" "dwarf sample_static" "$(at linked sample_static.constprop.0)"
rm -r .debug

gcc -O2 -g -rdynamic -DOTHER "$src/symbolize_sample.c" -Wl,--build-id=0x1234567890abcdef -o other
objcopy --only-keep-debug other whole.debug
is "a debug file of another build is left alone" "dynsym main" "$(at linked main)"
rm whole.debug

is "without any: what is exported" "dynsym sample_split" "$(at stripped sample_split)"
case $(at stripped sample_static.constprop.0) in
"none stripped+0x"*) tap 0 "without any: static functions have no name" ;;
*) is "without any: static functions have no name" "none stripped+0x..." "$(at stripped sample_static.constprop.0)" ;;
esac

gcc -O2 "$src/symbolize_sample.c" -o plain
cp whole whole.full && cp plain whole
is "no debug information: the symbol table" "symtab sample_static" "$(at plain sample_static.constprop.0)"
cp whole.full whole

# What nm says of a program, held against the answers for its stripped copy: at the first byte of each
# function, in the middle, and at the last byte.
bounds() { # FILE
	# (crti.o of arm64 has a function that is no part of .eh_frame.)
	nm -S --defined-only "$1" | awk '$4 != "call_weak_fn" && NF == 4 && tolower($3) ~ /^[tw]$/ { print "0x" $1, "0x" $2 }' | sort -u |
		while read -r start size; do
			[ $((size)) -gt 1 ] || continue
			for at in $((start)) $((start + size / 2)) $((start + size - 1)); do
				printf '%#x none %#x %d %s+%#x\n' "$at" "$((start))" "$((size))" "$1.bare" "$((start))"
			done
		done >bounds.want
	strip -o "$1.bare" "$1"
	cut -d' ' -f1 bounds.want | "$print" -v "$1.bare" | cut -d' ' -f1-4,6 >bounds.got
	cmp -s bounds.want bounds.got && [ "$(wc -l <bounds.want)" -ge "$2" ]
	tap $? "functions of $1 begin and end in .eh_frame, where no symbol names them"
	diff bounds.want bounds.got | sed 's/^/# /' | head
}
cat >classes.cc <<'END'
#include <cstdio>
#include <string>
#include <vector>
struct shape { virtual ~shape() {} virtual int sides() const { throw std::string("none"); } };
struct square : shape { int sides() const override { return 4; } };
int main(int argc, char **)
{
	std::vector<shape *> all(argc, new square);
	try { all.push_back(new shape); for (shape *s : all) std::printf("%d\n", s->sides()); }
	catch (const std::string &s) { std::puts(s.c_str()); }
}
END
gcc -O2 "$src/symbolize_sample.c" -o sample
g++ -O2 classes.cc -o classes
bounds sample 12
bounds classes 12

# The hint `after NAME`, held against nm of the stripped library: for each function of the whole one, the last that nm has at its address or
# before it. Aliases may be named by any of their names. apart() is alone in a section, and plain nm does not tell sections.
cat >near.c <<'END'
#define APART __attribute__((noinline, noclone, used))
int sink;
APART static void first(void) { sink += 1; }
APART void exported_one(void) { sink += 2; }
APART static void second(void) { sink += 3; }
APART static void third(void) { sink += 4; }
APART void exported_two(void) { sink += 5; }
void also_two(void) __attribute__((alias("exported_two")));
APART static void fourth(void) { sink += 6; }
APART __attribute__((section("other_code"))) static void apart(void) { sink += 7; }
END
gcc -w -O1 -fno-toplevel-reorder -shared -fPIC near.c -o libnear.so && strip -o near.bare libnear.so
nm -D --defined-only --numeric-sort near.bare | awk '$2 ~ /^[TW]$/ { print "0x" $1, $3 }' >exported
nm --defined-only libnear.so | awk '$3 ~ /^(first|second|third|fourth|exported_.*|also_two)$/ { print "0x" $1, $3 }' >near.functions
wrong=0 hints=0
while read -r address name; do
	hint=$(echo "$address" | "$print" -n near.bare)
	from=-1 wanted=-
	while read -r start other; do
		[ $((start)) -le $((address)) ] || continue
		[ $((start)) = $((from)) ] || wanted=
		wanted="$wanted $other" from=$start
	done <exported
	case " $wanted " in
	*" $hint "*) [ "$hint" = - ] || hints=$((hints + 1)) ;;
	*) echo "# $name: after $hint, not after one of $wanted" && wrong=1 ;;
	esac
done <near.functions
[ $wrong = 0 ] && [ $hints = 6 ]
tap $? "the hint is the last function that nm -D has before the address"
is "a section of its own has no hint from another" - "$(nm libnear.so | awk '$3 == "apart" { print "0x" $1 }' | "$print" -n near.bare)"
is "and the hint is no part of the name" "none near.bare+$(nm libnear.so | awk '$3 == "third" { print $1 }' | sed 's/^0*/0x/')" \
	"$(nm libnear.so | awk '$3 == "third" { print "0x" $1 }' | "$print" -v near.bare | cut -d' ' -f2,7-)"

nm whole | awk '$2 ~ /^[tT]$/ { print $3 }' >keep
objcopy -S --keep-symbols=keep whole mini && xz -k mini
objcopy --add-section .gnu_debugdata=mini.xz stripped with_mini
is "a static function through .gnu_debugdata" "symtab sample_static" "$(at with_mini sample_static.constprop.0)"
is "an exported function beside .gnu_debugdata" "sample_split" "$(at with_mini sample_split | cut -d' ' -f2)"

cp whole one && cp whole.full two
if dwz -m common one two 2>/dev/null; then
	is "types shared by dwz" "$(cat want)" "$("$print" one <functions)"
else
	skip "types shared by dwz" "dwz is missing: install dwz"
fi

cat >nested.c <<'END'
int main(int argc, char **argv)
{
	int __attribute__((noinline)) nested(int a) { return a * argc; }
	return nested(argv[0][0]);
}
END
gcc -O0 -g nested.c -o nested
is "a function within a function" "dwarf $PWD/nested.c:3 nested" \
	"$(nm nested | awk '$3 ~ /^nested/ { print "0x" $1 }' | "$print" -v nested | cut -d' ' -f2,5,7-)"

# A folder is as good as a server.
id=$(id_of whole)
mkdir -p "server/buildid/$id"
objcopy --only-keep-debug whole "server/buildid/$id/debuginfo"
export DEBUGINFOD_CACHE_PATH="$PWD/cache" DEBUGINFOD_URLS="file://$PWD/server"
if ldconfig -p | grep -q libdebuginfod; then
	is "a stripped program, from debuginfod" "$(cat want)" "$("$print" stripped <functions)"
	rm -r cache
	is "a program that is gone, from debuginfod" "dwarf sample_static" \
		"$(at "$PWD/gone" sample_static.constprop.0 -b "$id")"
	is "and its notice" "symbolize_print: '$PWD/gone' is gone; put it back, or its debug file under /usr/lib/debug/.build-id" "$(cat notice)"
	is "a rebuilt program, from debuginfod" "dwarf sample_static" \
		"$(at other sample_static.constprop.0 -b "$id")"
else
	skip debuginfod "libdebuginfod is missing: install libdebuginfod1"
fi
unset DEBUGINFOD_URLS
case $(at other main -b "$id") in
"none other+0x"*) tap 0 "without it a rebuilt program is refused" ;;
*) is "without it a rebuilt program is refused" "none" "$(at other main -b "$id")" ;;
esac
is "and the notice names both build-ids" 1 "$(grep -c "'other' is not the build that ran: .* is 1234567890abcdef, not $id;" notice)"

# Stubs, as objdump names them: at their first byte and in the middle.
stubs() { # FILE
	objdump -d -j .plt -j .plt.got -j .plt.sec "$1" 2>/dev/null |
		sed -nE 's/^0*([0-9a-f]+) <([^>]*@plt)>:$/0x\1 \2/p'
}
# (A compiler knows the flags of its own processor alone.)
for flags in "-fcf-protection=none" "-fcf-protection=full -Wl,-z,ibtplt" "-Wl,-z,now -no-pie" "-fuse-ld=gold" \
	"-mbranch-protection=none" "-mbranch-protection=standard -Wl,-z,force-bti"; do
	# shellcheck disable=SC2086
	gcc -O2 -g $flags "$src/symbolize_sample.c" -o plt 2>/dev/null || continue
	strip plt
	stubs plt >stubs.want
	[ "$(wc -l <stubs.want)" -ge 4 ] || tap 1 "there are stubs with $flags"
	cut -d' ' -f1 stubs.want | "$print" -v plt | cut -d' ' -f1,6 >stubs.got
	is "stubs with $flags" "$(cat stubs.want)" "$(cat stubs.got)"
	cut -d' ' -f1 stubs.want | while read -r a; do printf '%#x\n' $((a + 7)); done | "$print" -v plt | cut -d' ' -f6 >stubs.got
	is "inside them" "$(cut -d' ' -f2 stubs.want)" "$(cat stubs.got)"
done

finish

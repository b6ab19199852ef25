#!/bin/sh
# SPDX-License-Identifier: MIT
# Names every instruction of small programs, each built many ways, and compares the answers with those
# of elfutils', binutils' and LLVM's addr2line: the function, what was inlined there, the lines.
# elfutils' loses some of the inlined calls that clang and gcc's link-time optimizer leave, and finds
# nothing without .debug_aranges or in split files; there LLVM's is used.
set -u
src=$(cd "$(dirname "$0")" && pwd)
print=$ZPROF_BUILD/tests/symbolize_print
. "${0%/*}/../lib/tap.sh"

# Instructions of the program's own functions; the padding between functions belongs to none.
addresses() { # FILE
	objdump -d -C --no-show-raw-insn -j .text "$1" | awk '
		/^[0-9a-f]+ </ { own = /<main|<sample|<double sample|<int sample/ }
		/nop|xchg +%ax,%ax|data16|int3/ { next }
		own && /^ +[0-9a-f]+:/ { sub(":", "", $1); print "0x" $1 }'
}

# One line per address. Columns, discriminators, marks of a function's copies, the space in `> >` and what a
# function returns that something local belongs to are only matters of taste.
rows() {
	sed -E 's/ inlined at .*//; s/ \(discriminator.*//; s/:([0-9]+):[0-9]+$/:\1/; s/:\?$/:0/
		s/ \[clone [^]]*\]//g; s/\.(part|isra|constprop|cold)(\.[0-9]+)?//g; :close; s/> >/>>/; t close; s/^void (.*\)::)/\1/' |
		awk '/^0x[0-9a-f]+$/ { if (row) print row; sub("^0x0*", "0x"); row = $0; next }
		{ row = row " | " $0 } END { print row }'
}

compare() { # WHAT FILE ORACLE...
	what=$1 file=$2
	shift 2
	[ $# != 0 ] || {
		skip "$what" "llvm-addr2line is missing: install llvm"
		return
	}
	addresses "$file" >addresses
	# LLVM fails to demangle a name here and there: c++filt does those.
	"$@" -a -f -i -C -e "$file" <addresses | c++filt | rows >want
	"$print" -a -C "$file" <addresses | rows >got
	count=$(wc -l <addresses)
	if [ "$count" -lt 80 ] || grep -q '??' want; then
		tap 1 "$what: the oracle itself has no answers ($count addresses)"
	else
		same "$what: $count addresses as $1 names them" want got
	fi
}

build() { # FILE COMPILER... (the source is the last)
	file=$1
	shift
	"$@" -o "$file" || {
		tap 1 "$file is built: $*"
		exit 1
	}
}

eu='eu-addr2line --relative'
llvm=$(ls /usr/bin/llvm-addr2line /usr/bin/llvm-addr2line-* /usr/lib/llvm-*/bin/llvm-addr2line 2>/dev/null | head -1)
for opt in -O0 -O2; do
	for dwarf in 4 5; do
		build c gcc $opt -gdwarf-$dwarf "$src/symbolize_sample.c"
		compare "gcc $opt, DWARF $dwarf" c $eu
		build cc g++ $opt -gdwarf-$dwarf "$src/symbolize_sample.cc"
		compare "g++ $opt, DWARF $dwarf" cc $eu
		build clang clang $opt -gdwarf-$dwarf -gdwarf-aranges "$src/symbolize_sample.c"
		compare "clang $opt, DWARF $dwarf, with .debug_aranges" clang $eu
		build clang++ clang++ $opt -gdwarf-$dwarf "$src/symbolize_sample.cc"
		compare "clang++ $opt, DWARF $dwarf, without .debug_aranges" clang++ $llvm
	done
done

build nopie gcc -O2 -g -no-pie "$src/symbolize_sample.c"
compare "not position-independent" nopie $eu
build lib.so gcc -O2 -g -fPIC -shared "$src/symbolize_sample.c"
compare "shared library" lib.so $eu
build sections gcc -O2 -g -ffunction-sections -Wl,--gc-sections "$src/symbolize_sample.c"
compare "a section per function, unused ones thrown away" sections $eu
build lto gcc -O2 -g -flto "$src/symbolize_sample.c"
compare "link-time optimization" lto $llvm
build types g++ -O2 -g -fdebug-types-section -gdwarf-4 "$src/symbolize_sample.cc"
compare "types in .debug_types" types $eu
build compressed g++ -O2 -g -gz "$src/symbolize_sample.cc"
compare "compressed debug information" compressed $eu
build split g++ -O2 -g -gsplit-dwarf "$src/symbolize_sample.cc"
compare "debug information split off" split $llvm
build split clang++ -O2 -g -gsplit-dwarf "$src/symbolize_sample.cc"
compare "debug information split off by clang" split $llvm
compare "the other addr2line, g++ -O2" cc addr2line

finish

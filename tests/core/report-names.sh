#!/bin/sh
# SPDX-License-Identifier: MIT
# Real programs: functions have their names, files and modules, patterns find them, and `zprof resolve` knows their addresses.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
cat >lib.c <<'END'
static void inner(void) { }
void in_library(void) { inner(); }
END
cat >prog.cc <<'END'
#include <vector>
extern "C" void in_library(void);
namespace ns {
struct Shape {
	virtual int area(int by) const { return by; }
	virtual ~Shape() { }
};
namespace { int twice(int n) { return n * 2; } }
template <typename T> T very_long_name_of_a_function_template_for_the_sake_of_it(T const &a, std::vector<T> const &b) { return a; }
}
static void inner(void) { in_library(); }
int main()
{
	ns::Shape shape;
	std::vector<int> v(3);
	inner();
	return shape.area(ns::twice(2)) + ns::very_long_name_of_a_function_template_for_the_sake_of_it(1, v) - 5;
}
END
gcc -g -finstrument-functions -shared -fPIC lib.c -o libnames.so &&
	g++ -g -O0 -finstrument-functions -finstrument-functions-exclude-file-list=/usr/include prog.cc -o prog -L. -lnames -Wl,-rpath,"$PWD" || exit 1
"$zprof" record ./prog 2>errors || exit 1
names() { "$zprof" report --sort name --json "$@" | sed -n 's/.*{"id":[0-9]*,"name":"\([^"]*\)".*/\1/p' | tr '\n' '|'; }
is "--module takes the last part of a path" 'in_library|inner|' "$(names --module libnames.so)"
is "--file takes the last part of a path" 'in_library|inner|' "$(names --file lib.c)"
is "a name without its parameters" 'ns::Shape::area(int) const|' "$(names --func 'ns::Shape::area')"
is "or the last part of it" 'ns::Shape::area(int) const|' "$(names --func area)"
is "a regular expression" 'ns::(anonymous namespace)::twice(int)|' "$(names --func '/anonymous.*twice/')"
is "several patterns" 'in_library|main|' "$(names --func main -F 'in_*')"
is "two functions with the same name are kept apart" 'inner|inner()|' "$(names --func inner)"
"$zprof" graph --func '*very_long*' >graph
grep -q ' ns::very_long_name_of_a_function_template_for_the_sake_of_it<...> \[' graph
tap $? "a long name loses its return type, and what is in its brackets"
"$zprof" graph --full-names --func '*very_long*' >graph
grep -q ' int ns::.*for_the_sake_of_it<int>(int const&, std::vector<int, std::allocator<int> > const&) \[' graph
tap $? "--full-names keeps all of it"
grep -q 'prog.cc:9$' graph
tap $? "file and line stand behind it"
"$zprof" graph --width 70 --func '*very_long*' >graph
[ "$(grep -c '~ \[[0-9]*\]$' graph)" = 1 ] && awk 'NR > 3 && length > 70 { exit 1 }' graph
tap $? "a name that is cut keeps its index"
strip -o stripped prog
"$zprof" record --output stripped.prof ./stripped >out 2>errors
"$zprof" report stripped.prof >report 2>errors
grep -q "^zprof: '.*/stripped' has no symbols for any of its functions: it is stripped; put its debug file beside it" errors
tap $? "a message says why functions have no name"
"$zprof" record --output named.prof ./prog >out 2>errors
"$zprof" report named.prof 2>errors >report
is "... and there is none where all have names" "" "$(cat errors)"

# Where a function without a name lies: behind one that has a name.
cat >near.c <<'END'
#define APART __attribute__((noinline, noclone))
APART void exported(void) { __asm__ volatile(""); }
APART static void nameless(void) { exported(); }
int main(void) { nameless(); return 0; }
END
gcc -O1 -fno-toplevel-reorder -rdynamic -finstrument-functions near.c -o near.whole && strip -o near near.whole
"$zprof" record --quiet --output near.prof ./near 2>errors
at=$(nm near.whole | awk '$3 == "nameless" { print $1 }' | sed 's/^0*/near+0x/')
is "the report says behind which" 1 "$("$zprof" report --width 0 near.prof 2>errors | grep -c " $at  *after exported\$")"
"$zprof" graph --width 0 near.prof 2>errors | grep -q " $at \[[0-9]*\]  *after exported\$"
tap $? "the graph, too"
hints() { "$zprof" report --json near.prof 2>errors | sed -n 's/.*"name":\("[^"]*"\).*"after":\("[^"]*"\).*/\1 \2/p'; }
is "JSON has it apart from the name, and of no function with a name" "\"$at\" \"exported\"" "$(hints)"

# A function that was inlined has no hooks. (With -finstrument-functions, as on other processors, it has.)
cat >inlined.cc <<'END'
namespace net {
static inline int ingest(int n) { int sum = 0; while (n > 0) sum += n-- % 7; return sum; }
template <typename T> T twice(T n) { return n + n; }
__attribute__((noinline)) int handle_request(int n) { int sum = ingest(n); return sum % 2 ? ingest(sum) + twice(n) : ingest(9); }
}
int main(int count, char **) { return net::handle_request(count) == 1000; }
END
asked() { "$zprof" graph inlined.prof --func "$1" 2>&1 >out; }
if [ "$(uname -m)" = x86_64 ]; then
	# shellcheck disable=SC2046
	g++ -g -O2 $("$zprof" cflags --fentry) inlined.cc -o inlined && "$zprof" record --quiet --output inlined.prof ./inlined
	is "a message says where a function was inlined" \
		"zprof: --func: 'ingest' was inlined into net::handle_request(int) (3 places), whose time includes it" "$(asked ingest)"
	is "and a template" "zprof: --func: 'net::twice' was inlined into net::handle_request(int) (1 place), whose time includes it" "$(asked net::twice)"
	is "but not one that does not exist" "zprof: --func: no function in the profile matches 'nosuch'" "$(asked nosuch)"
fi

# The library's question: modules in, address ranges out.
ask() { # MODULE-LINE... -- ARGUMENTS...
	: >question
	while [ "$1" != -- ]; do echo "$1" >>question; shift; done
	shift
	"$zprof" resolve "$@" <question >answer 2>errors
}
bias=7f0000000000
address() { nm "$1" | awk -v name="$2" '$3 == name { print $1; exit }' | sed 's/^0*//'; }
expected=$(printf '%x' $((0x$bias + 0x$(address libnames.so in_library))))
ask "4 7f0000000000 7f0000005000 $bias - $PWD/libnames.so" -- in_library
is "a function's address as it runs" "4 $expected" "$(cut -d' ' -f1,2 answer)"
ask "4 7f0000000000 7f0000005000 $bias - $PWD/libnames.so" -- inner in_library
is "functions next to each other are one range" 1 "$(wc -l <answer)"
ask "1 400000 500000 0 - $PWD/prog" "4 7f0000000000 7f0000005000 $bias - $PWD/libnames.so" -- inner
is "every module is asked" "1 4 " "$(cut -d' ' -f1 answer | tr '\n' ' ')"
awk '{ printf "%16s\n", $2 }' answer | LC_ALL=C sort -c
tap $? "ranges are in order"
ask "4 7f0000000000 7f0000005000 $bias - $PWD/libnames.so" -- nosuch
is "that none matches is not an error" "0 0" "$? $(wc -l <answer)"
ask "4 7f0000000000 7f0000005000 $bias - $PWD/libnames.so" -- file:lib.c
is "by file" 1 "$(wc -l <answer)"
printf '[group them]\nfunc = in_*\n' >g
ask "4 7f0000000000 7f0000005000 $bias - $PWD/libnames.so" -- --groups g group:them
is "by group" "4 $expected" "$(cut -d' ' -f1,2 answer)"
ask "4 7f0000000000 7f0000005000 $bias deadbeef $PWD/libnames.so" -- in_library
is "a file with another build-id is not used" 0 "$(wc -l <answer)"
ask "nonsense" -- in_library
is "a line that is not a module is an error" 1 "$?"
ask "4 7f0000000000 7f0000005000 $bias - $PWD/libnames.so" -- group:nosuch
is "so is a missing group" "1 zprof: no group 'nosuch'; groups are read from 'zprof.groups' here, or --groups FILE" "$? $(cat errors)"
finish

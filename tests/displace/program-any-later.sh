#!/bin/sh
# SPDX-License-Identifier: MIT
# program-any-later.sh - a library that the program loads, closes and loads again: its functions are not recorded, the program's are, the
# library's calls of them included, and reports say that such a library was there.
. "${0%/*}/../lib/tap.sh"
cd "$TEST_TMP" && mkdir plans || exit 1
cat >plugin.c <<'END'
__attribute__((noinline)) static void within(void (*f)(void)) { f(); __asm__ volatile(""); }
void plugged(void (*f)(void)) { within(f); within(f); }
END
cat >program.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>
static int turns;
__attribute__((noinline)) static void called(void) { turns++; }
__attribute__((noinline)) static void *load(void)
{
	void *library = dlopen("./plugin.so", RTLD_NOW);
	void (*plugged)(void (*)(void)) = (void (*)(void (*)(void)))(library ? dlsym(library, "plugged") : NULL);
	for (int i = 0; plugged && i < 1000; i++)
		plugged(called);
	return library;
}
int main(int n, char **v)
{
	(void)v;
	if (n > 1)
		for (int i = 0; i < 3; i++)
			dlclose(load());
	load();
	return turns != (n > 1 ? 8000 : 2000);
}
END
gcc -w -O1 -fPIC -shared plugin.c -o plugin.so && gcc -w -O1 -fno-optimize-sibling-calls program.c -o program -ldl || exit 1
"$ZPROF_BUILD/tests/make_plan" plans program >planned || exit 1
for way in "" again; do
	loads=${way:+4}
	loads=${loads:-1}
	rm -f out
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=plans=plans,output=out,check=1 ./program $way
	is "the program's result is right${way:+ ($way)}" 0 $?
	"$ZPROF_BUILD/zprof" report --tree --format calls,name out 2>said >tree
	is "each call of the program's function is load()'s${way:+ ($way)}" "1 main
$loads load
$((2 * loads))000 called" "$(sed -n 's/^ *\([0-9,]*\)  *\(main\|load\|called\).*$/\1 \2/p' tree | tr -d ,)"
	"$ZPROF_BUILD/zprof" info --width=0 out >info 2>>said
	is "no caller is wrong, and none is guessed${way:+ ($way)}" 0 "$(grep -c 'wrong caller\|did not agree\|had to be guessed' info)"
	is "a library came later${way:+ ($way)}" 1 "$(grep -c 'libraries that were loaded when the program had started.*: 1$' info)"
done
finish

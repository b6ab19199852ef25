#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs in Go and Rust, whose compilers put in no hooks: messages name the language and what works, not gcc's flags. The programs are
# made of C with the marks that these compilers leave; a real one is asked as well where rustc is there.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
unset ZPROF_RUN ZPROF_LIB

echo 'int main(void) { return 0; }' >plain.c
cat >go.c <<'END'
__asm__(".section .go.buildinfo,\"aw\"\n.quad 1\n.text");
int main(void) { return 0; }
END
sed 's/\.go\.buildinfo,\\"aw/.gopclntab,\\"a/' go.c >old_go.c
cat >rust.c <<'END'
__asm__(".ident \"rustc version 1.95.0 (59807616e 2026-04-14)\"");
int main(void) { return 0; }
END
echo 'void rust_begin_unwind(void) {} int main(void) { return 0; }' >bare_rust.c
for program in plain go old_go rust bare_rust; do gcc -g $program.c -o $program || exit 1; done
objcopy -R .comment bare_rust
gcc -static go.c -o static_go && gcc -static plain.c -o static && strip static_go || exit 1

go="it is a program in Go, whose compiler puts in no hooks: 'zprof record --sampled' samples it, and its C code (cgo) is recorded if CGO_CFLAGS has the flags of 'zprof cflags'"
rust="it is a program in Rust, whose compiler puts in no hooks: 'zprof record --any' records it if it is linked dynamically, 'zprof record --sampled' samples it in any case, and C or C++ code in it is recorded if that is compiled with the flags of 'zprof cflags'"
expect 125 "zprof: cannot profile './static_go': $go" "$zprof" record ./static_go
expect 125 "zprof: cannot profile './static': it is linked statically" "$zprof" record ./static
for program in go old_go; do expect 0 "zprof: no profile was written of './$program': $go" "$zprof" record ./$program; done
for program in rust bare_rust; do expect 0 "zprof: no profile was written of './$program': $rust" "$zprof" record ./$program; done
expect 0 "zprof: no profile was written: no instrumented function ran in './plain'; 'zprof record --any' records its functions as they are, 'zprof record --sampled' samples them from outside, or build it with -g -finstrument-functions" "$zprof" record ./plain
expect 1 "no profile was written of './rust': $rust" "$zprof" annotate -- ./rust
expect 1 "zprof: './rust' calls no hooks: $rust" "$zprof" sleep ./rust
expect 1 "zprof: './go' calls no hooks: $go" "$zprof" sleep ./go
expect 1 "zprof: './plain' calls no hooks of a shared library: build it with the flags" "$zprof" sleep ./plain
sed 's/return 0/for (;;) ;/' rust.c >endless.c && gcc endless.c -o endless || exit 1
./endless &
pid=$!
until [ "$(readlink /proc/$pid/exe)" = "$PWD/endless" ]; do sleep 0.1; done
expect 1 "zprof: process $pid does not run with libzprof.so: $rust" "$zprof" attach $pid
kill $pid
wait $pid 2>/dev/null

# what the message promises: functions in C of such a program are recorded
echo 'int work(int x) { return x + 1; }' >work.c
cat >mixed.c <<'END'
__asm__(".ident \"rustc version 1.95.0\"");
int work(int);
int main(void) { return work(-1); }
END
# shellcheck disable=SC2046
gcc -c work.c $("$zprof" cflags --cflags) && gcc mixed.c work.o -o mixed || exit 1
expect 0 "zprof: the profile is in 'mixed.prof'" "$zprof" record -o mixed.prof ./mixed
if command -v rustc >/dev/null; then
	printf 'extern "C" { fn work(x: i32) -> i32; }\nfn main() { unsafe { work(-1); } }\n' >real.rs
	echo 'fn main() {}' >alone.rs
	ar rc libwork.a work.o && rustc -L . -l static=work real.rs 2>errors && rustc alone.rs 2>>errors || sed 's/^/# /' errors
	expect 0 "zprof: the profile is in 'real.prof'" "$zprof" record -o real.prof ./real
	expect 0 "no profile was written of './alone': $rust" "$zprof" record ./alone
fi

# damaged files are no reason to fail
for at in 40 44 48 52 56 58 60 62; do
	cp rust cut && printf '\377\377\377\377' | dd of=cut bs=1 seek=$at conv=notrunc 2>/dev/null
	"$zprof" sleep cut >said 2>&1
	[ $? = 1 ] || echo "$at"
done >wrong
head -c 100 rust >cut && "$zprof" sleep cut >said 2>&1
[ $? = 1 ] && [ ! -s wrong ]
tap $? "a damaged file is looked at without harm" || sed 's/^/# /' wrong said
finish

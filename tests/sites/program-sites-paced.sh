#!/bin/sh
# SPDX-License-Identifier: MIT
# Single sites, of every form and at every place in a cache line, are switched as fast as stores go, while four threads run
# through them. PACED_SWITCHES of each form: 20000 here, ten million in `make test-long`.
. "${0%/*}/../lib/sites.sh"
switches=${PACED_SWITCHES:-20000}
objects=$(cd "$ZPROF_BUILD/preload" && pwd)
# Another library's hooks, which do nothing.
cat >hooks.c <<'EOF'
void __cyg_profile_func_enter(void *f, void *s) { }
void __cyg_profile_func_exit(void *f, void *s) { }
__asm__(".globl __fentry__, __return__\n.type __fentry__, @function\n.type __return__, @function\n__fentry__:\n__return__: ret");
EOF
gcc -w -O2 -shared -fPIC hooks.c -o libhooks.so || exit 1

paced() { # NAME COMPILER FORMS FLAGS...: FORMS are bytes of calls that the program must have
	name=$1 compiler=$2 forms=$3; shift 3
	link=; case "$*" in *no-pie*) link=-no-pie ;; esac
	case "$*" in *fcf-protection=full*) link="$link -Wl,-z,ibtplt" ;; esac
	"$compiler" -w -O2 "$@" -falign-functions=1 -I"$root" -S "$root/tests/sites/paced.c" -o paced.s &&
		prefixed paced.s && "$compiler" -w -c paced.s -o paced.o &&
		gcc $link paced.o "$objects/base/sys.o" "$objects/sites/patch.o" "$objects/sites/scan.o" "$objects/code/cfi.o" -o paced \
			-L. -Wl,--no-as-needed,-rpath,. -lhooks -lpthread || exit 1
	for form in $forms; do
		objdump -d -j .text paced | grep -qE "^ +[0-9a-f]+:.$form.*(call|jmp) .*<(__cyg_profile_func_(enter|exit)|__fentry__|__return__)@"
		tap $? "$name: it has sites that begin with $form"
	done
	sites=$(objdump -d -j .text paced | grep -cE "(call|jmp) .*<(__cyg_profile_func_(enter|exit)|__fentry__|__return__)@")
	is "$name: $switches switches of $sites sites with four threads running through" "0 $sites sites, right" \
		"$(timeout 1000 ./paced "$switches" >got; echo "$? $(head -1 got)")"
	sed -n 2p got | (read -r lines pages && [ "$lines" -ge 10 ] && [ "$pages" -ge 2 ])
	tap $? "$name: some of them across two cache lines, and across two pages"
	echo "# $(sed -n 2p got)"
}
# gcc 14 calls __fentry__ by way of a stub even so.
echo 'void f(void) { }' >plt.c
# shellcheck disable=SC2086
gcc -w -O2 $fentry -fPIE -fno-plt -S plt.c && grep -q '\*__fentry__' plt.s && no_plt=ff.15 || no_plt=e8
# shellcheck disable=SC2086
{
	paced "fentry" gcc "e8" $fentry
	paced "fentry, no PIE" gcc "e8" $fentry -fno-pie
	paced "fentry -fno-plt" gcc $no_plt $fentry -fPIE -fno-plt
	paced "hooks" gcc "e8 e9" $hooks
	paced "hooks -fno-plt" gcc "ff.15 ff.25" $hooks -fPIE -fno-plt
	paced "hooks, CET" gcc "e8 e9" $hooks -fcf-protection=full
	paced "clang" clang "e8 e9" $hooks
	prefix=0x67
	paced "fentry, with a prefix" gcc "67.e8" $fentry
	paced "hooks, with a prefix" gcc "67.e8 e9" $hooks
}
finish

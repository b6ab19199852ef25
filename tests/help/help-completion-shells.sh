#!/bin/sh
# SPDX-License-Identifier: MIT
# What zsh and fish complete: commands, options, their values, functions of the newest profile, groups, processes and files, as bash does.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
"$zprof" manual zsh >_zprof && "$zprof" manual fish >zprof.fish || exit 1
printf '[group scanner]\nfunc = scan*\n[group parser]\nfunc = parse*\n' >zprof.groups
cat >names.cc <<'END'
namespace shop { struct Cart { void add(int) {} void drop() {} }; static int addUp(int n) { return n; } }
int main() { shop::Cart c; c.add(1); c.drop(); return shop::addUp(0); }
END
g++ -g -finstrument-functions names.cc -o names && "$zprof" record --quiet ./names || exit 1

# A zsh of its own on a terminal of its own, where the completion key is pressed behind a line: what compadd gets is what is offered.
cat >inner.zsh <<'END'
PS1= PS2= path=($ZPROF_BUILD $path) fpath=($PWD $fpath)
stty -echo
autoload -U compinit
compinit -u -D
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
compadd() {
	local hit
	local -a hits
	if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
		builtin compadd -A hits "$@"
		print
		for hit in $hits; do print -r -- "OFFER $IPREFIX$hit"; done
	fi
	builtin compadd "$@"
}
ends() { print "THE"" END"; exit; }
comppostfuncs=(ends)
print "REA""DY"
END
cat >outer.zsh <<'END'
zmodload zsh/zpty || exit 1
zpty shell zsh -f -i
zpty -w shell "source $PWD/inner.zsh"
zpty -r shell got '*READY*' || exit 1
zpty -w -n shell "$1"$'\t'
zpty -r shell got '*THE END*' || exit 1
print -r -- "$got" | sed -n 's/\r//g; s/^OFFER //p'
END
of_zsh() { timeout 100 zsh -f outer.zsh "$1"; }
# shellcheck disable=SC2016
of_fish() { PATH=$ZPROF_BUILD:$PATH timeout 100 fish --no-config -c 'source zprof.fish; complete -C $argv[1]' "$1" | cut -f1; }
# The words that are offered for a line, without the option before `=`, and the folder of a file.
offered() { # SHELL LINE
	"of_$1" "$2" | sed 's/^--*[a-z_]*=//; s:^\./::' | sort -u | tr '\n' ' ' | sed 's/ $//'
}

while IFS='|' read -r line replies; do
	for shell in zsh fish; do
		is "$shell: '$line'" "$replies" "$(offered $shell "$line")"
	done
done <<'END'
zprof rep|report
zprof help gro|groups groups-file
zprof record --clock |count exact
zprof record --clock=e|exact
zprof record --clock exact --hist|--history --history_bytes
zprof record --clock exact ./nam|names names.cc
zprof record ./names --na|
zprof record --only mai|main
zprof report --sort s|self
zprof report --sort zzz|
zprof report --sort=|calls error name self total waited
zprof report --time=w|wait wall
zprof report --format c|calls
zprof report --format=self,to|self,total self,total/call
zprof report --since res|reset
zprof report --func m|main
zprof report -F shop::Cart::|shop::Cart::add shop::Cart::drop
zprof report --not=shop::|shop::Cart::add shop::Cart::drop shop::addUp
zprof report names|names names.cc
zprof graph --group sc|scanner
zprof groups --group|--groups
zprof export --format=|arcs callgrind cpuprofile csv dot firefox folded functions gmon ordering pprof speedscope
zprof top --view t|threads total
END

# ---- processes
nap=nap$$x # no program of another test has a name that begins so
cat >sleeper.c <<'END'
#include <unistd.h>
int main(void) { for (;;) pause(); }
END
gcc -g -finstrument-functions sleeper.c -o ${nap}8 || exit 1
ZPROF_OPTIONS=output=sleeper.out LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./${nap}8 &
pid=$!
# (A program of another test may have a number that begins with this one.)
own() { tr ' ' '\n' | grep -x "$pid"; }
until grep -qs libzprof "/proc/$pid/maps" && [ -e sleeper.out ]; do sleep 0.1; done
for shell in zsh fish; do
	for command in attach detach unwatch "attach --stopped"; do
		is "$shell: 'zprof $command PART-OF-NAME'" ${nap}8 "$(offered $shell "zprof $command $nap")"
	done
	is "$shell: 'zprof attach $pid'" $pid "$(offered $shell "zprof attach $pid" | own)"
	for command in top snapshot "tune --live"; do
		is "$shell: 'zprof $command PROGRAM': the process and files" ${nap}8 "$(offered $shell "zprof $command ${nap}8")"
		is "$shell: 'zprof $command names': files" "names names.cc" "$(offered $shell "zprof $command names")"
	done
	is "$shell: 'zprof watch $pid m': functions" main "$(offered $shell "zprof watch $pid m")"
done
kill $pid
wait $pid 2>/dev/null
for shell in zsh fish; do
	is "$shell: no process that has ended" "" "$(offered $shell "zprof attach $pid" | own)"
done
finish

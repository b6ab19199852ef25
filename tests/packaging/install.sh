#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh - make install, its files, other people's programs built with pkg-config, CMake and Meson, and make
# uninstall.
. "${0%/*}/../lib/tap.sh"
root=$(cd "${0%/*}/../.." && pwd)
here=$PWD

build=${ZPROF_BUILD#"$root"/}
prefix=$here/with\ space/usr
installer() { # WHAT
	DESTDIR=$destdir PREFIX=$1 LIBDIR=$1/lib VERSION=1.2 "$root/report/packaging/install.sh" "$2" "$build"
}
cd "$root" || exit 2

# packages, as dpkg knows them where there is a second architecture
mkdir -p "$here/debian"
printf '#!/bin/sh\necho amd64\n' >"$here/debian/dpkg"
cat >"$here/debian/dpkg-query" <<'END'
#!/bin/sh
# -W -f FORMAT PACKAGE: as `dpkg-query` prints it, with \n in FORMAT.
row() { printf "$(printf '%s' "$format" | sed "s/\${db:Status-Status}/$1/; s/\${Architecture}/$2/")"; }
format=$3
case $4 in
gcc) row installed amd64; row installed i386 ;;
g++) row installed all ;;
libelf-dev) row installed i386 ;;
libdw-dev) row config-files amd64; row installed i386 ;;
libedit-dev) exit 1 ;;
*) row installed amd64 ;;
esac
END
chmod +x "$here/debian/dpkg" "$here/debian/dpkg-query"
PATH=$here/debian:$PATH tests/install.sh --only-name build 2>"$here/named"
grep -q 'are missing: libelf-dev libdw-dev libedit-dev;' "$here/named"
tap $? "a package that is there for two architectures is not missing; one for a foreign architecture alone is"
sed 's/^/# /' "$here/named"

# exactly what is listed; nothing is left
destdir=$here/staged
installer /usr install && (cd "$destdir" && find . -type f | sed 's/^\.//' | sort) >"$here/there"
installer /usr list | sort | diff - "$here/there" >"$here/difference"
tap $? "the listed files are installed, and no others"
sed 's/^/# /' "$here/difference"
installer /usr uninstall
[ -z "$(find "$destdir" -type f)" ] && [ ! -e "$destdir/usr/share/zprof" ] && [ ! -e "$destdir/usr/share/cmake/zprof" ]
tap $? "and uninstalled"

destdir=
prefix=$here/usr
installer "$prefix" install
cd "$here" || exit 2
PATH=$prefix/bin:$PATH
export PATH
export PKG_CONFIG_PATH="$prefix/share/pkgconfig" CMAKE_PREFIX_PATH="$prefix"
unset ZPROF_LIB
! readelf -d "$prefix/bin/zprof" "$prefix/lib/libzprof.so" | grep -Eq 'R(UN)?PATH'
tap $? "no path to libraries is built in"

mkdir -p project && cat >project/prog.c <<'END'
#include <zprof.h>
static void part(void) { ZPROF(by_hand); }
int main(void) { part(); part(); return 0; }
END
recorded() { # PROGRAM WHAT
	rm -f p.zp
	zprof record --quiet -o p.zp "$1" && zprof report p.zp >out && grep -q ' 2 .*by_hand' out && grep -q ' 2 .* part' out
	tap $? "$2"
}
# shellcheck disable=SC2046
cc $(pkg-config --cflags --libs zprof) project/prog.c -o by-pkg-config
recorded ./by-pkg-config "a program built with pkg-config --cflags --libs zprof is profiled"
# shellcheck disable=SC2046
cc project/prog.c $(pkg-config --libs --cflags zprof) -o by-pkg-config
recorded ./by-pkg-config "in the other order, too"

cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(prog C CXX)
find_package(zprof 1.0 REQUIRED)
add_executable(prog prog.c)
target_link_libraries(prog zprof::hooks zprof::zones)
add_executable(zones prog.c)
target_link_libraries(zones PRIVATE zprof::zones)

# each kind of hooks, in a library that is linked statically, too
add_library(archived STATIC archived.cc)
foreach(kind hooks hooks-source)
	add_library(archived-${kind} STATIC archived.cc)
	target_link_libraries(archived-${kind} PRIVATE zprof::${kind})
	add_executable(${kind} optimized.cc)
	target_compile_options(${kind} PRIVATE -O2)
	target_link_libraries(${kind} PRIVATE archived-${kind} zprof::${kind})
endforeach()
add_executable(part optimized.cc)
target_link_libraries(part PRIVATE archived-hooks)
add_executable(lto optimized.cc)
set_target_properties(lto PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
target_compile_options(lto PRIVATE -O2)
target_link_libraries(lto PRIVATE archived zprof::hooks)
END
cat >project/optimized.cc <<'END'
int archived(int);
static inline int inlined(int x) { return x + 1; }
int main() { return archived(inlined(1)) + archived(inlined(2)) != 7; }
END
echo 'int archived(int x) { return x + 1; }' >project/archived.cc
(cmake -S project -B by-cmake && cmake --build by-cmake) >log 2>&1 || cat log
recorded by-cmake/prog "one built with CMake"
rm -f p.zp
zprof record --quiet -o p.zp by-cmake/zones && zprof report p.zp >out && grep -q by_hand out && ! grep -q ' part' out
tap $? "the target for zones has only zones"

# counts NAME...: of the last program, the functions of these that have calls
counts() {
	for function; do grep -q " [12] .* $function" out && printf '%s ' "$function"; done
}
for compiler in gcc clang; do
	case $compiler in gcc) cxx=g++ ;; clang) cxx=clang++ ;; esac
	(cmake -S project -B "by-$compiler" -DCMAKE_C_COMPILER=$compiler -DCMAKE_CXX_COMPILER=$cxx -DCMAKE_BUILD_TYPE=None &&
		cmake --build "by-$compiler") >log 2>&1 || cat log
	for row in 'hooks main archived ' 'hooks-source main archived inlined ' 'part archived '; do
		program=${row%% *}
		rm -f p.zp out
		zprof record --quiet -o p.zp "by-$compiler/$program" && zprof report --all p.zp >out
		is "$compiler, $program: the functions that have hooks" "${row#* }" "$(counts main archived inlined)"
	done
done
rm -f p.zp out
zprof record --quiet -o p.zp by-gcc/lto && zprof report --all p.zp >out
is "gcc, link-time optimization: there are hooks all the same" 'main inlined ' "$(counts main archived inlined)"
by-gcc/hooks && [ ! -e gmon.out ]
tap $? "a program with hooks runs by itself, and leaves no gmon.out"
readelf -d by-gcc/hooks | grep -q libzprof && ! readelf -d by-gcc/hooks-source | grep -q libzprof
tap $? "the library is linked where the hooks are in it, and not otherwise"

cat >project/meson.build <<'END'
project('prog', 'c')
executable('prog', 'prog.c', dependencies: dependency('zprof'))
END
(meson setup by-meson project && meson compile -C by-meson) >log 2>&1 || cat log
recorded by-meson/prog "one built with Meson"

# manual pages: no errors, every command, every option of --help and of the library
for page in "$prefix"/share/man/man*/*; do
	mandoc -Tlint -W warning "$page"
	groff -K utf8 -man -ww -Tutf8 "$page" 2>&1 >/dev/null
done >faults
[ ! -s faults ]
tap $? "the manual pages have no errors"
sed 's/^/# /' faults
for command in $(zprof help | sed -n 's/^    \([a-z]*\)  .*/\1/p'); do
	page=$prefix/share/man/man1/zprof-$command.1
	[ -s "$page" ] || echo "no page of $command"
	mandoc -Tutf8 -Owidth=1000 "$page" | col -b >page
	zprof help "$command" | sed -n 's/^    \(-[a-zA-Z] *[A-Z]*, \)\{0,1\}\(--[a-z-]*\).*/\2/p' | while read -r option; do
		grep -q -e "$option" page || echo "$command $option"
	done
	echo "$command" >>commands
done >missing
[ ! -s missing ] && [ "$(wc -l <commands)" -ge 15 ]
tap $? "every command has a page with all its options"
sed 's/^/# /' missing
mandoc -Tutf8 "$prefix/share/man/man1/zprof-annotate.1" | col -bx | grep -B1 '^ *calls  *how often' | head -1 | grep -qx ' *'
tap $? "a page keeps the empty line between a table and its legend"
mandoc -Tutf8 "$prefix/share/man/man7/libzprof.7" | col -b >page
for option in $(sed -n 's/^OPTION(\([a-z_]*\),.*/\1/p' "$root/preload/options.def"); do grep -q "^ *$option=" page || echo "$option"; done >missing
[ ! -s missing ]
tap $? "libzprof(7) has every option of the library"
for name in $(sed -n 's/^[a-z].*[ *]\(zprof_[a-z_]*\)(.*/\1/p' "$root/preload/zprof.h"); do
	mandoc -Tutf8 "$prefix/share/man/man3/zprof.h.3" | col -b | grep -q "$name" || echo "$name"
done >missing
[ ! -s missing ]
tap $? "zprof.h(3) has every function"

# completion
bash -n "$prefix/share/bash-completion/completions/zprof"
tap $? "bash's completion"
cat >zprof.groups <<'END'
[group scanner]
func = scan*
END
complete() { # WORD...
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _zprof; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$prefix/share/bash-completion/completions/zprof" "$@"
}
[ "$(complete zprof rep)" = report ] && [ "$(complete zprof graph --gr | sort | tr '\n' ' ')" = '--group --groups ' ] &&
	[ "$(complete zprof graph --group sc)" = scanner ] && [ "$(complete zprof report p.z)" = p.zp ] &&
	[ "$(complete zprof record ./by-pkg)" = ./by-pkg-config ] && [ "$(complete zprof help pat)" = patterns ]
tap $? "completes commands, options, groups and files"
zsh -n "$prefix/share/zsh/site-functions/_zprof"
tap $? "zsh's completion"
# Presses tab; prints what is then on the line, or below it.
tmux -L "zprof$$" -f /dev/null new-session -d -x 100 -y 40 "zsh -f"
typed() { tmux -L "zprof$$" send-keys "$@"; }
typed "fpath=($prefix/share/zsh/site-functions \$fpath); autoload -U compinit; compinit -u -D; PS1='%% '; cd $here; clear; echo ready" Enter
pressed() { # WHAT IS-SHOWN
	until tmux -L "zprof$$" capture-pane -p >screen; grep -q "^ready" screen; do sleep 0.1; done
	typed -l "$1" && typed Tab
	for _ in $(seq 3000); do
		tmux -L "zprof$$" capture-pane -p >screen
		grep -q -e "$2" screen && break
		sleep 0.1
	done
	typed C-c && typed 'clear; echo ready' Enter
	grep -q -e "$2" screen || { sed 's/^/# /' screen | grep '[a-z]'; return 1; }
}
pressed 'zprof gra' '^% zprof graph' && pressed 'zprof graph --full' '^% zprof graph --full-names' && pressed 'zprof graph --group=sc' 'zprof graph --group=scanner' &&
	pressed 'zprof report p.z' '^% zprof report p.zp' && pressed 'zprof re' 'the flat profile'
tap $? "completes commands, options, groups and files, and says what commands do"
tmux -L "zprof$$" kill-server
# shellcheck disable=SC2016
fish --no-config -c 'source $argv[1]; complete -C "zprof gra"; complete -C "zprof graph --wai"' "$prefix/share/fish/vendor_completions.d/zprof.fish" >fished
grep -q '^graph' fished && grep -q -e '--waits' fished
tap $? "fish's completion"

cd "$root" && installer "$prefix" uninstall && [ -z "$(find "$prefix" -type f)" ]
tap $? "nothing is left of it"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh - puts what make built in place, or removes exactly that.
#
#   report/packaging/install.sh install|uninstall|list BUILD
#
# make sets DESTDIR, PREFIX, LIBDIR and VERSION.
set -eu
cd "$(dirname "$0")/../.."
what=$1 build=$2
share=$PREFIX/share

# MODE SOURCE DESTINATION, one per line.
files() {
	echo 755 "$build/zprof" "$PREFIX/bin/zprof"
	echo 755 "$build/vm-6502" "$PREFIX/bin/vm-6502"
	echo 755 "$build/libzprof.so" "$LIBDIR/libzprof.so"
	for adapter in "$build"/libzprof-*.so; do
		[ ! -e "$adapter" ] || echo 755 "$adapter" "$LIBDIR/${adapter##*/}"
	done
	echo 644 "$build/libzprof-report.a" "$LIBDIR/libzprof-report.a"
	echo 644 preload/iprof_gl.c "$share/zprof/iprof_gl.c"
	for header in zprof.h iprof.h; do
		echo 644 "preload/$header" "$PREFIX/include/$header"
	done
	for file in forth.img forth.help; do
		echo 644 "$build/$file" "$share/zprof/$file"
	done
	for file in "$build"/presets/*; do
		echo 644 "$file" "$share/zprof/presets/${file##*/}"
	done
	for file in "$build"/forth-library/*; do
		echo 644 "$file" "$share/zprof/forth-library/${file##*/}"
	done
	for page in "$build"/man/*.[0-9]; do
		echo 644 "$page" "$share/man/man${page##*.}/${page##*/}"
	done
	echo 644 "$build/completion/bash" "$share/bash-completion/completions/zprof"
	echo 644 "$build/completion/zsh" "$share/zsh/site-functions/_zprof"
	echo 644 "$build/completion/fish" "$share/fish/vendor_completions.d/zprof.fish"
	for name in zprof zprof-zones zprof-report; do
		echo 644 "report/packaging/$name.pc.in" "$share/pkgconfig/$name.pc"
	done
	for name in zprofConfig zprofConfigVersion; do
		echo 644 "report/packaging/$name.cmake.in" "$share/cmake/zprof/$name.cmake"
	done
}

# Folders that serve no other purpose.
own_folders() {
	echo "$share/zprof/presets" "$share/zprof/forth-library" "$share/zprof" "$share/cmake/zprof"
}

case $what in
list) files | while read -r _ _ to; do echo "$to"; done ;;
install)
	files | while read -r mode from to; do
		mkdir -p "$DESTDIR${to%/*}"
		case $from in
		*.in)
			sed "s|@PREFIX@|$PREFIX|g; s|@LIBDIR@|$LIBDIR|g; s|@VERSION@|$VERSION|g" "$from" >"$DESTDIR$to"
			chmod "$mode" "$DESTDIR$to"
			;;
		*) install -m "$mode" "$from" "$DESTDIR$to" ;;
		esac
	done
	;;
uninstall)
	files | while read -r _ _ to; do rm -f "$DESTDIR$to"; done
	for folder in $(own_folders); do
		[ ! -d "$DESTDIR$folder" ] || rmdir --ignore-fail-on-non-empty "$DESTDIR$folder"
	done
	;;
*) echo "usage: report/packaging/install.sh install|uninstall|list BUILD" >&2; exit 2 ;;
esac

#!/bin/sh
# SPDX-License-Identifier: MIT
# languages.sh - `zprof record --sampled` of programs in Go and Rust, which use processor time in a function whose callers are known. No
# time is compared.
zprof=$ZPROF_BUILD/zprof
. "${0%/*}/../lib/tap.sh"

# leads FUNCTION CALLER PROFILE - whether CALLER is above FUNCTION in a context
leads() { "$zprof" export --format=folded "$3" 2>/dev/null | grep -q "$2.*;[^;]*$1"; }

if command -v go >/dev/null 2>&1; then
	cat >busy.go <<-'END'
		package main

		var sink uint64

		//go:noinline
		func turn() {
			for i := 0; i < 100000; i++ {
				sink += uint64(i) ^ sink
			}
		}

		//go:noinline
		func goes() {
			for i := 0; i < 3000; i++ {
				turn()
			}
		}

		func main() { goes() }
	END
	GOCACHE=$PWD/cache GOFLAGS=-mod=mod go build -o gone busy.go || exit 1
	"$zprof" record ./gone 2>said
	holds "a program in Go is told of --sampled" grep -q "zprof record --sampled" said
	"$zprof" record --quiet --sampled -o gone.zp ./gone 2>said
	holds "functions of a program in Go have their callers" leads main.turn 'main.main;main.goes' gone.zp
else
	skip "a program in Go" "there is no go (golang-go)"
fi

if command -v rustc >/dev/null 2>&1; then
	cat >busy.rs <<-'END'
		use std::hint::black_box;
		#[inline(never)]
		fn turn() { for i in 0..100000u64 { black_box(i); } }
		#[inline(never)]
		fn rusts() {
		    for _ in 0..6000 { turn(); }
		}
		fn main() { rusts() }
	END
	rustc -O -o rusty busy.rs || exit 1
	"$zprof" record ./rusty 2>said
	holds "a program in Rust is told of --sampled" grep -q "zprof record --sampled" said
	"$zprof" record --quiet --sampled -o rusty.zp ./rusty 2>said
	holds "functions of a program in Rust have their callers" leads turn 'main.*rusts' rusty.zp
else
	skip "a program in Rust" "there is no rustc"
fi

finish

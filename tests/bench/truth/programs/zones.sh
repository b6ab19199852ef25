# SPDX-License-Identifier: MIT
# A program of known truth: 100 functions of all lengths, called at random or in turn.
package=
workloads='zones order'
known=yes

build() {
	compile_c "-std=gnu11 -I." "$1" tests/bench/truth/programs/zones.c
}

run() {
	$traced "$2" "$1" known
}

# SPDX-License-Identifier: MIT
# A program of known truth: a busy function beside a tiny one, and a rare one beside one that is called often.
package=
workloads='split rare'
known=yes

build() {
	compile_c "-std=gnu11 -I." "$1" tests/bench/truth/programs/split.c
}

run() {
	$traced "$2" "$1" known
}

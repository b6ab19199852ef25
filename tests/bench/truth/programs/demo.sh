# SPDX-License-Identifier: MIT
# The demo: physics and AI, which share a ray-caster.
package=
workloads=turns

build() {
	compile_c "" "$1" tests/demo/sim.c -lm
}

run() {
	$traced "$2" 500
}

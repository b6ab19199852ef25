#!/bin/sh
# SPDX-License-Identifier: MIT
# Random programs for the Forth (tests/vm-6502/forth_fuzz.c), in a folder of their own. PROGRAMS and SEED for more.
mkdir box
"$ZPROF_BUILD/tests/vm-6502/forth_fuzz" "$ZPROF_BUILD/forth.img" "${PROGRAMS:-300}" "${SEED:-2012}" 2>said && exit
tail -c 3000 said >&2
echo 'The program was:' >&2
cat box/program.fth >&2
exit 1

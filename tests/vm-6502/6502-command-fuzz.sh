#!/bin/sh
# SPDX-License-Identifier: MIT
# Whole runs of vm-6502 with random command lines and files (tests/vm-6502/command_fuzz.c): 300 of them, or as many as
# the argument says.
"$ZPROF_BUILD/tests/vm-6502/command_fuzz" "$ZPROF_BUILD/tests/vm-6502/vm-6502" "$ZPROF_BUILD/forth.img" "${1:-300}" "${SEED:-6502}" && exit
tail -c 3000 said >&2
exit 1

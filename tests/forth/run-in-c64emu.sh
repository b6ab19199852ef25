#!/bin/sh
# SPDX-License-Identifier: MIT
# Replaces emulator/run-in-c64emu.sh in a copy of cc64's sources, so that its `make -C tests/e2e` runs without another emulator.
# Arguments: a program of the folder AUTOSTARTDIR (else of CBMFILES, else of c64files), and keys for it. It ends when `notdone`
# has gone from the folder, or when no keys are left. A program that isn't a Forth ends by itself; the keys are then a command for
# BASIC, which removes `notdone`.
set -e
base=$(cd "$(dirname "$0")/.." && pwd)
disk=${CBMFILES:-$base/c64files}
for program in "$disk/$1" "$base/c64files/$1"; do
	[ -f "$program" ] && break
done
printf 'x' >"$disk/notdone"
"${VM_6502:-vm-6502}" --machine=c64 --dir "$disk" --type "$2\n" "$program" >&2
case "$2" in *'s0:notdone"'*) rm -f "$disk/notdone" ;; esac
[ ! -f "$disk/notdone" ] # OUTFILES are in the folder, as they are

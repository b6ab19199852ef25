# SPDX-License-Identifier: MIT
# Sourced by the tests of hooks that are switched while a program runs: programs linked to the library, with either kind of
# hooks.
. "$(dirname "$0")/golden.sh"
zprof=$ZPROF_BUILD/zprof
root=$(cd "$(dirname "$0")/../.." && pwd)
export LD_LIBRARY_PATH=$ZPROF_BUILD
unset ZPROF_RUN ZPROF_OPTIONS
fentry="-pg -mfentry -minstrument-return=call"
hooks=-finstrument-functions

is() { # WHAT EXPECTED GOT
	if [ "$2" = "$3" ]; then golden_result 0 "$1"; else golden_result 1 "$1"; echo "# expected '$2', got '$3'" | tr '\n' ' '; echo; fi
}

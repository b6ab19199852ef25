# SPDX-License-Identifier: MIT
# Sourced by the tests of hooks that are switched while a program runs: programs linked to the library, with either kind of
# hooks.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
root=$(cd "$(dirname "$0")/../.." && pwd)
export LD_LIBRARY_PATH=$ZPROF_BUILD
unset ZPROF_RUN ZPROF_OPTIONS
fentry="-pg -mfentry -minstrument-return=call"
hooks=-finstrument-functions

#!/bin/sh
# SPDX-License-Identifier: MIT
# On a terminal: colour, the width, the pager. In a pipe: none of them.
. "$(dirname "$0")/golden.sh"
zprof=$ZPROF_BUILD/zprof
golden_plan 16
"$ZPROF_BUILD/tests/make_profile" sample.prof <"$golden_folder/report/sample.spec" || exit 1
escape=$(printf '\033')
export TERM=xterm
unset NO_COLOR COLUMNS PAGER LESS

on_terminal() { # COMMAND...: its output, as a terminal gets it
	script -qec "$*" /dev/null </dev/null | tr -d '\r'
}

holds() { # NAME COMMAND...
	name=$1; shift
	"$@"
	golden_result $? "$name"
}

export ZPROF_PAGER=cat
on_terminal "$zprof" graph sample.prof >colored
holds "a terminal gets colour" grep -q "$escape\[1m\[1\]" colored
NO_COLOR=1 on_terminal "$zprof" graph sample.prof >plain
holds "NO_COLOR is respected" sh -c "! grep -q '$escape' plain && grep -q index plain"
NO_COLOR=1 on_terminal "$zprof" graph --color=always sample.prof >forced
holds "--color=always is stronger" grep -q "$escape" forced
TERM=dumb on_terminal "$zprof" graph sample.prof >dumb
holds "a dumb terminal gets none" sh -c "! grep -q '$escape' dumb"
"$zprof" graph sample.prof >pipe 2>errors
holds "a pipe gets none" sh -c "! grep -q '$escape' pipe"
COLUMNS=76 on_terminal "$zprof" graph --color=never sample.prof 2>errors | awk '/^index/,/^$/' >narrow
holds "lines fit a narrow terminal" sh -c "[ -s narrow ] && awk 'length > 76 { exit 1 }' narrow"
COLUMNS=60 "$zprof" graph sample.prof >pipe60 2>errors
holds "a pipe does not depend on COLUMNS" cmp -s pipe pipe60
on_terminal "$zprof" graph --json sample.prof >json
holds "JSON is never coloured" sh -c "! grep -q '$escape' json"

# A pager is started on a terminal that somebody sits at, and given what a terminal gets.
cat >pager <<'END'
#!/bin/sh
echo "the pager was here" >paged
exec cat
END
chmod +x pager
in_session() { script -qec "$*" /dev/null <"$TEST_TMP/keys" >session 2>&1; }
mkfifo keys; sleep 60 >keys & keeper=$!
export ZPROF_PAGER=./pager
rm -f paged; in_session "$zprof" graph sample.prof
holds "a pager is started" test -e paged
holds "and shows the report" grep -q 'main \[1\]' session
rm -f paged; in_session "$zprof" graph --no-pager sample.prof
holds "--no-pager starts none" test ! -e paged
rm -f paged; "$zprof" graph sample.prof >pipe 2>errors
holds "nor does a pipe" test ! -e paged
export ZPROF_PAGER='head -n 1'
in_session "$zprof graph sample.prof; echo status \$?" 
holds "a pager that is left early is no error" grep -q 'status 0' session
kill $keeper

# Work that takes long is said on the terminal, and wiped; here a million contexts are read again and again.
ZPROF_PAGER=cat
"$zprof" record --output big "$ZPROF_BUILD/tests/programs/gcc-O2/contexts" 2>errors >out
mkdir many
for i in 1 2 3 4 5; do cp big many/$i; done
on_terminal "$zprof" report many >session
holds "long work shows its progress" grep -q 'zprof: reading profiles ... [0-9]* of 5' session
holds "and the report follows" grep -q '5 processes' session
"$zprof" report many >out 2>errors
holds "but not in a pipe" test ! -s errors

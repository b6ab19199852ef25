#!/bin/sh
# SPDX-License-Identifier: MIT
# On a terminal: colour, the width, the pager. In a pipe: none of them.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
"$ZPROF_BUILD/tests/make_profile" sample.prof <"$golden_folder/report/sample.spec" || exit 1
escape=$(printf '\033')
export TERM=xterm
unset NO_COLOR COLUMNS PAGER LESS

on_terminal() { # COMMAND...: its output, as a terminal gets it
	script -qec "$*" /dev/null </dev/null | tr -d '\r'
}

export ZPROF_PAGER=cat
on_terminal "$zprof" graph sample.prof >colored
holds "a terminal gets colour" grep -q "$escape\[1m\[1\]" colored
NO_COLOR=1 on_terminal "$zprof" graph sample.prof >plain
holds "NO_COLOR is respected" sh -c "! grep -q '$escape' plain && grep -q index plain"
on_terminal "$zprof" graph --color=auto sample.prof >automatic
holds "--color=auto is what it does anyway" cmp -s colored automatic
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

# A pager is started on a terminal with a keyboard, and gets what the terminal would.
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
holds "leaving the pager early is not an error" grep -q 'status 0' session
kill $keeper

# Progress of long work is shown on the terminal, and wiped; here a million contexts are read again and
# again.
ZPROF_PAGER=cat
"$zprof" record --output big "$ZPROF_BUILD/tests/programs/gcc-O2/contexts" 2>errors >out
mkdir many
# Three processes: the byte is of zprof_header.start_ns.
for i in 1 2 3; do cp big many/$i && printf "\\$i" | dd of=many/$i bs=1 seek=80 conv=notrunc 2>/dev/null; done
on_terminal "$zprof" report --width 200 many >session
holds "long work shows its progress" grep -q 'zprof: reading profiles ... [0-9]* of 3' session
holds "and the report follows" grep -q '3 processes' session
"$zprof" report many >out 2>errors
holds "but not in a pipe" test ! -s errors

# A long list shows what matters, and how much more there is; --all, and options that select rows, show every row.
{ printf 'thread 1 t 1\n  main 1 0\n'; for i in $(seq 200); do echo "    f$i $i $((i > 190 ? 1000 : 1))"; done; } | "$ZPROF_BUILD/tests/make_profile" long.prof
"$zprof" report long.prof >out
holds "a report has the functions that make up 95 %" sh -c '[ "$(grep -c " f[0-9]" out)" = 10 ] && grep -q "^191 more functions; --all shows them" out'
"$zprof" graph long.prof >out
holds "and a call graph their blocks" sh -c '[ "$(grep -c "^\[" out)" = 10 ] && tail -2 out | grep -q "^191 more functions" && ! grep -q "Index by name" out'
"$zprof" graph --all long.prof >out
holds "--all has all, and an index by name" sh -c '[ "$(grep -c "^\[" out)" = 201 ] && sed -n "/^Index by name/,\$p" out | grep -q "\[[0-9]*\]  f200\$" && ! grep -q "more functions" out'
"$zprof" report --min 0 --limit 150 long.prof >out
holds "--limit has as many as it says" sh -c '[ "$(grep -c " f[0-9]" out)" = 150 ] && ! grep -q "more functions" out'
"$zprof" report --json long.prof >out
holds "JSON is never shortened" sh -c '[ "$(grep -c "\"name\": *\"f[0-9]*\"" out)" = 200 ]'

# C++ at 80 columns: each row still identifies its function, errors stay, columns per call are
# dropped first.
{ printf 'clock tsc 1000000000\nhooks 20000 10000 500000 3000\nthread 1 t 1\n  main 1 1000000\n'
for i in 1 2 3; do echo "    std::map<std::string,int>&json::parser<char>::deeply::nested::Reader<char>::read_value$i(json::Value<char>&,std::vector<int>) $i 5000000"; done
echo "    json::Value<std::string,std::map<int,int>>::Value(std::map<std::string,std::vector<int>>const&) 4 7000000"
echo "    json::Value<std::string,std::map<int,int>>::Value(std::vector<std::pair<int,std::string>>) 5 6000000"; } | "$ZPROF_BUILD/tests/make_profile" cxx.prof
tmux -L "zprof$$" -f /dev/null new-session -d -x 80 -y 24 "$zprof report --no-pager --color never cxx.prof; sleep 600"
until tmux -L "zprof$$" capture-pane -p >screen; grep -q main screen; do sleep 0.1; done
tmux -L "zprof$$" kill-server
sed 's/^/# /' screen | grep '[a-z]'
holds "columns per call give way to names, errors do not" sh -c 'grep -q "^% self .*calls  name" screen && ! grep -q "[/]call" screen && [ "$(grep -c "[0-9] ms +-<0.01 " screen)" = 6 ]'
holds "names keep the function" sh -c 'for i in 1 2 3; do grep -q "read_value$i" screen || exit 1; done'
holds "overloads are told apart" sh -c '[ "$(sed -n "/>::Value\|Value~/s/.*[0-9]  //p" screen | sort -u | wc -l)" = 2 ]'
"$zprof" report cxx.prof >out
holds "in a pipe, too" sh -c '[ "$(sed -n "/::Value(/s/.*[0-9]  //p" out | sort -u | wc -l)" = 2 ]'

# --format has the columns that it names, in its order, however narrow the terminal.
heads() { "$zprof" "$@" 2>errors | awk '/(^| )name( |$)/ { print $0; exit }' | tr -s ' ' | sed 's/^ //; s/ $//'; }
is "--format has the columns it names" 'calls self/call name' "$(heads report --format calls,self/call,name cxx.prof)"
is "in their order, and all of them on a narrow terminal" 'name calls total/call' "$(heads report --width 50 --format name,calls,total/call,place cxx.prof)"
"$zprof" report --format name,calls --width 30 cxx.prof | awk '/^name/,/^$/' >out
holds "and cuts names to the width" sh -c '[ "$(grep -c . out)" -gt 5 ] && awk "length > 30 { exit 1 }" out'
"$zprof" report --format total,+-,name cxx.prof | sed -n '/^  *total/,/^$/p' >out
"$zprof" report --json cxx.prof | sed -n 's/.*"name":"main".*"total_error_ns":\([0-9.]*\).*/\1/p' >error
holds "'+-' belongs to the time before it" sh -c 'grep -q "^ *29.0 ms *+-<0.1  main$" out && [ -s error ]'
is "a call graph's callers keep their fractions" 'name called self' "$(heads graph --format name,called,self sample.prof)"
holds "and its index" sh -c "'$zprof' graph --format index,name sample.prof 2>/dev/null | grep -q '^\[1\] *main \[1\] (open)$'"
expect 2 "zprof: --format: there is no column 'colour'; the columns are '%', 'self', '+-', " "$zprof" report --format colour cxx.prof
expect 2 "zprof: --format: the column 'self' is named twice" "$zprof" report --format self,name,self cxx.prof
# Whatever the columns, a line is no wider than the terminal: long fractions, times split, long names.
{ sed 's/clock fake.*/clock tsc 1000000000\nsampler 1/' "$golden_folder/report/sample.spec" | sed 's/parse 2 50/parse 3000000 50/'; } | "$ZPROF_BUILD/tests/make_profile" split.prof
for view in report "report --tree" graph groups; do
	for profile in split.prof cxx.prof; do
		# shellcheck disable=SC2086
		"$zprof" $view --width 80 $(case $profile in split*) echo --waits ;; esac) $profile 2>errors | awk -v what="$view $profile" 'length > 80 { print what ": " $0 }'
	done
done >wide
holds "no line is wider than the terminal" sh -c '[ ! -s wide ] || { sed "s/^/# /" wide; false; }'
finish

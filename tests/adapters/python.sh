#!/bin/sh
# SPDX-License-Identifier: MIT
# python.sh - the adapter of CPython: the calls of Python programs are those that a counter in Python counts, and the programs do not
# notice.
. "${0%/*}/../lib/tap.sh"
programs=$(cd "${0%/*}" && pwd)/python
zprof=$ZPROF_BUILD/zprof
python=${ZPROF_TEST_PYTHON:-/usr/bin/python3} # 3.11 to 3.13
unset PYTHONPATH PYTHONSTARTUP PYTHONMALLOC
export PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1

version=$($python -c 'import sys; print(sys.version_info[1])' 2>/dev/null)
case $version in
11 | 12 | 13) ;;
"") skip "Python programs" "$python is not there"; finish; exit ;;
*) skip "Python programs" "the adapter knows Python 3.11 to 3.13"; finish; exit ;;
esac

record() { # ARGUMENT...: of python -> p.out*, said
	rm -f p.out*
	"$zprof" record -o p.out $python "$@" >said 2>messages </dev/null
}
calls() { # NAME: how often the profile has it
	"$zprof" report --json --full-names --all p.out* 2>/dev/null | tr '\n' ' ' | sed 's/\], "arcs":.*//; s/{"id"/\n{"id"/g' |
		sed -n "s/.*\"name\":\"$1\",.*\"calls\":\([0-9]*\).*/\1/p"
}
depths() { # NAME...: of __main__ -> how far below the program's body each of their contexts is, `1 NAME` in the order of the tree
	"$zprof" report --tree --all --full-names p.out | awk -v names=" <module> $* " '
		(at = index($0, "__main__.")) {
			name = substr($0, at + 9)
			sub(/ .*/, "", name)
			if (!base) base = at
			if (index(names, " " name " ")) printf "%d %s ", (at - base) / 2, name
		}'
}
losses() { "$zprof" report p.out* 2>&1 | grep -E 'missing|missed|no sense|matched no|not recorded|without returning'; }

# ---- each call once
for program in all:'/all.py$|made.py$' library:'/(json|re)/|/(ast|tokenize|library).py$'; do
	name=${program%%:*}
	$python "$programs/count.py" counted "$programs/$name.py" >plain
	record "$programs/$name.py"
	same "$name.py prints the same as without zprof" plain said
	"$zprof" report --json --full-names --all p.out | $python "$programs/compare.py" counted "${program#*:}" >compared
	grep -Eqx '[0-9]+ [0-9]+' compared && [ "$(cut -d' ' -f1 <compared)" -ge 25 ]
	tap $? "the calls of each of its functions are those counted in Python ($(cat compared | head -1))" || sed 's/^/# /' compared
	is "nothing is missing of $name.py" "" "$(losses)"
done
cat >interrupted.py <<'END'
import ctypes, signal
def handler(number, frame): raise KeyError(number)
def never(n): pass
def inner(): list(map(never, map(ctypes.CDLL(None)["raise"], [signal.SIGUSR1])))
def after(): pass
def outer():
    try: inner()
    except KeyError: after()
signal.signal(signal.SIGUSR1, handler)
for i in range(3): outer()
END
record interrupted.py
is "after an exception that a signal raises where a function begins, calls are below their callers" \
	"0 <module> 1 outer 2 after " "$(depths outer after)"
sed 's/list(map(never, \(.*\)))$/sorted(\1, key=never)/' interrupted.py >sorted.py
rm -f p.out*
"$zprof" record --builtins -o p.out $python sorted.py >said 2>messages
is "also below functions in C" "0 <module> 1 outer 2 after " "$(depths outer after)"

# ---- with the interpreter's own functions as zones (record --any), on one zone stack with Python's
cat >negative.py <<'END'
class Number:
	def __neg__(self): return half(4)
def half(n): return n // 2
def negative(n): return -n
for i in range(50): negative(i)
for i in range(30): negative(Number())
END
# Without the addresses of samples: the slower the machine, the more of them there are, and some may find no room.
displaced() { # ARGUMENT...: of python -> p.out, said
	rm -f p.out*
	"$zprof" record --any --check=1 --inside=0 --quiet -o p.out $python "$@" >said 2>messages </dev/null
	"$zprof" info p.out* 2>/dev/null | sed -n '/^What went wrong/,$p' >wrong
	compared=$(awk '/compared with the real one/ { gsub(/,/, ""); print $1 }' wrong)
}
wrong_ones() { grep -vE '^What went wrong|compared with the real one|^$' wrong; }
$python "$programs/count.py" counted "$programs/all.py" >plain
$python "$programs/all.py" >plain.without
displaced "$programs/all.py"
same "all.py prints the same where the interpreter's functions are recorded, too" plain said
"$zprof" report --json --full-names --all p.out 2>/dev/null | $python "$programs/compare.py" counted '/all.py$|made.py$' >compared
grep -Eqx '[0-9]+ [0-9]+' compared && [ "$(cut -d' ' -f1 <compared)" -ge 25 ]
tap $? "calls of its functions are those counted in Python then" || sed 's/^/# /' compared
is "nothing is missing or wrong then" "" "$(wrong_ones)"
# The adapter asks which thread it is at each event. (Python itself asks a few times.)
asked=$("$zprof" report --json --full-names --all p.out 2>/dev/null | tr '{' '\n' |
	sed -nE 's/.*"name": *"(PyInterpreterState_ThreadHead|PyThreadState_GetID|PyFrame_GetCode)".*"calls": *([0-9]+).*/\2/p' | awk '{ n += $1 } END { print n + 0 }')
[ "$asked" -lt 100 ]
tap $? "what the adapter asks the interpreter is no call of the program's: $asked"
[ "${compared:-0}" -gt 100000 ]
tap $? "so many callers were compared: ${compared:-none}"
rm -f p.out*
"$zprof" record --any --adapters=0 --quiet -o p.out $python "$programs/all.py" >said 2>messages </dev/null
same "with --adapters=0, all.py prints the same" plain.without said
"$zprof" report --json --full-names --all p.out >json 2>/dev/null
is "and only the interpreter's functions are recorded" "0 yes" "$(grep -c '__main__\.' json) $(grep -q '"_PyEval_EvalFrameDefault"' json && echo yes)"
displaced negative.py
arc() { # CALLER CALLEE
	"$zprof" graph --json --full-names --all p.out 2>/dev/null | $python -c '
import json, sys
graph, (caller, callee) = json.load(sys.stdin), sys.argv[1:]
name = {f["id"]: f["name"] for f in graph["functions"]}
print(sum(a["calls"] for a in graph["arcs"] if (name.get(a["caller"]), name.get(a["callee"])) == (caller, callee)))' "$1" "$2"
}
is "Python functions call functions in C, and are called below them" "80 30 0" \
	"$(arc __main__.negative PyNumber_Negative) $(arc __main__.Number.__neg__ __main__.half) $(arc __main__.negative __main__.Number.__neg__)"
is "nothing of that is wrong" "" "$(wrong_ones)"

# ---- every way to start a program
cat >module.py <<'END'
import sys
def f(): pass
for i in range(int(sys.argv[1])): f()
END
record module.py 3
is "a script" 3 "$(calls __main__.f)"
record -m module 4
is "python -m" 4 "$(calls __main__.f)"
record -c 'import module' 5
is "python -c" 5 "$(calls module.f)"
for how in '-I' '-X dev' '-S' '-O'; do
	# shellcheck disable=SC2086
	record $how module.py 6
	is "python $how" "6 zprof: the profile is in 'p.out'" "$(calls __main__.f) $(cat messages)"
done
rm -f p.out*
"$zprof" record -o p.out $python - 7 <module.py 2>messages
is "a program on standard input" 7 "$(calls __main__.f)"
rm -f p.out*
PYTHONMALLOC=debug "$zprof" record -o p.out $python module.py 8 2>messages
is "PYTHONMALLOC=debug" "8 zprof: the profile is in 'p.out'" "$(calls __main__.f) $(cat messages)"
cat >test_it.py <<'END'
import unittest
class It(unittest.TestCase):
    def test_one(self): self.assertEqual(1, 1)
    def test_two(self):
        with self.assertRaises(KeyError): {}[1]
END
record -m unittest -q test_it
is "a run of unittest" "1 1" "$(calls test_it.It.test_one) $(calls test_it.It.test_two)"

cat >test_them.py <<'END'
import pytest
def f(n): return n
@pytest.fixture
def three(): return 3
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_each(n): assert f(n) == n
def test_fixture(three): assert f(three) == 3
END
if $python -c 'import pytest' 2>/dev/null; then
	record -m pytest -q -p no:cacheprovider test_them.py
	is "python -m pytest" "4 1 5 1" \
		"$(calls test_them.test_each) $(calls test_them.test_fixture) $(calls test_them.f) $(calls test_them.three)"
	is "nothing is missing of it" "" "$(losses)"
else
	skip "python -m pytest" "$python has no pytest"
fi
if [ -x /usr/bin/pytest ]; then
	rm -f p.out*
	"$zprof" record -o p.out /usr/bin/pytest -q -p no:cacheprovider test_them.py >said 2>messages
	is "the command pytest" 5 "$(calls test_them.f)"
else
	skip "the command pytest" "it is not there"
fi

# ---- processes
cat >processes.py <<'END'
import multiprocessing, sys
def f(n): return n
if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    with multiprocessing.Pool(2) as pool:
        print(sum(pool.map(f, range(50))))
        pool.close()
        pool.join()
END
for how in fork spawn; do
	record processes.py $how
	is "multiprocessing by $how" "1225 50" "$(cat said) $(calls "__.*main__.f" | awk '{ n += $1 } END { print n }')"
done

# ---- pauses
cat >pauses.py <<'END'
import ctypes, sys, threading
zprof = ctypes.CDLL(None)
def f(): pass
def thread():
    for i in range(5): f()
def part(times):
    for i in range(times): f()
def main():
    part(100)
    zprof.zprof_resume()
    part(30)
    t = threading.Thread(target=thread)
    t.start()
    t.join()
    zprof.zprof_pause()
    part(100)
    zprof.zprof_resume()
    part(7)
main()
END
for hooks in '' ./hooked.so; do
	[ -z "$hooks" ] || echo 'void hooked(void) { }' | gcc -g -shared -fPIC -finstrument-functions -x c - -o hooked.so
	rm -f p.out*
	LD_PRELOAD=$hooks "$zprof" record --start=off -o p.out $python pauses.py 2>messages
	is "start=off and pauses ${hooks:+(with hooks) }" "42 2 0" "$(calls __main__.f) $(calls __main__.part) $(calls __main__.main)"
	is "nothing is missing of it" "" "$(losses)"
done
cat >attached.py <<'END'
import os, sys, time
def f(): pass
def turn():
    for i in range(10): f()
def main():
    open("ready", "w").close()
    while not os.path.exists("done"):
        turn()
        time.sleep(0.001)
main()
END
rm -f p.out* ready done
"$zprof" record --start=off -o p.out $python attached.py 2>messages &
recorder=$!
until [ -e ready ]; do sleep 0.05; done
program=$(cat "/proc/$recorder/task/$recorder/children")
"$zprof" attach ${program:-$recorder} >attached 2>&1
tap $? "zprof attach" || sed 's/^/# /' attached
turns=0
while [ "${turns:-0}" -lt 3 ]; do
	sleep 0.05
	turns=$(calls __main__.turn)
done
"$zprof" detach ${program:-$recorder} >attached 2>&1
tap $? "zprof detach" || sed 's/^/# /' attached
: >done
wait $recorder
f=$(calls __main__.f) turns=$(calls __main__.turn)
# The first turn may have begun before the recording, and the last may end after it.
[ "${turns:-0}" -ge 3 ] && [ "${f:-0}" -ge $((10 * turns - 10)) ] && [ "${f:-0}" -le $((10 * turns + 10)) ]
tap $? "has the calls of Python functions ($f in $turns)"
"$zprof" report --tree --all p.out | sed -nE 's/.* __main__\.(main|turn|f)( .*)*$/\1/p' | tr '\n' ' ' >tree
grep -q 'main turn f' tree
tap $? "below the functions that were open" || sed 's/^/# /' tree
is "nothing is missing of it" "" "$(losses)"

# ---- C functions with hooks
gcc -g -O1 -shared -fPIC -finstrument-functions "$programs/native.c" -o native.so
record "$programs/native.py" "$PWD/native.so" 1000
is "C functions below Python functions, and above" "1 1000 2000 1000" \
	"$(calls apply) $(calls __main__.below) $(calls twice) $(calls __main__.square)"
"$zprof" report --tree p.out | sed -n 's/.* \(__main__.main\|apply\|__main__.below\|__main__.square\|twice\)\( .*\)*$/\1/p' | tr '\n' ' ' >tree
grep -q '__main__.main apply __main__.below' tree
tap $? "and in one tree" || sed 's/^/# /' tree
is "nothing is missing of them" "" "$(losses)"

# ---- functions in C, if asked
cat >builtins.py <<'END'
d = {}
def key(n):
    return d.get(n, -n)
for i in range(8):
    len(d)
    try:
        int.from_bytes(i, "big")
    except TypeError:
        pass
print(sorted([3, 1, 2], key=key))
END
rm -f p.out*
"$zprof" record --builtins -o p.out $python builtins.py >said 2>messages
is "functions in C, with builtins=1" "[3, 2, 1] 8 8 3" "$(cat said) $(calls builtins.len) $(calls int.from_bytes) $(calls dict.get)"
"$zprof" report --tree --all p.out | sed -nE 's/.* (__main__.<module>|builtins.sorted|__main__.key|dict.get)$/\1/p' | tr '\n' ' ' >tree
grep -q '__main__.<module> .*builtins.sorted __main__.key dict.get' tree
tap $? "and Python functions that they call stand above them" || sed 's/^/# /' tree

# ---- the lines of calls
cat >lines.py <<'END'
def leaf(n):
    return n
def mid(n):
    a = leaf(n)
    for i in range(4):
        a += leaf(i)
    return [leaf(i) for i in range(n)]
for i in range(10):
    mid(i)
END
rm -f p.out*
"$zprof" record --callsites -o p.out $python lines.py 2>messages
"$zprof" annotate --func '__main__.*' p.out | sed -n 's/^ *\([0-9][0-9]*\)  *\(x[0-9]*\) .*/\1 \2/p' | tr '\n' ' ' >lines
is "calls are on their lines" "4 x10 6 x40 " "$(grep -oE '^4 x10 6 x40 ' lines)"
grep -q ' 9 x10 ' lines
tap $? "and those of the program's own body" || sed 's/^/# /' lines

# ---- profilers of the program's own
$python "$programs/profilers.py" >plain
record "$programs/profilers.py"
same "a program that profiles itself gets what it gets without zprof" plain said
if [ "$version" = 11 ]; then
	is "its calls are recorded, but for those that its profile functions got" 347 "$(calls __main__.f)"
	"$zprof" report p.out | grep -q '^ *2  times that the program used a profiler of its own'
	tap $? "the times of these are counted as missing"
else
	is "its calls are recorded, also those that its profile functions got" "550 " "$(calls __main__.f) $(losses)"
	$python "$programs/tools.py" 3 >plain
	record "$programs/tools.py" 3
	same "a program that uses sys.monitoring sees what it sees without zprof" plain said
	is "and its calls are recorded" "10 10 " "$(calls __main__.twice) $(calls __main__.raises) $(losses)"
	is "below their callers, though another tool raises exceptions where functions begin" "0 <module> 1 raises 2 twice " "$(depths raises twice)"
	record "$programs/tools.py" 4
	is "the program can see who uses sys.monitoring" zprof "$(tail -n 1 said)"
	mkdir -p site
	echo 'import sys; [sys.monitoring.use_tool_id(i, "mine") for i in range(6)]' >site/sitecustomize.py
	PYTHONPATH=$PWD/site record module.py 9
	is "a program that uses all of sys.monitoring is recorded by a profile function" 9 "$(calls __main__.f)"
	PYTHONPATH=$PWD/site record -c 'import sys; sys.setprofile(print); sys.setprofile(None)'
	"$zprof" report p.out | grep -q '^ *1  times that the program used a profiler of its own'
	tap $? "which gives way to the program's, and this is counted as missing"
fi

subinterpreters=$([ "$version" = 13 ] && echo _interpreters || echo _xxsubinterpreters)
record -c "import $subinterpreters"' as s; i = s.create(); s.run_string(i, "def f(): pass\nf()")'
"$zprof" report p.out | grep -q '^ *1  interpreters within the process whose calls are not recorded'
tap $? "a subinterpreter is not recorded, and the report says so"

cat >foreign.py <<'END'
import ctypes
libc = ctypes.CDLL(None)
def begun(_): return 0
kind = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(begun)
for i in range(3):
    thread = ctypes.c_ulong()
    libc.pthread_create(ctypes.byref(thread), None, kind, None)
    libc.pthread_join(thread, None)
END
record foreign.py
[ "$version" = 11 ] || {
	is "threads that C code began are recorded" "3 " "$(calls __main__.begun) $(losses)"
	rm -f p.out*
	"$zprof" record --builtins -o p.out $python foreign.py >said 2>messages
}
"$zprof" report p.out | grep -q '^ *3  threads of an interpreter that were found after they had begun'
tap $? "a profile function does not see the threads that C code began, and they are counted as missing"

# ---- a program with Python inside, twice
cat >inside.c <<'END'
void Py_Initialize(void);
int Py_FinalizeEx(void), PyRun_SimpleString(const char *);
int main(void)
{
	for (int i = 0; i < 2; i++) {
		Py_Initialize();
		PyRun_SimpleString("def f(): pass\nfor i in range(9): f()");
		Py_FinalizeEx();
	}
	return 0;
}
END
folder=$($python -c 'import sysconfig; print(sysconfig.get_config_var("LIBDIR"))')
library=$($python -c 'import sysconfig; print(sysconfig.get_config_var("INSTSONAME"))') # is there without headers, too
gcc -g -finstrument-functions inside.c -o inside "$folder/$library" -Wl,-rpath,"$folder"
for malloc in default debug; do
	rm -f p.out*
	PYTHONHOME=$($python -c 'import sys; print(sys.prefix)') PYTHONMALLOC=$malloc "$zprof" record -o p.out ./inside 2>messages
	is "a program that has Python inside, twice ($malloc)" "18 zprof: the profile is in 'p.out'" "$(calls __main__.f) $(cat messages)"
done

# ---- an interpreter that the adapter does not know
# It has the functions that the adapter needs, which do nothing, and the version of another: of Python without its lock, for example.
nm -D --undefined-only "$ZPROF_BUILD/libzprof-python.so" | sed -nE 's/^ *[Uw] (_?Py[A-Za-z_]*)$/\1/p' | grep -vx Py_GetVersion |
	sed 's/.*/void &(void);\nvoid &(void) { }/' >unknown.c
for number in '3.13.5 experimental free-threading build (main)' '3.10.9 (main)' '3.99.0 (main)'; do
	cat >version.c <<-END
		const char *Py_GetVersion(void);
		const char *Py_GetVersion(void) { return "$number"; }
		int main(void) { return 0; }
	END
	gcc -g -finstrument-functions -rdynamic version.c unknown.c -o unknown
	rm -f p.out*
	"$zprof" record -o p.out ./unknown 2>messages
	"$zprof" report p.out | grep -q '^ *1  interpreters within the process whose calls are not recorded'
	tap $? "Python $number is not recorded, and the report says so"
done

# ---- other programs
"$zprof" record -o p.out cat /proc/self/maps >said 2>/dev/null
is "a program without Python does not get the adapter" 0 "$(grep -c libzprof-python said)"
is "but has libzprof.so" 1 "$(($(grep -c 'libzprof\.so' said) > 0))"
is "the adapter needs libc alone" "" "$(readelf -d "$ZPROF_BUILD/libzprof-python.so" | grep NEEDED | grep -v 'libc\.so\.6')"
finish

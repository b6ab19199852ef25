#!/bin/sh
# SPDX-License-Identifier: MIT
# python-package.sh - the Python package zprof-python is installed by pip without a network, and records a program.
. "${0%/*}/../lib/tap.sh"
root=$(cd "${0%/*}/../.." && pwd)
python=${ZPROF_TEST_PYTHON:-/usr/bin/python3} # 3.11 to 3.13
unset PYTHONPATH PYTHONSTARTUP PYTHONHOME PIP_CONFIG_FILE
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1

if ! $python -c 'import setuptools, pip, venv, wheel' 2>missing; then
	skip "the Python package" "$(tail -1 missing)"
	finish
	exit
fi
(cd "$root" && git status --porcelain --ignored preload/adapters) >before
$python -m venv --without-pip --system-site-packages venv >said 2>&1 &&
	venv/bin/python -m pip install --no-index --no-build-isolation --no-deps "$root/preload/adapters/python" >>said 2>&1
tap $? "pip installs it" || sed 's/^/# /' said
(cd "$root" && git status --porcelain --ignored preload/adapters) >after
same "and leaves nothing in the tree" before after
is "its version is zprof's" "$("$ZPROF_BUILD/zprof" --version)" "$(venv/bin/zprof --version)"

cat >prog.py <<'END2'
import sys
def f(): pass
for i in range(int(sys.argv[1])): f()
END2
calls() { # NAME: how often p.out has it
	venv/bin/zprof report --json --full-names --all p.out | tr '\n' ' ' | sed 's/\], "arcs":.*//; s/{"id"/\n{"id"/g' | sed -n "s/.*\"name\":\"$1\",.*\"calls\":\([0-9]*\).*/\1/p"
}
recorded() { # WHAT EXPECTED NAME WORD...: of venv/bin
	rm -f p.out*
	what=$1 expected=$2 name=$3 command=$4
	shift 4
	venv/bin/"$command" "$@" >said 2>&1 || sed 's/^/# /' said
	is "$what" "$expected" "$(calls "$name")"
}
recorded "python -m zprof prog.py" 3 __main__.f python -m zprof -o p.out prog.py 3
recorded "python -m zprof -m prog" 4 __main__.f python -m zprof --callsites -o p.out -m prog 4
recorded "python -m zprof -c" 5 prog.f python -m zprof -o p.out -c 'import prog' 5
recorded "zprof record python" 6 __main__.f zprof record -o p.out venv/bin/python prog.py 6
venv/bin/python -m zprof -o p.out -c 'raise SystemExit(7)' 2>said
is "the exit status is the program's" 7 $?
venv/bin/python -m zprof >said 2>&1
is "no program is an error" "1 usage: python -m zprof" "$? $(head -1 said | cut -d' ' -f1-4)"
finish

# SPDX-License-Identifier: MIT
"""usage: python -m zprof [OPTION...] (PROGRAM.py | -m MODULE | -c CODE) [ARGUMENT...]

Runs a Python program, and records the calls of its functions. OPTION is one of `zprof record`; its value, if it has one, is
written behind `=`, or is the next word for -o. Afterwards, `zprof graph` shows the call graph.
"""
import os
import sys


def run(*words):
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "zprof")
    try:
        os.execv(program, ["zprof", *words])
    except OSError as error:
        sys.exit(f"zprof: cannot run '{program}': {error.strerror}")


def command():
    """The command zprof, as pip installs it."""
    run(*sys.argv[1:])


def main():
    words = sys.argv[1:]
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-m", "-c", "-h", "--help"):
        at += 2 if words[at] == "-o" else 1
    if words[at : at + 1] in (["-h"], ["--help"]):
        print(__doc__, end="")
    elif at >= len(words):
        sys.exit(__doc__.strip())
    else:
        run("record", *words[:at], "--", sys.executable, *words[at:])


if __name__ == "__main__":
    main()

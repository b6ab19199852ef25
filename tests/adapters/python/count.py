# SPDX-License-Identifier: MIT
# count.py - counts the calls of a Python program in Python, for the tests of zprof's adapter.
#
#   python3 count.py COUNTS PROGRAM [ARGUMENT...]
#
# Runs PROGRAM as `__main__` and writes a line into COUNTS for each function of it and of what it imports: calls, file, line, name. A
# resumption of a generator or coroutine is not a call: it begins elsewhere in the code than at the first RESUME instruction.
import sys
import threading

calls = []


def profile(frame, event, _):
    if event == "call":
        calls.append((frame.f_code, frame.f_lasti))


def main():
    out, program = sys.argv[1:3]
    del sys.argv[:2]
    with open(program) as f:
        code = compile(f.read(), program, "exec")
    sys.path[0] = program.rpartition("/")[0]
    module = type(sys)("__main__")
    sys.modules["__main__"] = module
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        exec(code, module.__dict__)
    except SystemExit:
        pass
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        write(out)


def write(out):
    import collections
    import dis

    begins = {}
    counts = collections.Counter()
    for code, at in calls:
        if code.co_flags & 0x2A0 and code not in begins:
            begins[code] = next(i.offset for i in dis.get_instructions(code) if i.opname == "RESUME" and i.arg == 0)
        if begins.get(code, at) == at:
            counts[code] += 1
    with open(out, "w") as f:
        for code, n in counts.items():
            print(n, code.co_filename, code.co_firstlineno, code.co_qualname, file=f)


main()

# SPDX-License-Identifier: MIT
# count.py - counts the calls of a Python program in Python, for the tests of zprof's adapter.
#
#   python3 count.py COUNTS PROGRAM [ARGUMENT...]
#
# Runs PROGRAM as `__main__` and writes a line into COUNTS for each function of it and of what it imports: calls, file, line, name. A
# resumption of a generator or coroutine is not a call: it begins elsewhere in the code than at the first RESUME instruction. From Python
# 3.12 on, sys.monitoring counts, which tells calls (PY_START) from resumptions itself.
import queue
import sys
import threading

calls = []
started = queue.SimpleQueue() # of code objects. It is filled by a function in C, which works where no more Python function can be called


def profile(frame, event, _):
    if event == "call":
        calls.append((frame.f_code, frame.f_lasti))


def begin():
    if hasattr(sys, "monitoring"):
        start = sys.monitoring.events.PY_START
        sys.monitoring.use_tool_id(sys.monitoring.PROFILER_ID, "count.py")
        sys.monitoring.register_callback(sys.monitoring.PROFILER_ID, start, started.put)
        sys.monitoring.set_events(sys.monitoring.PROFILER_ID, start)
    else:
        threading.setprofile(profile)
        sys.setprofile(profile)


def end():
    if hasattr(sys, "monitoring"):
        sys.monitoring.set_events(sys.monitoring.PROFILER_ID, 0)
    else:
        sys.setprofile(None)
        threading.setprofile(None)


def main():
    out, program = sys.argv[1:3]
    del sys.argv[:2]
    with open(program) as f:
        code = compile(f.read(), program, "exec")
    sys.path[0] = program.rpartition("/")[0]
    module = type(sys)("__main__")
    sys.modules["__main__"] = module
    begin()
    try:
        exec(code, module.__dict__)
    except SystemExit:
        pass
    finally:
        end()
        write(out)


def write(out):
    import collections
    import dis

    begins = {}
    counts = collections.Counter()  # by texts: code objects are equal that differ in their files alone
    while not started.empty():
        calls.append((started.get(), None))
    for code, at in calls:
        if at is not None and code.co_flags & 0x2A0 and code not in begins:
            begins[code] = next(i.offset for i in dis.get_instructions(code) if i.opname == "RESUME" and i.arg == 0)
        if begins.get(code, at) == at:
            counts[code.co_filename, code.co_firstlineno, code.co_qualname] += 1
    with open(out, "w") as f:
        for what, n in counts.items():
            print(n, *what, file=f)


main()

# SPDX-License-Identifier: MIT
# tools.py - a program that uses sys.monitoring with each of the numbers that have a meaning; one of its tools raises exceptions.
#
#   python3 tools.py NUMBER
#
# Says at its end which tool has the number NUMBER.
import sys

monitoring = sys.monitoring
tools = [monitoring.DEBUGGER_ID, monitoring.COVERAGE_ID, monitoring.PROFILER_ID, monitoring.OPTIMIZER_ID]
seen = []


def twice():
    pass


def refused():
    pass


def raises():
    try:
        refused()
    except KeyError:
        twice()


def start(code, _):
    seen.append(code.co_name)
    if code.co_name == "refused":
        raise KeyError


for tool in tools:
    monitoring.use_tool_id(tool, str(tool))
    monitoring.register_callback(tool, monitoring.events.PY_START, start)
    monitoring.set_events(tool, monitoring.events.PY_START)
for _ in range(10):
    raises()
for tool in tools:
    monitoring.free_tool_id(tool)
print(seen)
print(monitoring.get_tool(int(sys.argv[1])))

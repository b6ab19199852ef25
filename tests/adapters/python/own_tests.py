# SPDX-License-Identifier: MIT
# own_tests.py - runs the tests that Python has of its modules json and re, as `python3 -m test test_json test_re` does.
from test.libregrtest.main import main

main(["test_json", "test_re"])

# SPDX-License-Identifier: MIT
# python.py - work for python.sh: `python3 python.py calls|generators|objects|library` prints the CPU seconds that it takes.
import ast
import json
import re
import sys
import time


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def calls():
    fib(27)


def numbers(n):
    yield from range(n)


def generators():
    for _ in range(2000):
        sum(numbers(300))


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


def objects():
    p = Point(0, 0)
    for i in range(150000):
        p = p + Point(i, 1)


def library():
    for module in (json.decoder, json.encoder, re._compiler, re._parser):
        with open(module.__file__) as f:
            text = f.read()
        words = re.findall(r"\w+", text)
        ast.unparse(ast.parse(text))
        json.loads(json.dumps(words, indent=1))
        for word in sorted(set(words))[:400]:
            re.compile(word + r"(a|b)*[^x-z]+$")


begin = time.process_time()
{"calls": calls, "generators": generators, "objects": objects, "library": library}[sys.argv[1]]()
print(time.process_time() - begin)

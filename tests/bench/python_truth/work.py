# SPDX-License-Identifier: MIT
# work.py - work for run: `python3 work.py json|re|ast REPEATS` uses a module of Python's library on files of that library.
import ast
import json
import re
import sys

TEXTS = []
for module in (json.decoder, json.encoder, re._compiler, re._parser):
    with open(module.__file__) as f:
        TEXTS.append(f.read())


def as_document(text):
    return [{"line": i, "words": line.split(), "indent": len(line) - len(line.lstrip())}
            for i, line in enumerate(text.splitlines())]


def work_json():
    for text in TEXTS:
        json.loads(json.dumps(as_document(text), indent=1), object_hook=lambda found: found["line"])


def work_re():
    for text in TEXTS:
        words = re.findall(r"\w+", text)
        re.sub(r"[a-z]+", lambda found: found[0].upper(), text)
        re.purge()
        for word in sorted(set(words))[:100]:
            re.compile(word + r"(a|b)*[^x-z]+$")


def work_ast():
    for text in TEXTS:
        ast.unparse(ast.parse(text))


# About as much time for each.
work, times = {"json": (work_json, 10), "re": (work_re, 2), "ast": (work_ast, 1)}[sys.argv[1]]
for _ in range(int(sys.argv[2]) * times):
    work()

# SPDX-License-Identifier: MIT
# library.py - puts modules of the standard library to work over real files: its own.
import ast
import json
import re
import tokenize

FILES = [json.__file__, json.decoder.__file__, json.encoder.__file__, re._compiler.__file__]
names = {}
for path in FILES:
    with open(path) as f:
        text = f.read()
    for word in re.findall(r"\b[A-Za-z_]\w*\b", text):
        names[word] = names.get(word, 0) + 1
    nodes = [type(n).__name__ for n in ast.walk(ast.parse(text))]
    with open(path, "rb") as f:
        tokens = [t.string for t in tokenize.tokenize(f.readline)]
    print(len(nodes), len(tokens), len(ast.unparse(ast.parse(text))))
told = json.dumps(names, indent=1, sort_keys=True)
print(len(told), json.loads(told) == names)
for word in sorted(names)[:150]:
    re.compile(word + r"(a|b)*[^x-z]+\s{2,3}$")

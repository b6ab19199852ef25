# SPDX-License-Identifier: MIT
# profilers.py - a program that profiles itself, by cProfile and by a function of its own.
import cProfile
import pstats
import sys


def f():
    pass


def many(n):
    for _ in range(n):
        f()


def own(frame, event, _):
    seen.append(event)


print(sys.getprofile())
seen = []
many(300)
profile = cProfile.Profile()
profile.enable()
many(200)
profile.disable()
print(next(v[0] for k, v in pstats.Stats(profile).stats.items() if k[2] == "f"))
many(40)
sys.setprofile(own)
many(3)
sys.setprofile(None)
print(seen.count("call"), sys.getprofile())
many(7)

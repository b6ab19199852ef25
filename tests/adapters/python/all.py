# SPDX-License-Identifier: MIT
# all.py - calls of every kind that Python has; what it prints is the same on each run.
import asyncio
import ctypes
import functools
import signal
import threading


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def numbers(n):
    for i in range(n):
        yield fib(i)


def outer(n):
    yield from numbers(n)
    return (yield)


def never():
    yield 1


class Shape:
    size = property(lambda self: fib(3))

    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return self.n < other.n

    def __getitem__(self, i):
        return i * self.n

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return True

    @staticmethod
    def make(n):
        return Shape(n)

    @functools.lru_cache
    def kept(self, n):
        return n


def fails(n):
    if not n:
        raise ValueError(n)
    try:
        fails(n - 1)
    finally:
        fib(2)


async def part(n):
    await asyncio.sleep(0)
    return fib(n)


async def stream(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


async def tasks():
    some = await asyncio.gather(*(part(n) for n in range(5)))
    return sum(some) + sum([i async for i in stream(6)])


def deep(n):
    return 0 if not n else 1 + deep(n - 1)


def work(n):
    for _ in range(n):
        fib(4)
    list(numbers(3))


def compare(a, b):
    return a[0] - b[0]


def c_sort(values):
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
    array = (ctypes.c_int * len(values))(*values)
    ctypes.CDLL(None).qsort(array, len(values), ctypes.sizeof(ctypes.c_int), kind(compare))
    return list(array)


def handler(number, frame):
    raise KeyError(number)


def interrupted(n):
    return n


def interrupts():
    """A signal that C code sends to itself just before it calls interrupted(), which may then never begin."""
    list(map(interrupted, map(ctypes.CDLL(None)["raise"], [signal.SIGUSR1])))


def main():
    print(fib(12), sum(numbers(8)), list(zip(outer(3), range(3))))
    never()
    g = outer(2)
    next(g)
    try:
        g.throw(KeyError)
    except KeyError:
        g.close()
    g = never()
    g.close()
    try:
        never().throw(KeyError)
    except KeyError:
        pass
    signal.signal(signal.SIGUSR1, handler)
    for _ in range(3):
        try:
            interrupts()
        except KeyError:
            fib(3)
    for _ in range(3):
        try:
            fails(4)
        except ValueError:
            pass
    with Shape(1) as s:
        print(s.size, s[3], sum(s[i] for i in range(50)), s.kept(1), s.kept(1))
        raise KeyError
    print([s.n for s in sorted(map(Shape.make, [3, 1, 2]))], sorted("bca", key=lambda c: -ord(c)))
    print(functools.reduce(lambda a, b: a + b, range(9)), asyncio.run(tasks()), c_sort([3, 1, 2, 5, 4]))
    print(deep(700))
    for i in range(20):
        exec(compile("def made():\n    return fib(1)\nmade()", "made.py", "exec"), globals())
    threads = [threading.Thread(target=work, args=(10 + i,)) for i in range(5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


main()

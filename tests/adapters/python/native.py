# SPDX-License-Identifier: MIT
# native.py - a Python program that calls C functions with hooks, which call Python functions.
import ctypes
import sys

native = ctypes.CDLL(sys.argv[1])
KIND = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)


def square(n):
    return n * n


def below(n):
    return square(n) + native.twice(n)


def main():
    print(native.apply(KIND(below), int(sys.argv[2])))


main()

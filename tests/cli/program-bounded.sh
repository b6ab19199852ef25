#!/bin/sh
# SPDX-License-Identifier: MIT
# program-bounded.sh - programs with more contexts than max_nodes: calls, self times and arcs stay exact.
. "${0%/*}/../programs/check.sh"

check "two functions call each other, 40 deep, recursion folded" only=gcc-O2 contexts=50000 options=max_nodes=50000 bounded mutual 2000000
check "the same, folded from the third level on" contexts=2000 options=recursion=2 bounded mutual 100000
check "the same, in 64 contexts" contexts=64 options=max_nodes=64 bounded mutual 100000
check "two hundred functions call each other at random" only='*-O2' contexts=400000 options=max_nodes=400000 bounded random 1000000
check "a chain of 25 diamonds" only='*-O2' contexts=2000 options=max_nodes=2000 bounded diamonds 20000
check "a chain of 25 diamonds, unbounded" only='gcc-O2' bounded diamonds 20000
finish

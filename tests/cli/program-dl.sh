#!/bin/sh
# SPDX-License-Identifier: MIT
# program-dl.sh - a function is known by what was loaded where it lay, not by its address alone.
. "${0%/*}/../programs/check.sh"

check "two plugins, one after the other, at one address" dl
finish

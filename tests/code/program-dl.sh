#!/bin/sh
# SPDX-License-Identifier: MIT
# program-dl.sh - a function is identified by the module loaded at its address, not by the address
# alone.
. "${0%/*}/../lib/check.sh"

check "two plugins, one after the other, at one address" dl
finish

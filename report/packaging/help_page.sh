#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a manual page of a command's help, which is on stdin.
#
#   report/packaging/help_page.sh NAME SUMMARY VERSION DATE
printf '.TH "%s" 1 "%s" "zprof %s" "zprof manual"\n.SH NAME\n' "$1" "$4" "$3"
printf '%s \\- %s\n.SH DESCRIPTION\n.EX\n' "$1" "$2"
sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/; s/\t/        /g'
printf '.EE\n.SH SEE ALSO\n.BR zprof (1)\n'

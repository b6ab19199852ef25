#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the manual page zprof.h(3): what the header itself says, in its order.
#
#   report/packaging/header_page.sh HEADER VERSION DATE
printf '.TH "zprof.h" 3 "%s" "zprof %s" "zprof manual"\n' "$3" "$2"
printf '.SH NAME\nzprof.h \\- what a program can tell the profiler\n.SH SYNOPSIS\n.B #include <zprof.h>\n.SH DESCRIPTION\n.EX\n'
sed -n '/^\/\*$/,$p' "$1" | sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/; s/\t/        /g' | cat -s
printf '.EE\n.SH SEE ALSO\n.BR zprof (1),\n.BR libzprof (7)\n'

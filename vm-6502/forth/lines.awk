# SPDX-License-Identifier: MIT
# Gives each word of the kernel the number of its source line, which ca65 itself can't tell: appends
# it to the macro calls that make headers (layout.inc). Lines stay where they are.
$1 ~ /^(code|colon|immediate|cell|fixed)$/ { print $0 ", " FNR; next }
{ print }

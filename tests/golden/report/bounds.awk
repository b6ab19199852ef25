# SPDX-License-Identifier: MIT
# bounds.awk - makes a profile whose functions have many samples, three of them, or none (tests/callgraph/report-views.sh).
BEGIN {
	print "clock tsc 1000000000\nmode count\nhooks 20000 10000 500 3000\nsampler 1 0 0\nflags finished\ncommand ./prog"
	print "thread 1 prog 1\n  main 1 0\nseen 60 0 0 1000000"
	for (i = 1; i <= 30; i++)
		print "    sure" i " 10 0\nseen " 5 + int((30 - i) / 6) " 0 0 1000000"
	for (i = 1; i <= 12; i++)
		print "    few" i " " 10 * i " 0\nseen 3 0 0 1000000"
	for (i = 1; i <= 5; i++)
		print "    none" i " " 4 ^ i " 0"
	print "    caller 5 0\n      sure1 1 0\nseen 500 0 0 1000000"
}

# SPDX-License-Identifier: MIT
# large.awk - a C program of 2,000 functions in two megabytes of code, of which one in 16 runs: each calls the next, far
# away. It prints how many pages it touched first. The code that a function never runs is bytes that it jumps over.
BEGIN {
	functions = 2000
	print "#include <stdio.h>\n#include <sys/resource.h>\n"
	for (i = functions - 1; i >= 0; i--) {
		printf "__attribute__((noinline)) int f%d(int n)\n{\n\t__asm__ volatile(\"jmp 1f; .skip 1100, 0x90; 1:\");\n", i
		if (i % 16 == 0 && i + 16 < functions)
			printf "\tn += f%d(n + 1);\n", i + 16
		print "\treturn n + 1;\n}"
	}
	print "int main(void)\n{\n\tstruct rusage used;\n\tint n = f0(1);\n\tgetrusage(RUSAGE_SELF, &used);"
	print "\tprintf(\"%ld\\n\", used.ru_minflt);\n\treturn n == 0;\n}"
}

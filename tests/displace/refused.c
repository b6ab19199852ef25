/* SPDX-License-Identifier: MIT */
/*
 * refused.c - main() calls other(), which is displaced, and from the same place of its stack refused(), which
 * is not, because it jumps to its own entry. Each refused() calls callee(). The entry of other(), which has
 * returned, then lies at exactly the stack frame of refused(); only the comparison of functions tells that
 * callee() was not called by other() (preload/entries/entries.h).
 */
#define APART __attribute__((noinline, noclone, used))

static volatile int sink;

APART int callee(int turns)
{
	sink += turns;
	return turns - 1;
}

APART int other(int x)
{
	sink += x;
	return callee(1) + x;
}

/* int refused(int turns): calls callee(turns) until that gives 0. */
__asm__("	.text\n"
	"	.type refused, @function\n"
	"refused:\n"
	"	.cfi_startproc\n"
	"	sub $8, %rsp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	call callee\n"
	"	add $8, %rsp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	mov %eax, %edi\n"
	"	test %eax, %eax\n"
	"	jne refused\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size refused, . - refused\n");

int refused(int turns);

int main(void)
{
	int i, sum = 0;

	for (i = 0; i < 1000; i++) {
		sum += other(i);
		sum += refused(2);
	}
	return sum != 499500;
}

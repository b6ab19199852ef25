/* SPDX-License-Identifier: MIT */
/* stopped_x86_64.c - see stopped_call.h: the call of a stopped thread, on x86-64. */
#include "report/process/stopped_call.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

/* An error number that is internal to the kernel; programs never see it. */
#define ERESTARTNOHAND 514

/* Whether a call may return EINTR although no handler runs, has then done nothing, and so can be
 * repeated. */
static bool is_made_again(unsigned long long call)
{
	static const int calls[] = {
	    SYS_read,          SYS_readv,         SYS_write,           SYS_writev,
	    SYS_recvfrom,      SYS_recvmsg,       SYS_recvmmsg,        SYS_sendto,
	    SYS_sendmsg,       SYS_sendmmsg,      SYS_accept,          SYS_accept4,
	    SYS_connect,       SYS_epoll_wait,    SYS_epoll_pwait,     SYS_epoll_pwait2,
	    SYS_semop,         SYS_semtimedop,    SYS_rt_sigtimedwait, SYS_io_getevents,
	    SYS_io_pgetevents, SYS_io_uring_enter};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (call == (unsigned long long)calls[i])
			return true;
	return false;
}

void stopped_mend_call(pid_t id)
{
	struct user_regs_struct regs;
	if (ptrace(PTRACE_GETREGS, id, NULL, &regs) || (long long)regs.orig_rax < 0 ||
	    (long long)regs.rax != -EINTR || !is_made_again(regs.orig_rax))
		return;
	regs.rax = (unsigned long long)-ERESTARTNOHAND;
	ptrace(PTRACE_SETREGS, id, NULL, &regs);
}

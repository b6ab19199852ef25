#!/bin/sh
# SPDX-License-Identifier: MIT
# exports.sh - libzprof.so exports the hooks, the functions that it stands in front of, and zprof.h; nothing else can clash with
# the program's names.
. "${0%/*}/../lib/tap.sh"
root=$(cd "${0%/*}/../.." && pwd)
{
	printf '%s\n' __cyg_profile_func_enter __cyg_profile_func_exit __fentry__ __return__ __sanitizer_cov_trace_pc zprof_request
	printf '%s\n' dlclose dlopen pthread_mutex_init pthread_setname_np makecontext prctl syscall chroot setuid seteuid setreuid setresuid
	printf '%s\n' dl_iterate_phdr
	! grep -q DLFO_STRUCT_HAS_EH_DBASE /usr/include/dlfcn.h /usr/include/*/bits/dl_find_object.h 2>/dev/null || echo _dl_find_object
	printf '%s\n' sigaction signal sigwait sigwaitinfo sigtimedwait
	printf '%s\n' signalfd bsd_signal ssignal sysv_signal __sysv_signal sigset sigignore siginterrupt
	sed -n 's/^ZPROF_ACTION_(\([a-z_]*\),.*/\1/p; s/^ZPROF_FUNCTION_([a-z0-9_]*, *\([a-z_]*\),.*/\1/p' "$root/preload/zprof.h"
} | sort >expected
for library in "$ZPROF_BUILD/libzprof.so" "$ZPROF_BUILD/tests/libzprof-fake.so"; do
	nm -D --defined-only "$library" | awk '{print $NF}' | sort >actual
	same "exports of ${library##*/}" expected actual
done
finish

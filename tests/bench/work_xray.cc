// SPDX-License-Identifier: MIT
// work_xray.cc - has LLVM XRay record the workload it is linked to, in the mode that $BENCH_XRAY
// names: only its basic mode starts and writes without being told. Its headers need C++.
#include <stdio.h>
#include <stdlib.h>
#include <xray/xray_interface.h>
#include <xray/xray_log_interface.h>

// work_main.c calls them, where they are linked.
extern "C" void bench_begin();
extern "C" void bench_end();

void bench_begin()
{
	const char *mode = getenv("BENCH_XRAY");

	if (mode &&
	    (__xray_log_select_mode(mode) != XRAY_REGISTRATION_OK ||
	     __xray_log_init_mode(mode, "func_duration_threshold_us=0") != XRAY_LOG_INITIALIZED ||
	     __xray_patch() != SUCCESS))
		fprintf(stderr, "XRay does not start recording\n");
}

void bench_end()
{
	if (!getenv("BENCH_XRAY"))
		return;
	__xray_log_finalize();
	__xray_log_flushLog();
}

/* SPDX-License-Identifier: MIT */
/*
 * mutex.c - stands in front of pthread_mutex_init(), which never blocks, to know where locks are
 * made (sample/locks.h). Without offcpu=1 the function only calls libc's.
 */
#include "preload/base/text.h"
#include "preload/process/environment.h"
#include "preload/sample/locks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static int (*real_init)(pthread_mutex_t *, const pthread_mutexattr_t *);
static bool is_asked; /* offcpu=1 was given; stored before real_init */

/* Programs make locks before anything is recorded, so the option is read here. */
static __attribute__((constructor)) void find_real(void)
{
	is_asked = text_holds(environment_value("ZPROF_OPTIONS"), "offcpu=1");
	real_init = (int (*)(pthread_mutex_t *, const pthread_mutexattr_t *))dlsym(
	    RTLD_NEXT, "pthread_mutex_init");
}

__attribute__((visibility("default"))) int pthread_mutex_init(pthread_mutex_t *mutex,
							      const pthread_mutexattr_t *attributes)
{
	if (!real_init)
		find_real();
	if (is_asked)
		locks_made((uintptr_t)mutex, (uintptr_t)__builtin_return_address(0));
	return real_init(mutex, attributes);
}

/* SPDX-License-Identifier: MIT */
/*
 * iprof.h - the names of IProf (Sean Barrett's interactive profiler, 2003), for programs written
 * for it: include this where they include "prof.h".
 *
 *     Prof(zone);                    private zone to the end of the block, in C too
 *     Prof_Begin(zone) ... Prof_End  private zone; neither takes a semicolon
 *     Prof_Define(zone);             public zone, at file scope
 *     extern Prof_Declare(zone);     the same in another file
 *     Prof_Scope(zone);              public zone to the end of the block
 *     Prof_Region(zone) ... Prof_End public zone
 *     Prof_Counter(zone);            counts one entry of a private zone that takes no time
 *     Prof_update(on);               ends a frame; 0 pauses recording until a frame ends with 1
 *
 * If Prof_ENABLED is defined as 0, or ZPROF_DISABLE is defined, all of it compiles to nothing.
 * zprof.h gives costs and errors. IProf's displays are not here; `zprof graph` takes their place.
 * An unbalanced Prof_End is reported and does no harm.
 */
#ifndef ZPROF_IPROF_H
#define ZPROF_IPROF_H

#ifndef Prof_ENABLED
#define Prof_ENABLED 1
#endif

#if !Prof_ENABLED && !defined(ZPROF_DISABLE)
#define ZPROF_DISABLE 1
#endif

#include "zprof.h"

#define Prof(zone)        ZPROF(zone)
#define Prof_Scope(zone)  ZPROF_SCOPE(zone)
#define Prof_Define(zone) ZPROF_DEFINE(zone)

#ifndef ZPROF_DISABLE

#define Prof_Begin(zone)   ZPROF_BEGIN(zone);
#define Prof_Region(zone)  ZPROF_REGION(zone);
#define Prof_Declare(zone) struct zprof_mark zprof_zone_##zone

/* Blocks, so that an `else` may follow. */
#define Prof_End                                                                                   \
	{                                                                                          \
		ZPROF_END;                                                                         \
	}
#define Prof_Counter(zone)                                                                         \
	do {                                                                                       \
		ZPROF(zone);                                                                       \
	} while (0)

ZPROF_INLINE_ void Prof_update(int on)
{
	if (on) {
		if (!zprof_recording())
			zprof_resume();
		zprof_frame("Prof_update");
	} else if (zprof_recording()) {
		zprof_pause();
	}
}

#else

#define Prof_Begin(zone)
#define Prof_Region(zone)
#define Prof_Declare(zone) int zprof_none_##zone
#define Prof_End
#define Prof_Counter(zone) ((void)0)
#define Prof_update(on)    ((void)0)

#endif

#endif

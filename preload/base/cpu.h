/* SPDX-License-Identifier: MIT */
/*
 * cpu.h - the instructions that C has no words for. Only this file asks which processor the library
 * is built for; base/cpu/x86_64.h lists what a processor must provide.
 */
#ifndef ZPROF_CPU_H
#define ZPROF_CPU_H

#if defined(__x86_64__) && !defined(__ILP32__)
#include "preload/base/cpu/x86_64.h"
#include "preload/base/cpu/x86_64_frames.h"
#include "preload/base/cpu/x86_64_clock.h"
#include "preload/base/cpu/x86_64_alone.h"
#include "preload/base/cpu/x86_64_clone.h"
#include "preload/base/cpu/x86_64_entry.h"
#elif defined(__aarch64__) && defined(__LP64__)
#include "preload/base/cpu/aarch64.h"
#include "preload/base/cpu/aarch64_frames.h"
#include "preload/base/cpu/aarch64_clock.h"
#include "preload/base/cpu/aarch64_clone.h"
#include "preload/base/cpu/aarch64_entry.h"
#else
#error "zprof knows x86-64 and arm64 alone: preload/base/cpu/x86_64.h says what a port needs"
#endif

#endif

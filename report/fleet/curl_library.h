/* SPDX-License-Identifier: MIT */
/*
 * curl_library.h - libcurl, loaded when a profile is to be sent. Linked with the command, it and the
 * 30 libraries that it needs would take 4 ms at the start of each command.
 */
#ifndef REPORT_CURL_LIBRARY_H
#define REPORT_CURL_LIBRARY_H

#include <curl/curl.h>
#include <stdbool.h>

#include "report/core/base/str.h"

#define CURL_LIBRARY_FUNCTIONS(X)                                                                  \
	X(global_init)                                                                             \
	X(global_cleanup)                                                                          \
	X(easy_init)                                                                               \
	X(easy_reset)                                                                              \
	X(easy_setopt)                                                                             \
	X(easy_perform)                                                                            \
	X(easy_getinfo)                                                                            \
	X(easy_strerror)                                                                           \
	X(easy_cleanup)                                                                            \
	X(slist_append)                                                                            \
	X(slist_free_all)

/* The functions of libcurl(3), without `curl_` before their names. */
struct curl_library {
#define X(name) __typeof__(&curl_##name) name;
	CURL_LIBRARY_FUNCTIONS(X)
#undef X
};

/* NULL with a message if the library is missing. It stays loaded. */
const struct curl_library *curl_library_load(struct str *err);

#endif

# SPDX-License-Identifier: MIT
# libcurl is loaded when a profile is sent (curl_library.h): only its headers are needed here.
REPORT_LIBS += -ldl

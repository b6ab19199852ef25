# SPDX-License-Identifier: MIT
# Only the command is linked with libcurl, not the library that programs load.
REPORT_LIBS += -lcurl

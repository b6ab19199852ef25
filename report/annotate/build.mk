# libcapstone is loaded when instructions are shown (disassemble.h): only its headers are needed here.
REPORT_LIBS += -ldl

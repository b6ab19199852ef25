# SPDX-License-Identifier: MIT
# pprof's messages, as C. Our warnings are off for protobuf-c's own code.
$(B)/report/export/pprof.pb-c.c: report/export/pprof.proto | $(NEED_BUILD)
	@mkdir -p $(@D)
	protoc-c --proto_path=report/export --c_out=$(@D) $<

$(B)/report/export/pprof.pb-c.o: $(B)/report/export/pprof.pb-c.c
	$(CC) $(CSTD) $(OPT) $(CFLAGS) $(SANFLAGS) -w -c $< -o $@

$(B)/report/export/pprof.o: $(B)/report/export/pprof.pb-c.c
$(B)/report/export/pprof.o: ALL_CFLAGS += -I$(B)/report/export
REPORT_OBJS += $(B)/report/export/pprof.pb-c.o

/* SPDX-License-Identifier: MIT */
/* callgraph_options.c - see callgraph_options.h. */
#include "report/callgraph/callgraph_options.h"

const struct option_spec callgraph_option_all[] = {
    {0, "all", NULL, "Output", OPTION_FLAG(all),
     "show all functions; the default leaves out those of a long list that matter least"},
    OPTIONS_END,
};

const struct option_spec callgraph_option_no_via[] = {
    {0, "no-via", NULL, "Output", OPTION_OWN_FLAG(callgraph_options, no_via),
     "do not show the functions without hooks between a caller and a function (see 'zprof help "
     "graph')"},
    OPTIONS_END,
};

const struct option_spec callgraph_option_waits[] = {
    {0, "waits", NULL, "Output", OPTION_FLAG(waits),
     "show the two parts of each time beside it: 'on CPU', in which the function ran on a processor, "
     "and 'waited', in which it waited for anything: a lock, a file, a signal, or time to pass. "
     "'waits' is how many times the function itself waited. 'preempted' is how long it was ready to "
     "run while others had its processor; that is part of no other column"},
    OPTIONS_END,
};

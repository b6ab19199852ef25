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
     "split each time into 'on CPU', on a processor, and 'waited', for anything: a lock, a file, a "
     "signal, or time to pass. 'waits' is how often the function itself waited; 'preempted' is how "
     "long others had its processor, which is not part of any time"},
    OPTIONS_END,
};

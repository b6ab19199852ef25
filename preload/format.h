/* SPDX-License-Identifier: MIT */
/*
 * format.h - the profile file: what libzprof.so writes and what the command `zprof` reads.
 *
 * A profile is not written at the end of a run. It *is* the memory that the profiler counts in: a
 * file mapped shared, whose nodes are incremented in place by the hooks. So it can be read at any
 * moment, and after any death of the program (SIGKILL, a crash, _exit) it holds everything up to
 * the last completed hook event. The price is that a reader may see a file that is being written,
 * or whose writer stopped at any instruction. Every rule below is made so that this is harmless.
 *
 *     offset 0    +----------------------------+
 *                 | struct zprof_header        |  4096 bytes
 *     4096        +----------------------------+
 *                 | struct zprof_section       |  64 bytes: what follows, how much of it is used
 *                 |   records ...              |
 *                 +----------------------------+  sections begin and end at multiples of 4096
 *                 | struct zprof_section       |  ("granules")
 *                 |   records ...              |
 *                 +----------------------------+
 *                 | zeros                      |  a granule whose section was never begun (the disk
 *                 |                            |  was full, the process died there), or the rest of
 *                 |                            |  the header's page where pages are larger: skipped,
 *                 +----------------------------+  granule by granule
 *
 * Everything is little-endian and naturally aligned; `byte_order` in the header reads 0x01020304
 * where reader and writer agree. There are no pointers. A *reference* to a node is its offset in
 * the file divided by 32, as 32 bits, so 0 (the header) stands for "none". A reader that does not
 * know a section's type skips it; a reader of another `version` refuses the file, by number.
 *
 * ## Threads and nodes
 *
 * A node is one unique state of a thread's zone stack. Its parent is the state below it; following
 * parents reaches the thread's root, a node with zone 0 and parent 0, whose own time is the
 * thread's time outside of all zones. In this drawing `main` calls `cast` both directly and by way
 * of `ai`:
 *
 *     root (zone 0) <- main <- ai <- cast        node = { zone, parent, calls, self_ticks }
 *                        ^---- cast
 *
 * Two nodes with the same zone and the same parent may exist: a signal handler that interrupted a
 * hook counts in nodes of its own, and another thread may go on with a thread's tree. Such nodes
 * are one context, and a reader adds them up. A node may have no calls at all: it was prepared, or
 * its zone was only continued (a forked child begins with its parent's open zones). Totals, arcs
 * and functions are not in the file: they are derived from the nodes.
 *
 * self_ticks is a sum modulo 2^64. While the program runs it may be negative for a moment, because
 * time may be taken off a node before it is added. Read self_ticks as a signed number.
 *
 * A process that was attached to more than once has several recordings (struct zprof_recording). In
 * each of them, a thread has a record, a root and a tree of its own.
 *
 * The thread's record holds its current nodes and the last clock reading. Nodes on the path from a
 * current node to the root were entered and have not returned: they are *open*.
 *
 * ## How the writer publishes
 *
 * A section's header is complete once its `type` is stored, last of all. A record of variable
 * length (module, zone, text) is written first, and then `used` is moved past it. A node's zone is
 * stored before its first call is counted. Counters of different nodes need not be of one moment;
 * each counter is exact by itself.
 */
#ifndef ZPROF_FORMAT_H
#define ZPROF_FORMAT_H

#include <stdint.h>

/* 8 bytes, no terminator; damaged by any text-mode transfer. */
#define ZPROF_MAGIC      "\x89ZPROF\r\n"
#define ZPROF_VERSION    1
#define ZPROF_BYTE_ORDER 0x01020304u
#define ZPROF_GRANULE    4096
#define ZPROF_NODE_BYTES 32
/* Most zone stacks of a thread at once: its own, and those of handlers that interrupted a hook. */
#define ZPROF_LEVELS 8

/* The kinds of clock that ticks come from. The header's `ticks_hz` is the clock's rate. */
enum zprof_clock {
	ZPROF_CLOCK_TSC = 1,       /* rdtsc, invariant */
	ZPROF_CLOCK_MONOTONIC = 2, /* clock_gettime(CLOCK_MONOTONIC), nanoseconds */
	ZPROF_CLOCK_FAKE = 3,      /* a counter: each reading of a thread is one tick (tests) */
};

/* How calls are timed. */
enum zprof_mode {
	ZPROF_MODE_EXACT = 1, /* the clock is read at every enter and exit */
	/* The value 2 is an older library's; readers refuse it. */
	ZPROF_MODE_COUNT = 3, /* counts only */
};

/*
 * Losses and repairs, by kind, which header.counters[] counts. Reports print the text after the
 * number. Kinds are appended, never renumbered. A *loss* means that numbers are missing. A *repair*
 * means that the zone stack had come to differ from the real stack and was set right; the numbers
 * are right.
 */
#define ZPROF_COUNTERS(X)                                                                          \
	X(LOSS_BUDGET, "calls not recorded in contexts of their own: max_nodes is spent")          \
	X(LOSS_SPACE, "calls not recorded: no room in the file or in memory (make some on its "    \
		      "disk or name another by output=, raise ulimit -f, -n, -v)")                 \
	X(LOSS_NESTING,                                                                            \
	  "hook events not recorded: signal handlers interrupted hooks more than 7 deep")          \
	X(LOSS_EXIT, "exits that matched no open zone")                                            \
	X(LOSS_MODULES, "modules that could not be recorded")                                      \
	X(LOSS_ZONES, "zone names that could not be recorded")                                     \
	X(LOSS_THREADS, "threads that could not be recorded")                                      \
	X(LOSS_CALIBRATION, "times measured without a calibration of the hooks")                   \
	X(LOSS_CLOCK_BACK, "clock readings earlier than the one before: the step was not added")   \
	X(REPAIR_JUMP, "calls left without returning (exceptions, jumps, ends of threads)")        \
	X(REPAIR_HOOK,                                                                             \
	  "hooks abandoned half-way by a jump out of a signal handler, their time booked")         \
	X(REPAIR_SWITCH, "switches between stacks (signal stacks, coroutines)")                    \
	X(REPAIR_FRAME, "functions whose frame had to be found by searching the stack")            \
	X(MISUSE, "calls of the zprof API that made no sense, ignored")                            \
	X(CHECKED, "hook events at which the zone stack was compared with the real one (check=)")  \
	X(DISAGREED, "of those, zone stacks that did not agree with it")                           \
	X(LOSS_EARLY, "calls not recorded: made while the program was being loaded, before "       \
		      "anything can be (by resolvers of IFUNCs, or a malloc that the dynamic "     \
		      "linker calls)")                                                             \
	X(LOSS_SHUT, "growths of the file refused: the program had changed its root or its user "  \
		     "(chroot, setuid), and used up what was set aside for that")                  \
	X(LOSS_SHARED, "hook events not recorded: of threads made by clone() that share another "  \
		       "thread's thread-local storage (without CLONE_SETTLS)")                     \
	X(LOSS_SAMPLERS,                                                                           \
	  "threads that could not be sampled: their calls are counted, their times "               \
	  "are not known")                                                                         \
	X(LOSS_SAMPLES, "samples that found no room in the file: their time is missing")           \
	X(LOSS_WAITS, "times that the kernel's notes of waits found no room, and could not be "    \
		      "made up for: some waits are missing")                                       \
	X(LOSS_SITES, "calls whose place in the source found no room: they are counted, but on "   \
		      "no line")                                                                   \
	X(SWITCHED_OPEN,                                                                           \
	  "zones that were open when hooks were switched off, and were closed when they were "     \
	  "switched on again")                                                                     \
	X(SWITCHED_EXIT, "exits of functions that were entered while hooks were switched off")     \
	X(REFUSED_SITES, "calls of hooks that could not be switched off or on: they are not as "   \
			 "the compiler writes them (a debugger's breakpoint?)")                    \
	X(LOSS_COUNTS, "statements not counted: no room in the file for a module's counters")      \
	X(LOSS_FRAMES, "contexts, frames or calls left out of what frame=, history= and tails= "   \
		       "keep: no room in the file")                                                \
	X(UNWATCHED_OPEN, "calls that had not returned when their function was unwatched: the "    \
			  "rest of their time is their callers'")                                  \
	X(LOSS_WAITED, "waits that found no room for what was waited for (offcpu=): they are in "  \
		       "`[wait] (not told apart)`")                                                \
	X(ENTRIES_GUESSED, "calls whose caller had to be guessed: there is no call frame "         \
			   "information, and functions end without a hook")                        \
	X(LOSS_LENT_BEGINNING,                                                                     \
	  "threads of an interpreter that were found after they had begun, or "                    \
	  "never: their calls until then are missing")                                             \
	X(LOSS_LENT_STRETCH, "times that the program used a profiler of its own in a thread of "   \
			     "an interpreter: calls meanwhile are missing")                        \
	X(LOSS_LENT_INTERPRETER, "interpreters within the process whose calls are not recorded")   \
	X(LOSS_INSIDE, "samples whose place in the code gave way to others that were seen more "   \
		       "often (inside=): their time is in their function, on no line")             \
	X(LOSS_STACKS, "samples whose stack could not be followed to its beginning: they are "     \
		       "below `[stack cut]`")                                                      \
	X(LOSS_LATE, "samples that the kernel had no room for: their time is missing")             \
	X(LOSS_EVENTS, "page faults, switches or migrations that found no room in the file "       \
		       "(events=): they are in no number")                                         \
	X(LOSS_EVENT_RINGS, "times that notes of events found no room, and no later note told "    \
			    "how many (events=): some are missing")                                \
	X(LOSS_EVENT_THREADS, "threads in which an event could not be counted (events=)")          \
	X(LOSS_KERNEL, "samples in the kernel whose place there gave way to others that were "     \
		       "seen more often (inside=): their time is in `[kernel] (sampled)`")         \
	X(LOSS_CHAINS, "samples whose chain of functions gave way to others that were seen more "  \
		       "often (inside=stack): their rows `(sampled)` stand directly below the "    \
		       "function with hooks")                                                      \
	X(LOSS_CHAINS_CUT, "samples whose stack could not be followed to the function with hooks " \
			   "(inside=stack): their rows `(sampled)` stand directly below it")       \
	X(LOSS_CHAINS_DEEP,                                                                        \
	  "samples with more functions than a chain keeps (inside=stack): those "                  \
	  "in the middle are left out")                                                            \
	X(LOSS_EVENT_NOTES, "notes of events that found no room, in one of several functions "     \
			    "(events=): they are in no number")                                    \
	X(LOSS_EVENT_TURNS, "milliseconds of threads in which the processor had no counter left "  \
			    "for an event (events=): its numbers are too low")                     \
	X(LOSS_EVENT_THROTTLED, "times that the kernel stopped an event for some milliseconds "    \
				"(kernel.perf_event_max_sample_rate; events=): its numbers are "   \
				"too low")

enum zprof_counter {
#define X(name, text) ZPROF_##name,
	ZPROF_COUNTERS(X)
#undef X
	    ZPROF_COUNTERS_USED,
	ZPROF_COUNTERS_MAX = 64,
};

/* Who takes samples of where a thread is. */
enum zprof_sampler {
	ZPROF_SAMPLER_NONE = 0,   /* no samples are taken */
	ZPROF_SAMPLER_KERNEL = 1, /* the kernel (perf_event_open), in system calls too */
	ZPROF_SAMPLER_USER = 2,   /* the kernel, but not in system calls */
	ZPROF_SAMPLER_TIMER = 3,  /* a timer of the thread's CPU time, and its signal */
};

/* header.flags */
/*
 * The process ended by exit(). Without this flag, it runs, was killed, or became another by exec.
 */
#define ZPROF_FINISHED 1u
/*
 * The process is a forked child. It began with its parent's open zones, not counted again as calls.
 */
#define ZPROF_FORKED 2u
/* only= was in force: other functions are not recorded, and their time went to their callers. */
#define ZPROF_FILTERED 4u
/* The profile was made by `zprof merge`, not by the library: see struct zprof_part. */
#define ZPROF_MERGED 8u
/* The program called hooks of -pg -mfentry, which cost the function itself one instruction each. */
#define ZPROF_FENTRY 16u
/* A copy by `zprof snapshot` or `zprof reset` while the program ran: not a process of the run. */
#define ZPROF_SNAPSHOT 32u
/* The option offcpu was given: records name each wait, if the kernel allowed it. */
#define ZPROF_OFFCPU 64u
/*
 * `zprof record` has seen the process end, and has put a note into the profile if much of its time
 * is missing.
 */
#define ZPROF_END_SEEN 128u
/* A copy by `zprof archive -o`: its process has, or had, a profile of its own. */
#define ZPROF_COPY 256u
/* `zprof record -o NAME` put the profile aside: while its name is NAME~, nothing counts it. */
#define ZPROF_ASIDE 512u
/*
 * Functions of the program end without a hook (entries alone): which zones are open is known where
 * a function is entered or a sample is taken, and at no other moment.
 */
#define ZPROF_ENTRIES 1024u
/*
 * The profile was made of samples taken from outside, of a program without hooks: no node has calls
 * (`zprof record --sampled`).
 */
#define ZPROF_SAMPLED 2048u

/*
 * The first 4096 bytes. The writer has reserved `mapped_bytes` of the file; a reader reads up to
 * there, or to the file's end if it comes first. Rate of the clock: (now_ticks - start_ticks) /
 * (now_ns - start_ns) if these are 100 ms apart or more, else ticks_hz, which was measured at
 * start.
 */
struct zprof_header {
	char magic[8];
	uint32_t version;
	uint32_t byte_order;
	uint32_t header_bytes; /* 4096 */
	uint32_t node_bytes;   /* 32 */
	uint32_t clock;        /* enum zprof_clock */
	uint32_t mode;         /* enum zprof_mode */
	uint8_t run_id[16];    /* the same for all processes of a run */
	uint32_t pid;
	uint32_t parent_pid;
	uint32_t flags;
	uint32_t max_nodes;
	uint64_t ticks_hz;
	/* The tick clock, CLOCK_MONOTONIC and CLOCK_REALTIME at the same moment. */
	uint64_t start_ticks;
	uint64_t start_ns;
	uint64_t start_realtime_ns;
	uint64_t now_ticks; /* both clocks at a later moment: stored when the file grows, a thread
			       starts, and at the end; in mode COUNT only now_ns, with each sample
			       too */
	uint64_t now_ns;
	uint64_t mapped_bytes;
	/*
	 * The cost of one enter + exit pair of hooks, in thousandths of a tick, calibrated in this
	 * process: the part that is measured inside the callee's own time, the part that falls on
	 * the caller's, and how far the truth may be from their sum (half-width). Zero when the
	 * clock is fake or the calibration failed.
	 */
	uint32_t hook_callee_milliticks;
	uint32_t hook_caller_milliticks;
	uint32_t hook_error_milliticks;
	uint32_t hook_count_milliticks; /* ZPROF_MODE_COUNT: the cost of a pair */
	uint64_t counters[ZPROF_COUNTERS_MAX];
	uint32_t sampler;          /* enum zprof_sampler */
	uint32_t sample_price_ns;  /* CPU time that taking one sample costs the thread */
	uint32_t sample_period_ns; /* CPU time from one sample to the next, once the first tenth of
				      a second is over */
	uint32_t sampler_error;    /* errno of perf_event_open() if it was refused; ENOBUFS: the
				      user's memory for samples was used up */
	uint64_t archive_at;       /* from this offset on, sections hold facts about the programs
				(struct zprof_name and so on); 0: there are none */
	uint64_t native_samples;   /* of the run without hooks (struct zprof_native); 0: none */
	uint64_t native_period_ns;
	uint64_t others_cpu_ns; /* CPU time, as recording began, of all threads of the process but
				   the one that began it, also of threads before an exec */
	/*
	 * ZPROF_ENTRIES: the cost of an entry's hook, and the part of it that is in the program's code,
	 * which calls the hook, in thousandths of a tick. Zero where they were not measured, and in
	 * profiles of older libraries.
	 */
	uint32_t hook_entry_milliticks;
	uint32_t hook_entry_call_milliticks;
	uint8_t reserved[4096 - 8 - 6 * 4 - 16 - 4 * 4 - 11 * 8 - 10 * 4 - ZPROF_COUNTERS_MAX * 8];
};

/* (9 was a type of an older library.) */
enum zprof_section_type {
	ZPROF_SECTION_NONE = 0,
	ZPROF_SECTION_NODES =
	    1, /* struct zprof_node[], `used` = bytes handed out, header included; `thread`: who
		  counts here */
	ZPROF_SECTION_THREADS = 2,  /* struct zprof_thread[] */
	ZPROF_SECTION_MODULES = 3,  /* struct zprof_module, variable length */
	ZPROF_SECTION_ZONES = 4,    /* struct zprof_zone, variable length */
	ZPROF_SECTION_TEXT = 5,     /* struct zprof_text, variable length */
	ZPROF_SECTION_EXTRAS = 6,   /* struct zprof_extra[]; `thread` as for NODES */
	ZPROF_SECTION_TURNS = 7,    /* struct zprof_turns[] */
	ZPROF_SECTION_VIA = 8,      /* struct zprof_via, variable length */
	ZPROF_SECTION_SAMPLES = 10, /* struct zprof_samples[]; `thread` as for NODES */
	ZPROF_SECTION_CALLS = 11,   /* struct zprof_call[]; `thread` as for NODES */
	ZPROF_SECTION_SITES = 12,   /* struct zprof_site[] */
	ZPROF_SECTION_COUNTS = 13,  /* one struct zprof_counts, and its counters */
	ZPROF_SECTION_CHOICES = 14, /* struct zprof_choice, variable length */
	ZPROF_SECTION_WAITS = 15,   /* struct zprof_wait[]; `thread` as for NODES */
	ZPROF_SECTION_FRAMES = 32,  /* struct zprof_frames[]; `thread` as for NODES */
	ZPROF_SECTION_TALLIES = 33, /* struct zprof_tally[]; `thread` as for NODES */
	ZPROF_SECTION_HISTORY = 34, /* one struct zprof_history, then struct zprof_frame, variable
				       length; `thread` as for NODES */
	ZPROF_SECTION_SLOWEST =
	    35, /* one struct zprof_frame, variable length; `thread` as for NODES */
	ZPROF_SECTION_TAILS = 36,      /* struct zprof_tail[]; `thread` as for NODES */
	ZPROF_SECTION_UNSURE = 37,     /* struct zprof_unsure[]; `thread` as for NODES */
	ZPROF_SECTION_INSIDE = 38,     /* struct zprof_inside[]; `thread` as for NODES */
	ZPROF_SECTION_REFUSED = 39,    /* struct zprof_refused[] */
	ZPROF_SECTION_KERNEL = 41,     /* struct zprof_inside[]; `thread` as for NODES */
	ZPROF_SECTION_CHAINS = 42,     /* struct zprof_chain[]; `thread` as for NODES */
	ZPROF_SECTION_RECORDINGS = 21, /* struct zprof_recording[] */
	ZPROF_SECTION_PARTS = 16,      /* struct zprof_part, variable length: of merged profiles */
	ZPROF_SECTION_COSTS = 17,      /* struct zprof_cost[]: of merged profiles */
	ZPROF_SECTION_MEMBERS = 40,    /* struct zprof_member[]: of merged profiles */
	ZPROF_SECTION_NATIVE = 20,     /* struct zprof_native[]: written after the run */
	/* The types from here on are of merged and of archived profiles. */
	ZPROF_SECTION_NAMES = 18,      /* struct zprof_name, variable length */
	ZPROF_SECTION_PLACES = 19,     /* struct zprof_place, variable length */
	ZPROF_SECTION_STATEMENTS = 25, /* struct zprof_statements, variable length */
	ZPROF_SECTION_SOURCES = 26,    /* struct zprof_source, variable length */
	ZPROF_SECTION_PACKED =
	    22, /* struct zprof_packed: a section of NAMES, PLACES or STATEMENTS, packed */
};

/* In front of every section. Invariant: 64 <= used <= bytes; bytes % 4096 == 0. */
struct zprof_section {
	uint32_t type;
	uint32_t thread;   /* id of the thread whose section it is; 0: the whole process's */
	uint64_t bytes;    /* the whole section, this header included */
	uint64_t used;     /* from the section's start to the end of its last complete record */
	uint64_t previous; /* NODES: offset of the section before, of one zone stack; 0: none */
	uint64_t reserved[4];
};

/*
 * A zone, in 64 bits: a native function by its address as it ran (then the top byte is 0), or one
 * with a name of its own (top byte 1; the low 32 bits are the id of a struct zprof_zone). Zone 0 is
 * a thread's root.
 */
#define ZPROF_ZONE_KIND(zone) ((unsigned)((uint64_t)(zone) >> 56))
#define ZPROF_ZONE_NATIVE     0u
#define ZPROF_ZONE_NAMED      1u
#define ZPROF_ZONE_OF_ID(id)  (((uint64_t)ZPROF_ZONE_NAMED << 56) | (uint32_t)(id))
#define ZPROF_ZONE_ID(zone)   ((uint32_t)(zone))
#define ZPROF_ID_SELF         1u /* the zone `[zprof]`: the library's own slow work */
/* In no file: the zone `[kernel]`, under which reports show zprof_thread.unseen_ns. */
#define ZPROF_ID_KERNEL 0xffffffffu

struct zprof_node {
	uint64_t zone;
	uint64_t calls;      /* times this state was entered */
	uint64_t self_ticks; /* time spent in exactly this state; signed while the program runs */
	uint32_t parent;     /* reference of the state below; 0: this is a thread's root */
	uint32_t module; /* low 24 bits: id of the zprof_module a native zone lies in, 0 unknown;
			    high 8: ZPROF_NODE_* */
};

/* The module of the zone was unloaded: the address may since have become another function's. */
#define ZPROF_NODE_RETIRED 1u
/*
 * The node stands for a folded recursion: one so deep that the callees of this state are counted as
 * called by one of its ancestors, of the same zone. Calls, self times and arcs stay exact.
 */
#define ZPROF_NODE_FOLDED 2u
/*
 * All contexts (max_nodes) were used. So this state, or some of its callees, is counted in the
 * overflow table, and the totals of the zones on its path may be low.
 */
#define ZPROF_NODE_SPILLED 4u
/*
 * The node is of the overflow table, which has three layers: one node of zone 0 below the thread's
 * root; below it a node for each caller, without calls or time; below each caller a node for each
 * of its callees, with exact calls and self time of this (caller, callee).
 */
#define ZPROF_NODE_OVERFLOW 8u

/*
 * Calls of this state were counted by an interpreter and handed over in bulk (zprof_lent_add), so
 * they had no hooks.
 */
#define ZPROF_NODE_TOLD 16u

#define ZPROF_NODE_MODULE(node) ((node)->module & 0xffffffu)
#define ZPROF_NODE_FLAGS(node)  ((node)->module >> 24)

/*
 * A thread, or a lineage of threads: a new thread takes over the tree of a thread that has ended
 * and had the same first zone, so that short-lived threads do not make the profile grow. `count`
 * says how many threads a record stands for.
 *
 * The sum of self_ticks over the thread's nodes is active_ticks + (last_ticks - first_ticks), and
 * never less. If the sum is more, the thread was killed between charging a node and storing
 * last_ticks, or in a signal handler that interrupted a hook (a handler's time is taken off the
 * interrupted zone only when the hook ends). Then a reader adds the difference to last_ticks; the
 * result is a moment before the thread was killed.
 */
struct zprof_thread {
	uint64_t last_ticks;            /* clock reading of the latest hook event */
	uint32_t current[ZPROF_LEVELS]; /* the zone stacks' tops; [0] the thread's own; 0: that
					   level is not in use */
	uint64_t first_ticks;  /* clock reading when the latest thread of the lineage began */
	uint64_t active_ticks; /* sum over the earlier threads of the lineage of (last - first) */
	uint32_t id;           /* 1, 2, ...; zero: the record is not in use */
	uint32_t root;         /* reference of the root node */
	uint32_t tid;          /* kernel's id of the latest thread */
	uint32_t count;
	char name[16];       /* of the latest thread: prctl(PR_GET_NAME), zero-padded */
	uint64_t sampled_ns; /* CPU time of these threads while they were sampled */
	uint64_t unseen_ns;  /* the part of sampled_ns that no sample stands for, and that is in no
				node: samples did not come because the thread was in the kernel
				(ZPROF_SAMPLER_USER), or its processor was taken (a virtual one) */
	uint32_t part;       /* in a merged profile: id of the zprof_part of the thread */
	uint16_t recording;  /* number of the zprof_recording of the record; 0: the first */
	uint16_t continued;  /* how many of `count` have a record of an earlier recording, too */
	uint64_t program_ns; /* sum over the thread's zprof_samples of user_ns, kernel_ns and
				waited_ns; kept where zprof_call needs it */
	uint64_t looked_ns;  /* CPU time of these threads, recorded or not, until their notes were
				last read; CPU time after that is in no number */
};

/*
 * A recording goes from one beginning to its end. The first begins with the process (with its first
 * zprof_resume() or `zprof attach`, if it was started with start=off). `zprof detach` ends one, and
 * the next `zprof attach` begins another. A recording that the program itself pauses and resumes
 * stays one. A forked child's recordings begin with 1 again.
 *
 * A thread has a record, and a tree, for each recording that it had hook events in. So nodes, and
 * all records that name a node, belong to one recording. In a later recording, the zones that were
 * open when it began are nodes without calls of their own. Other records are of the process, in all
 * its recordings: turns (struct zprof_turns), counts of statements, choices of functions, and
 * header.counters. Calls that an interpreter counts by itself belong to the recording in which it
 * hands them over.
 *
 * A process that runs is being recorded if its latest recording has not ended. In a file without
 * such records there is one recording, of the whole process.
 */
#define ZPROF_RECORDINGS UINT16_MAX /* the last recording takes in all that would come after it */

struct zprof_recording {
	uint32_t number; /* 1, 2, ... ZPROF_RECORDINGS; 0: the record is not complete */
	uint32_t unused;
	uint64_t began_realtime_ns;
	uint64_t began_ns; /* CLOCK_MONOTONIC; 0: the recording has not begun (start=off) */
	uint64_t ended_ns; /* CLOCK_MONOTONIC; 0: it goes on, or lasted until the process ended */
	uint64_t began_ticks, ended_ticks;
	/* Ticks of all pauses of the process before the beginning, and before the end. */
	uint64_t began_paused_ticks, ended_paused_ticks;
};

/* Rounds a variable-length record's size up; `bytes` of such a record is always a multiple of 8. */
#define ZPROF_RECORD_BYTES(n) (((n) + 7u) & ~7u)

/*
 * A module: an executable or shared object, as it was mapped. The address of a zone minus `bias` is
 * the address in the module's own terms, as in its symbol table. If a module is unloaded and
 * another is loaded at the same place, each has a record; a node has the id of its own.
 */
struct zprof_module {
	uint32_t bytes; /* of this record */
	uint32_t id;    /* 1, 2, ... */
	uint64_t start; /* [start, end): from its first mapping to the end of its last */
	uint64_t end;
	uint64_t bias;
	uint32_t unloaded; /* 1 after dlclose */
	uint32_t build_id_bytes;
	uint8_t build_id[32]; /* longer ones are cut; 0 bytes: the module has none */
	uint32_t path_bytes;
	char path[]; /* not terminated; `[vdso]` for the kernel's */
};

/*
 * The kernel itself, with the modules that it has loaded, is a module, too, if samples were taken in
 * it: its path is this, and its build_id is the boot id (/proc/sys/kernel/random/boot_id), because its
 * addresses are others after the next boot. `bias` has the bits of an address that are the same in all
 * of its code, and the module's own address is the rest: the part that merged profiles have room for.
 */
#define ZPROF_KERNEL_PATH   "[kernel]"
#define ZPROF_KERNEL_BYTES  ((uint64_t)1 << 40)
#define ZPROF_BOOT_ID_BYTES 16u

/* Kinds of named zones. */
enum zprof_zone_kind {
	ZPROF_ZONE_OWN = 1,     /* `[zprof]` */
	ZPROF_ZONE_PRIVATE = 2, /* marked by hand, one place */
	ZPROF_ZONE_PUBLIC = 3,  /* marked by hand, shared by several places */
	ZPROF_ZONE_LENT = 4,    /* a function of an interpreter */
	ZPROF_ZONE_WAIT = 5,    /* of merged profiles: a kind of waits (struct zprof_wait) */
	ZPROF_ZONE_SAMPLED = 6, /* in no file: a function without hooks (struct zprof_inside) */
};

/*
 * More about a node: for a lent zone's node, how the zone was left, and the increase of the
 * interpreter's own counters; for a thread's root, and for any node that events= has counted
 * something of, the counters alone. `calls` of a lent zone's
 * node is how often the zone was entered, and
 *
 *     calls + reentered = returned + abandoned + (times it is open: on a zone stack now, or on one
 * put aside)
 *
 * Two records of one node add up.
 */
#define ZPROF_EXTRA_COUNTERS 4

struct zprof_extra {
	uint32_t node; /* reference; 0: the record is not complete */
	uint32_t site; /* where the zone was called from first, in the caller's source: line << 12 |
			  column, each 0 where unknown */
	uint64_t returned;
	uint64_t abandoned; /* left without returning */
	/* Entered again without a call (a continuation, a fork, another thread). */
	uint64_t reentered;
	uint64_t counter[ZPROF_EXTRA_COUNTERS]; /* signed sums, in the order of the
						   ZPROF_TEXT_COUNTER texts */
};

/*
 * What the option events= counts: the names of the counters, and of the values of the option. Any
 * node may have a struct zprof_extra for them. From INSTRUCTIONS on they are sums of samples, whose
 * period a ZPROF_TEXT_NOTE tells.
 */
#define ZPROF_EVENTS(X)                                                                            \
	X(FAULTS, "page-faults")                                                                   \
	X(SWITCHES, "context-switches")                                                            \
	X(MIGRATIONS, "migrations")                                                                \
	X(INSTRUCTIONS, "instructions")                                                            \
	X(CACHE_MISSES, "cache-misses")                                                            \
	X(BRANCH_MISSES, "branch-misses")

enum zprof_event {
#define X(name, text) ZPROF_EVENT_##name,
	ZPROF_EVENTS(X)
#undef X
	    ZPROF_EVENTS_USED,
};

/*
 * The kernel's notes, or a timer's, of the thread while a node was current: samples of where the
 * thread was, with the CPU time that they stand for, and the times in which the thread was on no
 * processor. A sample that found the thread in a hook, or on the way to one, is counted apart from
 * the program's. Two records of one node add up.
 */
struct zprof_samples {
	uint32_t node;           /* reference; 0: the record is not complete */
	uint32_t hook_samples;   /* in hooks */
	uint32_t user_samples;   /* in the program, and its libraries */
	uint32_t kernel_samples; /* in the kernel, on behalf of the program */
	uint64_t user_ns;
	uint64_t kernel_ns;
	uint64_t hook_ns;
	uint64_t waited_ns;    /* on no processor, because it waited for something */
	uint64_t preempted_ns; /* on no processor, because another thread had it */
	uint32_t waits;
	uint32_t preemptions;
};

/*
 * Time whose place could not be found for certain (ZPROF_ENTRIES). Such time stands in the samples
 * (zprof_samples: user_ns and kernel_ns) of the innermost node that may have it. Each caller of that
 * node that may have this time in its place has a record, too. Two records of one node add up.
 */
struct zprof_unsure {
	uint32_t node;       /* reference; 0: the record is not complete */
	uint32_t samples;    /* of the node's own, those that may be a caller's */
	uint64_t ns;         /* the time of these samples, and of silence that may be a caller's */
	uint64_t callees_ns; /* the time of callees, near and far, that may be this node's */
};

/*
 * The part of a node's samples (zprof_samples: user and kernel) that found the thread at one address
 * of the code (inside=1). Such code is the function's own, or that of a function without hooks which
 * the function called:
 *
 *     node pack, 100 samples
 *      +- 0x55..11d0   10 samples      in pack
 *      +- 0x7f..4188   60 samples      in deflate_slow, of libz
 *      '- the rest:    30 samples      at addresses that gave way (preload/sample/inside.h)
 *
 * Two records of one node, module and address add up.
 */
struct zprof_inside {
	uint32_t node;    /* reference; 0: the record is not complete */
	uint32_t module;  /* low 24 bits: id of the zprof_module that `address` lies in, 0: none;
			     high 8: ZPROF_INSIDE_* */
	uint64_t address; /* of the next instruction; 0: in no module */
	uint64_t samples;
	uint64_t ns; /* CPU time that these samples stand for */
};

/* The thread was in the kernel, and `address` is where the program goes on. */
#define ZPROF_INSIDE_KERNEL 1u

/*
 * In a section of type KERNEL, `address` is where in the kernel the sample found the thread, and the
 * module is the kernel (ZPROF_KERNEL_PATH). Such a record tells more of samples that other records,
 * flagged ZPROF_INSIDE_KERNEL, have by the program's address:
 *
 *     node fetch, 100 samples, 60 in the kernel
 *      +- INSIDE  0x7f..e9a3  kernel  60 samples    in read, of libc
 *      +- KERNEL  0x..81a40c          45 samples    in copy_page
 *      '- KERNEL  0x..81f010          10 samples    in clear_page; 5 samples gave way
 */

#define ZPROF_INSIDE_MODULE(inside) ((inside)->module & 0xffffffu)
#define ZPROF_INSIDE_FLAGS(inside)  ((inside)->module >> 24)

/*
 * Functions without hooks, each of which called the next, from a node's function down to the one that
 * samples found running (inside=stack), the innermost first:
 *
 *     node pack: compress2 > deflate > longest_match      60 samples
 *
 *     step   0  longest_match   1  deflate   2  compress2      count 3
 *
 * A step is where the function begins, by the call frame information. A step that is not the
 * innermost may be a part of a function. If the samples were in the kernel, step 0 is the address
 * there, flagged ZPROF_INSIDE_KERNEL, and step 1 the function that made the system call; a kernel
 * whose addresses mean nothing has module and address 0. A function that calls itself is one step.
 * Such a record tells more of samples that records of type INSIDE, or KERNEL, have too. Steps behind
 * the last are 0. Two records of one node and chain add up.
 */
#define ZPROF_CHAIN_STEPS 20

struct zprof_chain {
	uint32_t node;  /* reference; 0: the record is not complete */
	uint32_t count; /* of steps, at least 1 */
	/* Low 24 bits: id of the zprof_module; high 8: ZPROF_INSIDE_*. */
	uint32_t module[ZPROF_CHAIN_STEPS];
	uint64_t address[ZPROF_CHAIN_STEPS];
	uint64_t samples;
	uint64_t ns; /* CPU time that these samples stand for */
};

/*
 * A function that could have been recorded without hooks (plans=), but was left alone, because its plan
 * refuses it (preload/displace/plan.h). A part of it that lies elsewhere has a record of its own. Their
 * calls are not counted, and their time is their callers'; a sample's address tells that it is theirs.
 */
struct zprof_refused {
	uint64_t address;
	uint32_t bytes;  /* 0: the record is not complete */
	uint32_t module; /* low 24 bits: id of the zprof_module; high 8: ZPROF_REFUSED_* */
};

#define ZPROF_REFUSED_PART 1u /* a part of a function */

#define ZPROF_REFUSED_MODULE(refused) ((refused)->module & 0xffffffu)
#define ZPROF_REFUSED_FLAGS(refused)  ((refused)->module >> 24)

/*
 * The waits of a node (zprof_samples) in one system call, at one place of the program's or a
 * library's code, for one lock (offcpu=1). Reports show these waits as a zone of their own, below
 * the node's zone:
 *
 *     node fetch, 7 waits, 90 ms
 *      +- read      5 waits, 60 ms      [wait] read
 *      +- futex     1 wait,  20 ms      [wait] lock queue
 *      '- the rest: 1 wait,  10 ms      [wait] (not told apart)
 *
 * The rest are the node's waits without such a record, because notes of the kernel found no room.
 * Two records of one node, place, call and lock add up.
 */
struct zprof_wait {
	uint32_t node; /* reference; 0: the record is not complete */
	uint32_t flags;
	int32_t call; /* number of the system call, or ZPROF_WAIT_* */
	uint32_t unused;
	uint64_t place; /* just after the instruction of the system call; 0: there is none */
	/* Address of the lock, or of the word that futex(2) waited for; 0: unknown. */
	uint64_t object;
	/* Where the call of pthread_mutex_init() for the lock returned to; 0: unknown. */
	uint64_t made_at;
	uint64_t waits;
	uint64_t waited_ns;
	uint64_t reserved;
};

#define ZPROF_WAIT_LOCK 1u /* `object` is a lock */

#define ZPROF_WAIT_ARM64 1024 /* added to arm64's numbers of system calls, which are smaller */

#define ZPROF_WAIT_PLACE   (-1) /* the number is not known, only the place */
#define ZPROF_WAIT_OUTSIDE (-2) /* in no call: a page fault, or the thread was stopped */
#define ZPROF_WAIT_HOOK    (-3) /* in a hook: for the profile's memory, or another thread's hook */

/*
 * The calls of a node that were made at one place of the caller's code (callsites=1). For the
 * node's other calls, which are in no such record, the place is not known. Two records of one node
 * and place add up.
 *
 * The time of these calls is the sum of (clock when a call returned - clock when it was made). So
 * if `open` is not 0, the clock's value now must be added once. There are two clocks. In mode
 * EXACT, total_ticks and self_ticks are by ticks since the process's start_ticks; `last_ticks` of
 * the thread is the value now. In both modes, total_ns and self_ns are by zprof_thread.program_ns,
 * the time of samples and waits so far. Of several open calls at the same place and context (a
 * folded recursion), only the outermost takes time. The sums only serve to divide a node's time
 * among its places: ticks have the hooks' time in them, and samples have chance.
 */
struct zprof_call {
	uint32_t node;   /* reference; 0: the record is not complete */
	uint32_t module; /* low 24 bits: id of the zprof_module that `site` lies in, 0 unknown;
			    high 8: ZPROF_CALL_* */
	uint64_t site;   /* where the call returns to; see ZPROF_CALL_* */
	uint64_t calls;
	int64_t total_ticks, total_ns; /* time of these calls, callees included */
	int64_t self_ticks, self_ns;   /* their time without the callees */
	uint32_t open;                 /* calls that have not returned */
	uint32_t unused;
};

/* The function was inlined: `site` lies in its body, just after the call of the hook. */
#define ZPROF_CALL_INLINED 1u
/* A call of a lent zone: `site` is line << 12 | column of the caller's source, 0 where unknown. */
#define ZPROF_CALL_LENT 2u
/*
 * Not calls but samples, which found the thread in the node at the instruction `site`. `calls` is
 * their number, self_ns their time. In a merged profile, such a record may be of no module: then it
 * has the node's samples at places that are not known.
 */
#define ZPROF_CALL_SAMPLED 4u
/* Beside ZPROF_CALL_SAMPLED: the samples found the thread in the kernel. */
#define ZPROF_CALL_KERNEL 8u

#define ZPROF_CALL_MODULE(call) ((call)->module & 0xffffffu)
#define ZPROF_CALL_FLAGS(call)  ((call)->module >> 24)

/*
 * A site: a place in the program's code that calls a hook, and can be switched off and on by
 * storing one byte there (preload/sites/scan.h). Sites are listed when they are first switched.
 */
enum zprof_site_call {
	ZPROF_SITE_CALL = 1, /* call rel32; off: test $imm32, %eax */
	ZPROF_SITE_SLOT = 2, /* call *disp32(%rip); off: test %edx, disp32(%rip) */
	ZPROF_SITE_JUMP = 3, /* jmp rel32; off: ret */
	ZPROF_SITE_TAIL = 4, /* jmp *disp32(%rip); off: ret */
	ZPROF_SITE_AREA = 5, /* a trampoline's nop; off: jmp rel8 (preload/code/areas.h) */
};

enum zprof_site_hook {
	ZPROF_SITE_ENTER = 1, /* __cyg_profile_func_enter */
	ZPROF_SITE_EXIT = 2,  /* __cyg_profile_func_exit */
	ZPROF_SITE_FENTRY = 3,
	ZPROF_SITE_RETURN = 4,    /* __return__ */
	ZPROF_SITE_DISPLACED = 5, /* the hook that trampolines call */
};

struct zprof_site {
	uint64_t address;  /* of the byte that is stored */
	uint32_t function; /* bytes back from `address` to the beginning of its function (FDE); of a
			      trampoline, as an int32_t: its function may lie behind it */
	uint16_t module;   /* id; of a trampoline, that of its function */
	uint8_t call;      /* enum zprof_site_call, enum zprof_site_hook << 4 */
	uint8_t state;     /* ZPROF_SITE_* */
};

#define ZPROF_SITE_OFF  1u /* the site has been switched off */
#define ZPROF_SITE_GONE 2u /* the module was unloaded, or another byte is there: left alone */
/* fentry: the entry of the site's function is a site too; trampolines: always */
#define ZPROF_SITE_CHOSEN 4u

#define ZPROF_SITE_FORM(site) ((site)->call & 15u)
#define ZPROF_SITE_HOOK(site) ((site)->call >> 4)

/*
 * A choice made while the program ran: functions that match are recorded from that moment on, or
 * are not. The latest choice that a function matches holds; before the first choice, only= holds,
 * or all functions are recorded. The time of a function that is left out goes to its caller, and
 * its calls are not counted.
 */
enum zprof_choice_what {
	ZPROF_CHOICE_WATCH = 1,
	ZPROF_CHOICE_UNWATCH = 2,
};

struct zprof_choice {
	uint32_t bytes;
	uint32_t what;      /* enum zprof_choice_what */
	uint64_t ticks, ns; /* when: the tick clock, and CLOCK_MONOTONIC */
	uint32_t functions; /* how many functions matched at that moment; 0 in a forked child */
	uint32_t text_bytes;
	char text[]; /* patterns as in only=, separated by spaces */
};

/*
 * How often each basic block of a module's code ran, if it was compiled with
 * -fsanitize-coverage=trace-pc. Such a block begins with a call, which returns to some `address`;
 * counters[(address - start) / ZPROF_COUNTS_STEP] is the block's. Other counters are 0. Counters of
 * one module in two sections add up.
 */
#define ZPROF_COUNTS_STEP 4u

struct zprof_counts {
	uint32_t module; /* id of the zprof_module */
	uint32_t unused;
	uint64_t start; /* address where the module's code begins, as the program ran */
	uint64_t count;
	uint64_t counters[];
};

/* Turns of a main loop, or requests: one record per name, for all threads. */
struct zprof_turns {
	uint64_t count;
	/* Clock readings at the ends of the first and the latest turn. */
	uint64_t first_ticks, last_ticks;
	uint64_t reserved;
	char name[64]; /* ended by a zero byte; stored before count becomes 1 */
};

/*
 * ## Frames
 *
 * A frame is one turn of a main loop, or one request. zprof_frame() ends a frame and begins the
 * next; each call of a function named by frame= is a frame, from entry to return. Each thread has
 * frames of its own. Frames of one name are a *kind*: a struct zprof_frames, with which the profile
 * holds
 *
 *     zprof_frames --- wall times of all its frames: a histogram, averages
 *      |    |    '---- slowest[]: the slowest frames, whole, each in a section of its own (by wall
 *      |    |                     time, less the time in which others had the processor)
 *      |    '--------- newest -> zprof_history -> previous -> ...: the latest frames (history=)
 *      '-------------- zprof_tally of each node that ran in a frame, and of each zone that has more
 *                      than one node: its cost in the latest frame, averages, a histogram
 *
 * With ZPROF_MODE_EXACT, times are in ticks of the clock. With ZPROF_MODE_COUNT, times are in
 * nanoseconds: the wall time of a frame by CLOCK_MONOTONIC, a node's time by its samples and waits
 * (no samples, no time). The time that ending a frame takes is in no frame; the time of other work
 * of the library is in the frame, as zone `[zprof]`.
 *
 * A zone that was open throughout a frame, and outside of all zones that ran, is in the frame only
 * if it took time itself. A signal handler that interrupted a hook is in no frame.
 */
#define ZPROF_SLOWEST      8 /* frames of a kind that are kept whole */
#define ZPROF_AVERAGES     2
#define ZPROF_AVERAGE_BITS 16 /* of fraction, in averages and weights */

/*
 * Buckets of histograms: bucket i holds values from zprof_bucket_start(i) up to
 * zprof_bucket_start(i + 1). The first bucket also holds all smaller values, the last one all
 * larger values. Each octave from 2^ZPROF_FIRST_OCTAVE on is cut into 2^bits equal parts.
 */
#define ZPROF_TALLY_BITS    1u
#define ZPROF_TALLY_BUCKETS 64u
#define ZPROF_WALL_BITS     4u
#define ZPROF_WALL_BUCKETS  512u
#define ZPROF_FIRST_OCTAVE  4u

static inline uint32_t zprof_bucket(uint64_t value, uint32_t bits, uint32_t buckets)
{
	uint32_t octave, i;

	if (value >> ZPROF_FIRST_OCTAVE == 0)
		return 0;
	octave = 63 - (uint32_t)__builtin_clzll(value);
	i = (octave - ZPROF_FIRST_OCTAVE) << bits |
	    ((uint32_t)(value >> (octave - bits)) & ((1u << bits) - 1));
	return i < buckets ? i : buckets - 1;
}

static inline uint64_t zprof_bucket_start(uint32_t i, uint32_t bits)
{
	return ((uint64_t)(1u << bits | (i & ((1u << bits) - 1)))
		<< ((i >> bits) + ZPROF_FIRST_OCTAVE)) >>
	       bits;
}

#define ZPROF_FRAMES_NS       1u /* times are nanoseconds, not ticks */
#define ZPROF_FRAMES_FUNCTION 2u /* a frame is a call of `zone` (frame=) */
#define ZPROF_FRAMES_PART     4u /* nodes are missing in some frames: there was no room */

/*
 * The frames of one kind and thread. While a frame is being ended, or a zone gets a tally of its
 * own, `sequence` is odd: then some numbers may be of one frame and others of the next. Each single
 * number is always whole.
 */
struct zprof_frames {
	uint64_t sequence;
	uint32_t thread;      /* id of the zprof_thread; 0: the record is not in use */
	uint32_t flags;       /* ZPROF_FRAMES_* */
	uint64_t zone;        /* ZPROF_FRAMES_FUNCTION */
	uint64_t count;       /* frames so far: the latest one's number */
	uint64_t discarded;   /* ended, but not counted: zprof_frame_discard() */
	uint64_t begun;       /* clock when the frame under way began; 0: there is none */
	uint64_t first, last; /* clock when the first frame began, when the latest ended */
	uint64_t wall, sum, least, most; /* wall times: latest frame, sum, shortest, longest */
	/*
	 * Moving averages: weighted sums of wall times, and sums of the weights. A frame's weight
	 * falls to a half in average_time.
	 */
	uint64_t average[ZPROF_AVERAGES], weight[ZPROF_AVERAGES];
	uint64_t average_time[ZPROF_AVERAGES];
	uint64_t newest;  /* offset of the zprof_history section; 0: there is none */
	uint64_t own;     /* time that ending frames took */
	uint32_t tallies; /* number of tallies */
	uint32_t unused;
	uint32_t slowest[ZPROF_SLOWEST]; /* offset of the section / 4096, in no order; 0: none */
	char name[64];                   /* ended by a zero byte; of a function: empty */
	uint64_t reserved[7];
	uint32_t walls[ZPROF_WALL_BUCKETS];
};

/*
 * The cost of a node in the frames of a kind. A zone that has more than one node has a tally too,
 * of the sums of its nodes in each frame; if a zone has one node, the node's tally is also the
 * zone's.
 *
 * The node ran in `frames` of the kind's frames. In all others its cost is zero, but these zeros
 * are not in `least` or in a bucket. A weighted sum (average[]) is as it was when frame number
 * `frame` ended. To get an average, a reader lets the sum fall with the time since then, and
 * divides it by the kind's weight.
 */
#define ZPROF_TALLY_ZONE  1u /* the tally of a zone */
#define ZPROF_TALLY_INNER 2u /* the tally of a node with an ancestor of the same zone */
#define ZPROF_TALLY_IDLE  4u /* for the library, while a frame is ended */

struct zprof_value {
	int64_t now; /* in frame number `frame` */
	int64_t sum, least, most;
	int64_t average[ZPROF_AVERAGES];
	uint64_t reserved[2];
};

/* The node's numbers when a frame last ended. */
struct zprof_noted {
	uint64_t calls, time, waited, preempted;
};

struct zprof_tally {
	uint64_t frame; /* number of the latest frame in which the node ran */
	uint32_t node;  /* reference; of a zone's first node; 0: the record is not complete */
	uint32_t flags; /* ZPROF_TALLY_* */
	uint64_t zone;
	uint32_t frames_of; /* offset / 64 of the zprof_frames */
	uint32_t of_zone;   /* offset / 64 of the tally of the node's zone; 0: none */
	uint32_t next;      /* offset / 64 of the same node's tally for another kind; 0: none */
	uint32_t under_way; /* for the library: in which frame, discarded ones
				counted too, the node ran last */
	struct zprof_noted noted;
	uint64_t frames;            /* in how many frames the node ran */
	uint64_t waited, preempted; /* nanoseconds, in frame number `frame` */
	uint64_t ended;             /* clock when frame number `frame` ended */
	int64_t gathered;           /* for the library, while a frame is ended */
	uint64_t taken;
	uint64_t reserved[1];
	struct zprof_value calls, self, total; /* no buckets of calls */
	uint32_t selves[ZPROF_TALLY_BUCKETS];
	uint32_t totals[ZPROF_TALLY_BUCKETS];
};

/*
 * Some of the latest frames of a kind. When the memory for frames is used up, the oldest section is
 * used again: its `generation` is odd until a new frame is in it. A reader that copies a section
 * compares its generation before and after; if they differ, the copy is void.
 */
struct zprof_history {
	uint64_t generation;
	uint64_t previous;  /* offset of the zprof_history section before this one; 0: none */
	uint32_t frames_of; /* offset / 64 of the zprof_frames */
	uint32_t unused;
	uint64_t reserved[5];
};

#define ZPROF_FRAME_NODES 1u /* entries are struct zprof_frame_node: the whole frame */
#define ZPROF_FRAME_ZONES 2u /* struct zprof_frame_zone: self times by zone */
#define ZPROF_FRAME_CUT   4u /* the frame had more entries than there was room */

/* One frame, as it was. */
struct zprof_frame {
	uint32_t bytes;  /* of this record */
	uint32_t flags;  /* ZPROF_FRAME_* */
	uint64_t number; /* 1, 2, ...; 0: the record is not complete */
	uint64_t begun;
	uint64_t wall;
	uint32_t count;     /* entries */
	uint32_t frames_of; /* offset / 64 of the zprof_frames */
	int64_t ran;        /* sum of the entries' times */
	uint32_t shift;     /* ZPROF_FRAME_ZONES: bits that times lack */
	uint32_t unused;
	uint64_t reserved;
};

/* 24 bytes for each node that ran in the frame. */
struct zprof_frame_node {
	uint32_t node; /* reference */
	uint32_t calls;
	int64_t time; /* self */
	/*
	 * Time on no processor: the thread waited, or others had the processor. preempted_us is not
	 * in `time` if times are in nanoseconds.
	 */
	uint32_t waited_us, preempted_us;
};

/* 8 bytes for each zone that ran in the frame. */
struct zprof_frame_zone {
	uint32_t tally; /* offset / 64: of the zone, or of its only node */
	uint32_t self;  /* >> zprof_frame.shift */
};

/*
 * The wall times of single calls of a function in one context (tails=), with the hooks' time in
 * them; and the longest call. Times are in ticks, or in nanoseconds if ZPROF_FRAMES_NS is set.
 */
struct zprof_tail {
	uint32_t node;  /* reference: its path has the callers; 0: the record is not complete */
	uint32_t flags; /* ZPROF_FRAMES_NS */
	uint64_t calls; /* calls that have returned */
	uint64_t sum, least, most;
	uint64_t begun;     /* clock when the longest call began */
	uint32_t tid;       /* id of the thread that made the longest call */
	uint32_t frames_of; /* the frame of the longest call: offset / 64 of its zprof_frames ... */
	uint64_t frame;     /* ... and the frame's number; 0: it was in no frame */
	uint64_t sequence;  /* odd: the longest call is being stored */
	uint64_t reserved[7];
	uint32_t buckets[ZPROF_TALLY_BUCKETS];
};

/* A zone with a name. The three strings follow one another in text[], none terminated. */
struct zprof_zone {
	uint32_t bytes;
	uint32_t id;
	uint32_t kind;
	uint32_t line; /* 0: unknown */
	uint32_t name_bytes;
	uint32_t group_bytes;
	uint32_t file_bytes;
	char text[]; /* name, group, file */
};

/*
 * Code without hooks that lies between a context and its parent: a library that calls back (qsort's
 * comparison), the C library's start of a thread, the kernel's call of a signal handler. It was
 * found by unwinding the stack when the context was first entered. Later calls of the same context
 * may have come another way.
 */
struct zprof_via {
	uint32_t bytes;
	uint32_t node;  /* reference of the context that was entered */
	uint32_t count; /* of addresses */
	uint32_t whole; /* 1: the walk reached the parent, or the stack's beginning; 0: it ended
			   before */
	uint64_t addresses[]; /* return addresses, the innermost first: each is the end of a call
				 instruction */
};

/*
 * A part of a merged profile: the processes of one rank, of one run or several, which `zprof merge`
 * has put together. The part's threads are the processes' threads; threads of one name, and equal
 * contexts in them, are added up. A merged profile also holds results that reports on the original
 * profiles would show: costs of its nodes, and names of its functions.
 */
struct zprof_part {
	uint32_t bytes;
	uint32_t id;              /* 1, 2, ... */
	uint32_t pid, parent_pid; /* if the part is one process; else 0 */
	uint8_t run_id[16];       /* if the part is of one run; else zeros */
	uint32_t processes, runs;
	uint64_t start_realtime_ns; /* of the first process */
	uint64_t elapsed_ns;        /* from first start to last end, summed over runs */
	uint64_t calls;
	uint64_t samples;
	double hook_ns; /* time of the hooks of all calls */
	uint32_t rank_bytes, host_bytes, command_bytes;
	char text[]; /* rank, host, command (as a shell would have it) of the first process */
};

/*
 * A process whose profile is in a merged profile. If a reader is given this process's own profile
 * too, or another merged profile with the same process, it knows by this record that calls would
 * count twice. Members are listed for all parts together.
 */
struct zprof_member {
	uint8_t run_id[16];
	uint64_t start_realtime_ns, start_ns; /* as in the process's zprof_header */
	uint32_t pid;
	uint32_t unused;
	uint64_t calls; /* of the process, when it was merged */
};

/*
 * The time of a node of a merged profile, without the hooks' time, and the parts of its error
 * (report/core/times/cost.h). A node's waits have a record of their own: `wait_ns` is above zero,
 * `cpu_ns` and `variance` are zero, and the errors are those of the waits. Two records of one node
 * add up.
 */
struct zprof_cost {
	uint32_t node; /* reference */
	uint32_t samples;
	double ns, error_ns, all_error_ns, variance;
	double cpu_ns, wait_ns, preempted_ns;
	int64_t waits, preemptions;
};

/*
 * The CPU time of a node when all hooks are off, from samples of a second run, in which nothing was
 * counted (`zprof record --native`; report/second_run/native_times.h). A node without a record was
 * in no sample.
 */
struct zprof_native {
	uint32_t node; /* reference */
	/* A rounded number, since samples whose stack fits several nodes are divided among them. */
	uint32_t samples;
	double cpu_ns;
	double variance; /* of cpu_ns, in ns squared */
	uint64_t reserved;
};

/*
 * Facts about the programs themselves, which `zprof merge` and `zprof archive` write. With them,
 * reports show the same on another machine, or when the program has been built again. Addresses are
 * in the module's own terms: the address as the program ran, less the module's `bias`.
 */

/*
 * A function that was entered, whose statements were counted, that called back (zprof_via), or in which
 * a sample was. Of one that no symbol names, the name says where it begins, and the linkage name is empty.
 */
struct zprof_name {
	uint32_t bytes;
	uint32_t module;
	uint64_t start, size;     /* size 0: unknown */
	uint64_t code;            /* a hash of its machine code without addresses; 0: unknown */
	uint32_t line, last_line; /* 0: unknown */
	uint32_t name_bytes, linkage_bytes, file_bytes;
	uint32_t compiler_bytes; /* how the compiler names itself: `GNU C17 12.2.0 -g -O2` */
	char text[];             /* name, linkage name, file, compiler */
};

/* Where in the source a zprof_call was made. */
struct zprof_place {
	uint32_t bytes;
	uint32_t module; /* 0: a lent zone makes the call, and `address` is the call's `site` */
	uint64_t address;
	uint32_t flags;        /* ZPROF_CALL_* */
	uint32_t line, column; /* 0: unknown */
	uint32_t file_bytes;
	char text[]; /* file */
};

/* A line of the source with code in a function that has counters, and the block with that code. */
struct zprof_statement {
	uint32_t line, column; /* column 0: unknown */
	uint32_t block;        /* where the block's call returns to, from the function's start */
};

/*
 * A flag in `block`: the line's code is not in the block, but the block jumps to that code, which
 * has no counter of its own.
 */
#define ZPROF_STATEMENT_JUMPS 0x80000000u

/* The lines of one file with code in a function that has counters (zprof_counts). */
struct zprof_statements {
	uint32_t bytes;
	uint32_t module;
	uint64_t start; /* of the function, which has a zprof_name too */
	uint32_t count;
	uint32_t file_bytes;
	struct zprof_statement list[]; /* `count` of them, and then the file's name */
};

/* A source file. */
struct zprof_source {
	uint32_t bytes;
	uint32_t path_bytes;
	uint64_t text_bytes;
	uint32_t packed_bytes;
	char data[]; /* path, as in the records above; then the text, packed by zlib's compress() */
};

/* The records of a section of type `type`, packed by zlib's compress(). */
struct zprof_packed {
	uint32_t type;
	uint32_t unused;
	uint64_t records_bytes, packed_bytes;
	uint8_t data[];
};

enum zprof_text_kind {
	ZPROF_TEXT_COMMAND = 1, /* the arguments, each ended by a zero byte */
	ZPROF_TEXT_EXE = 2,     /* path of the executable */
	ZPROF_TEXT_HOST = 3,
	ZPROF_TEXT_RANK = 4, /* of a parallel job (MPI), as its launcher names it */
	ZPROF_TEXT_OPTIONS = 5,
	ZPROF_TEXT_COUNTER = 7, /* name of an interpreter's counter; the first such text names
				   zprof_extra.counter[0], and so on */
	ZPROF_TEXT_NOTE =
	    6, /* one line for people, which reports show at the top: something unusual, and why */
};

struct zprof_text {
	uint32_t bytes;
	uint32_t kind;
	uint32_t text_bytes;
	char text[];
};

_Static_assert((ZPROF_FINISHED ^ ZPROF_FORKED ^ ZPROF_FILTERED ^ ZPROF_MERGED ^ ZPROF_FENTRY ^
		ZPROF_SNAPSHOT ^ ZPROF_OFFCPU ^ ZPROF_END_SEEN ^ ZPROF_COPY ^ ZPROF_ASIDE ^
		ZPROF_ENTRIES ^ ZPROF_SAMPLED) == 4095,
	       "each flag has a bit of its own");
_Static_assert(sizeof(struct zprof_header) == ZPROF_GRANULE, "header fills one granule");
_Static_assert(sizeof(struct zprof_section) == 64,
	       "section header keeps nodes and threads aligned");
_Static_assert(sizeof(struct zprof_node) == ZPROF_NODE_BYTES, "two nodes a cache line");
_Static_assert(sizeof(struct zprof_extra) == 64, "one cache line");
_Static_assert(sizeof(struct zprof_samples) == 64, "one cache line");
_Static_assert(sizeof(struct zprof_wait) == 64, "one cache line");
_Static_assert(sizeof(struct zprof_unsure) == 24, "no padding");
_Static_assert(sizeof(struct zprof_inside) == 32, "two records a cache line");
_Static_assert(sizeof(struct zprof_chain) == 264, "no padding");
_Static_assert(sizeof(struct zprof_call) == 64, "one cache line");
_Static_assert(sizeof(struct zprof_site) == 16, "no padding");
_Static_assert(sizeof(struct zprof_choice) == 32, "no padding");
_Static_assert(sizeof(struct zprof_cost) == 80, "no padding");
_Static_assert(sizeof(struct zprof_member) == 48, "no padding");
_Static_assert(sizeof(struct zprof_native) == 32, "no padding");
_Static_assert(sizeof(struct zprof_turns) == 96, "no padding");
_Static_assert(sizeof(struct zprof_frames) == 320 + ZPROF_WALL_BUCKETS * 4, "cache lines");
_Static_assert(sizeof(struct zprof_tally) == 320 + 2 * ZPROF_TALLY_BUCKETS * 4, "cache lines");
_Static_assert(sizeof(struct zprof_history) == 64, "one cache line");
_Static_assert(sizeof(struct zprof_frame) == 64, "no padding");
_Static_assert(sizeof(struct zprof_frame_node) == 24, "no padding");
_Static_assert(sizeof(struct zprof_tail) == 128 + ZPROF_TALLY_BUCKETS * 4, "cache lines");
_Static_assert(sizeof(struct zprof_thread) == 128, "two cache lines, none shared between threads");

#endif

/* SPDX-License-Identifier: MIT */
/*
 * below.h - functions without hooks as zones of their own, below the zone that called them (--below).
 *
 *     pack  self 100 ms                pack  self 10 ms
 *                               -->     +- deflate_slow (sampled)         60 ms
 *                                       +- longest_match (sampled)        25 ms
 *                                       +- [kernel] copy_page (sampled)    4 ms
 *                                       '- [kernel] (sampled)              1 ms
 *
 * A sample knows the instruction that ran (preload/sample/inside.h). The time of samples that lie in
 * another function than the zone's moves from the node to a child, so all sums stay as they were: the
 * self of a zone as it is without --below is the sum of its self and of the rows `(sampled)` that
 * stand directly below it. Such a zone is a function like any other for views, filters, groups (it is
 * in the group `sampled`) and exports. It has no calls, since nobody counted any. A row stands
 * directly below the zone, although other functions of the library may lie between: a sample has one
 * address.
 *
 * With inside=stack, the chain of functions between zone and address is known, too, of most samples
 * (preload/sample/chains.h). Then a row is divided among the chains that end in its function, and the
 * functions of a chain stand below one another. The rows of a function have, together, what its row has
 * without chains, and samples without a chain stay in a row directly below the zone:
 *
 *     pack  self 10 ms                          pack  self 10 ms
 *      +- deflate_slow (sampled)  60 ms          +- deflate (sampled)               self  0 ms
 *      '- longest_match (sampled) 25 ms   -->    |   '- deflate_slow (sampled)      self 60 ms
 *                                                |       '- longest_match (sampled) self 23 ms
 *                                                '- longest_match (sampled)         self  2 ms
 *
 * A row for the kernel stands below the function that made the system call. What stays in the zone's
 * self is no step of a chain.
 *
 * Samples in the kernel have their place there, too, but the kernel's addresses mean something only
 * until the next boot, and only to those who may read its symbols (symbolize/kernel.h). So `zprof
 * record`, `archive` and `merge` put the names into the profile, and a report on another profile looks
 * them up if this is still the same boot. What has no name is in the row `[kernel] (sampled)`. All rows
 * of the kernel together are as much as that row alone is without names.
 *
 * These samples stay in the zone's self:
 *
 *   - those of the function itself, and of its parts (`pack.cold`), and of code without a symbol in
 *     the function's own module, which may be the function itself;
 *   - those in a function that has hooks, since they lie before its first hook, or behind its last;
 *   - those whose place is not known, if few samples of the context have one.
 *
 * Only time on a processor is divided: a wait is on no instruction. A child has its share of the
 * variance, as a line of the source has (report/annotate/lines.h), so error bars say how much of a row
 * may be chance.
 *
 * A long stretch without hooks fills the kernel's memory for notes after some 80 samples. The rest of
 * the stretch is known to be its node's, and at no address. If enough samples of the node have one, the
 * rest is divided in the same proportions (tree_sampled_weight()), and the error bars include that.
 */
#ifndef REPORT_BELOW_H
#define REPORT_BELOW_H

struct load;

/* Divides the self times of all contexts of L, once, after all profiles have been loaded. */
void below_divide(struct load *l);

#endif

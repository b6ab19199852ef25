#!/bin/sh
# SPDX-License-Identifier: MIT
# Each rule of the planner: small functions in assembly, and what the plan must say of each. With `all` (make test-long), each rule is then
# taken out of the planner's source, and some function's plan must change.
. "${0%/*}/../lib/tap.sh"
root=$(cd "${0%/*}/../.." && pwd)
here=$root/tests/plan
cd "$TEST_TMP" || exit 2

gcc -shared -nostdlib -Wl,--build-id -o rules.so "$here/rules.s" && gcc -no-pie -static -nostdlib -Wl,--build-id -o rules_fixed "$here/rules_fixed.s" || exit 2
for name in rules.so rules_fixed; do
	nm "$name" | awk '{ sub(/^0*/, "", $1); print $1, $3 }' | sort >"$name.names"
	sed -n 's/^#= //p' "$here/${name%.so}.s" | sort >"$name.expected"
done

# Prints NAME CLASS REASON, or NAME CLASS of OWNER, of each function that the source speaks of.
plan_of() { # PRINTER FILE
	"$1" "$2" | awk -v names="$2.names" -v expected="$2.expected" '
		BEGIN {
			while ((getline line <expected) > 0) { split(line, word, " "); wanted[word[1]] = 1 }
			while ((getline line <names) > 0) { split(line, word, " "); if (word[2] in wanted) name[word[1]] = word[2] }
		}
		$1 in name { print name[$1] " " $2 ($3 == "of" ? " of " name[$4] : $3 == "" ? "" : " " $3) }' | sort
}
compile() { # SOURCE OBJECT
	gcc -std=gnu11 -O0 -w -I"$root" -c "$1" -o "$2"
}
for file in "$root"/symbolize/plan/*.c "$root/symbolize/instruction.c" "$root/preload/displace/plan_read.c" "$root/tests/tools/plan_print.c"; do
	compile "$file" "$(basename "$file" .c).o" || exit 2
done
gcc ./*.o -o print -lelf || exit 2
for name in rules.so rules_fixed; do
	plan_of ./print "$name" >"$name.got"
	same "the plan of $name: $(wc -l <"$name.expected") functions" "$name.expected" "$name.got"
done

[ "${1:-}" = all ] || { finish; exit; }

# FILE, and what in it is replaced by what: with that, the rule is gone.
while IFS=@ read -r file from to; do
	what="without '$from' in $file the plans differ"
	FROM=$from TO=$to perl -0pe 'BEGIN { ($f, $t) = ($ENV{FROM}, $ENV{TO}) } $n = s/\Q$f\E/$t/g; END { exit !$n }' \
		"$root/symbolize/plan/$file" >less.c || { tap 1 "$what: there is no such text" || continue; }
	mv "${file%.c}.o" kept
	compile less.c "${file%.c}.o" && gcc ./*.o -o less -lelf
	built=$?
	mv kept "${file%.c}.o"
	[ $built = 0 ] || { tap 1 "$what: the rest is no C" || continue; }
	for name in rules.so rules_fixed; do plan_of ./less "$name"; done >changed 2>&1
	! cat rules.so.got rules_fixed.got | cmp -s - changed
	tap $? "$what"
done <<'RULES'
windows.c@m->refused[PLAN_REFUSAL_CALL] |= called;@
windows.c@m->refused[PLAN_REFUSAL_BYTE_BRANCH] |= i->by_rsp;@
windows.c@i->kind == INSTRUCTION_LOOP ||@
windows.c@i->kind == INSTRUCTION_XBEGIN;@0;
windows.c@m->refused[PLAN_REFUSAL_SYSCALL] |= i->kind == INSTRUCTION_SYSCALL;@
windows.c@i->kind == INSTRUCTION_FAR ||@
windows.c@(i->from_here && i->narrow_address) ||@
windows.c@at < PLAN_JUMP_BYTES && !m->refused[PLAN_REFUSAL_TARGET];@0;
windows.c@while (at < PLAN_JUMP_BYTES && ended &&@while (at < PLAN_JUMP_BYTES &&
windows.c@m.refused[PLAN_REFUSAL_TARGET] |= is_target_inside(&m, fde->start);@
windows.c@(w->patch == start)@1
windows.c@m.refused[PLAN_REFUSAL_LOOP] = m.code->own_jump;@
windows.c@m.refused[PLAN_REFUSAL_INDIRECT] = m.code->no_table && may_be_entered(&m, n);@
windows.c@m.code->no_table && may_be_entered(&m, n);@m.code->no_table;
windows.c@p->rules[low].rule == FRAMES_OTHER ||@
windows.c@at != fde->start && jumps@jumps
windows.c@m.code->unknown || m.code->mixed;@m.code->mixed;
windows.c@m.code->unknown || m.code->mixed;@m.code->unknown;
sweep.c@		planner_stray(p, (uint32_t)to);@
sweep.c@bytes[at - 1] != 0xf0@1
windows.c@target < 0 || target >= m->p->module.image_bytes@0
sweep.c@	planner_target(p, to);@
sweep.c@p->codes[from].own_jump |= to == p->frames.fdes[from].start;@
sweep.c@if (i->opcode == 0x8d)@if (0)
sweep.c@			planner_evidence(p, displacement - low);@			;
sweep.c@planner_evidence(p, value - low);@
sweep.c@bool framed = rule != FRAMES_AT_ENTRY;@bool framed = true;
sweep.c@look(p, PLANNER_NONE, at, bytes + at, &i, FRAMES_AT_ENTRY);@
sweep.c@planner_evidence(p, to);@planner_target(p, to);
evidence.c@type == STT_NOTYPE@0
evidence.c@type == STT_FUNC ||@
evidence.c@type == R_X86_64_RELATIVE ||@
evidence.c@if (p->module.fixed)@if (0)
tables.c@		planner_set(p, p->targets, to);@
tables.c@c->own_table = true;@
tables.c@c->own_jump |= to == start;@
tables.c@p->codes[code].jumped = true;@
tables.c@t.entry_bytes = 8;@break;
tables.c@is_end(p, *to)@0
tables.c@*to - own->start < own->bytes ||@
classes.c@if (c->stubs)@if (0)
classes.c@if (c->signal)@if (0)
classes.c@if (c->outermost)@if (0)
classes.c@if (c->framed)@if (0)
classes.c@!c->evidence && c->jumped &&@c->jumped &&
classes.c@c->jumped_framed ||@
classes.c@c->from_table != PLANNER_NONE ||@
classes.c@jumps_back(p, n) ||@
classes.c@% 16 != 0@% 1 != 0
classes.c@	own_by_jumps(p, true, true);@
classes.c@	own_by_jumps(p, true, false);@
classes.c@	own_by_tables(p);@
classes.c@owner = steps < 8 ? p->codes[owner].owner : PLANNER_NONE;@break;
classes.c@p->codes[c->owner].no_table = true;@
classes.c@p->codes[j->to].own_jump = true;@;
RULES
finish

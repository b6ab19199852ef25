#!/bin/sh
# SPDX-License-Identifier: MIT
# The script of action.yml: compares profiles, writes the summary of the job, and ends with the gate's status.
#
# Everything comes from the environment: GATE_BEFORE, GATE_AFTER and GATE_FAIL (lines), GATE_GROUPS, GATE_MARKDOWN,
# GATE_JUNIT, GATE_BENCHER (files, may be empty), GATE_ZPROF (the command); GITHUB_STEP_SUMMARY and GITHUB_OUTPUT (files) where the
# runner gives them. 0: passed, 3: a condition was broken, else the gate could not be run.
set -eu
newline='
'
zprof=${GATE_ZPROF:-zprof}

lines() { # TEXT: as shell words, one for each line that is not empty
	printf '%s\n' "$1" | sed "/^[[:space:]]*\$/d; s/'/'\\\\''/g; s/^/'/; s/\$/'/" | tr '\n' ' '
}
conditions() { printf '%s\n' "${GATE_FAIL:-calls>0%}" | sed '/^[[:space:]]*$/d' | sed 's/^/--fail=/'; }

before=$(lines "${GATE_BEFORE:?no profile of before is named}")
after=$(lines "${GATE_AFTER:?no profile of after is named}")
options=$(lines "$(conditions)${GATE_GROUPS:+${newline}--groups=$GATE_GROUPS}")

compare() { # FORM: `zprof diff` in that form, or as text
	eval "\"\$zprof\" diff ${1:+"$1"} $options $before -- $after"
}

status=0
compare '' || status=$?
[ "$status" = 0 ] || [ "$status" = 3 ] || exit "$status"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || compare --markdown >>"$GITHUB_STEP_SUMMARY" || [ $? = 3 ]
[ -z "${GATE_MARKDOWN:-}" ] || compare --markdown >"$GATE_MARKDOWN" || [ $? = 3 ]
[ -z "${GATE_JUNIT:-}" ] || compare --junit >"$GATE_JUNIT" || [ $? = 3 ]
[ -z "${GATE_BENCHER:-}" ] || compare --bencher >"$GATE_BENCHER" || [ $? = 3 ]
if [ -n "${GITHUB_OUTPUT:-}" ]; then
	[ "$status" = 0 ] && failed=false || failed=true
	echo "failed=$failed" >>"$GITHUB_OUTPUT"
fi
exit "$status"

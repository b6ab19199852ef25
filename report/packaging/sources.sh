#!/bin/sh
# SPDX-License-Identifier: MIT
# sources.sh - the sources as a tar archive on stdout, all below a folder NAME: of the last commit, or of a tree without git.
#
#   report/packaging/sources.sh NAME
set -eu
cd "$(dirname "$0")/../.."
if [ -e .git ]; then
	git archive --format=tar --prefix="$1/" HEAD
else
	tar -c --exclude=./build --transform "s|^\.|$1|" --sort=name --owner=0 --group=0 .
fi

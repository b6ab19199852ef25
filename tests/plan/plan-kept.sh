#!/bin/sh
# SPDX-License-Identifier: MIT
# Plans are kept in the user's cache folder, and a kept one is used only if it is whole, the user's own, and the file's.
. "${0%/*}/../lib/tap.sh"
cd "$TEST_TMP" || exit 2
zprof=$ZPROF_BUILD/zprof
unset XDG_CACHE_HOME
export HOME="$TEST_TMP/home"
mkdir home

echo 'int f(int x) { return x * 3; } int g(int x) { return x + f(x); }' >lib.c
gcc -O1 -fno-inline -shared -fPIC -Wl,--build-id=sha1 lib.c -o lib.so
gcc -O1 -fno-inline -shared -fPIC -Wl,--build-id=sha1 -Dg=h lib.c -o other.so
gcc -O1 -fno-inline -shared -fPIC -Wl,--build-id=none lib.c -o nameless.so
id=$(readelf -n lib.so | sed -n 's/.*Build ID: //p')
plans=home/.cache/zprof

umask 0
"$zprof" plan --functions lib.so >first 2>said
is "a plan is made without a word" "" "$(cat said)"
plan=$plans/$(cd $plans && ls)
is "there is one file, with the build-id in its name" "1 $id" "$(find $plans -type f | wc -l) $(basename "$plan" | sed 's/\..*//')"
is "folder and file are the user's alone" "700 700 600" "$(stat -c %a home/.cache $plans "$plan" | tr '\n' ' ' | sed 's/ $//')"
inode=$(stat -c %i "$plan")
cp "$plan" good

kept() { # WHAT: the plan that is kept is used
	"$zprof" plan --functions lib.so >again 2>said
	[ "$(stat -c %i "$plan")" = "$inode" ] && cmp -s first again && [ ! -s said ]
	tap $? "$1"
}
made() { # WHAT: the plan that is kept is replaced by a new one, which is right
	before=$(stat -c %i "$plan" 2>/dev/null)
	"$zprof" plan --functions lib.so >again 2>said
	[ "$(stat -c %i "$plan")" != "$before" ] && [ ! -L "$plan" ] && cmp -s "$plan" good && cmp -s first again && [ ! -s said ]
	tap $? "$1" || sed 's/^/# /' said
	inode=$(stat -c %i "$plan")
}
kept "a plan that is kept is used"
"$zprof" plan --anew lib.so >/dev/null
[ "$(stat -c %i "$plan")" != "$inode" ] && cmp -s "$plan" good
tap $? "--anew makes the same plan again"
inode=$(stat -c %i "$plan")

printf 'x' | dd of="$plan" bs=1 seek=150 conv=notrunc 2>/dev/null
made "a damaged plan is replaced"
truncate -s 200 "$plan"
made "a plan that was cut off is replaced"
: >"$plan"
made "an empty plan is replaced"
chmod 666 "$plan"
made "a plan that others can write is replaced"
"$zprof" plan other.so >/dev/null
cp "$plans/$(readelf -n other.so | sed -n 's/.*Build ID: //p')".*.plan "$plan"
made "another file's plan under this name is replaced"
rm "$plan" && cp good elsewhere && ln -s "$PWD/elsewhere" "$plan"
made "a symbolic link is replaced, and not followed"
cmp -s elsewhere good
tap $? "what the link led to is as it was"
rm "$plan" && mkfifo "$plan"
made "a FIFO is replaced, and not waited for"
if [ "$(id -u)" = 0 ]; then
	chown 12345 "$plan"
	made "another user's plan is replaced"
else
	skip "another user's plan is replaced" "only root can make one"
fi
rm "$plan" && mkdir "$plan"
"$zprof" plan --functions lib.so >again 2>said
cmp -s first again && grep -q "the plan of 'lib.so' is not kept: .*cannot be written" said
tap $? "a folder in its place stays, and is told" || sed 's/^/# /' said
rmdir "$plan"

refuses() { # WHAT: no plan is written there
	"$zprof" plan --functions lib.so >again 2>said
	cmp -s first again && grep -q "the plan of 'lib.so' is not kept: " said && [ -z "$(ls $plans/)" ]
	tap $? "$1" || sed 's/^/# /' said
}
rm -f $plans/*
chmod 777 $plans
refuses "a folder that others can write to is not used"
chmod 700 $plans
mv $plans moved && ln -s "$PWD/moved" $plans
refuses "a folder that is a link is not used"
rm $plans && echo >$plans
"$zprof" plan --functions lib.so >again 2>said
cmp -s first again && grep -q "is not kept" said
tap $? "a file in place of the folder is told"
rm $plans
HOME=relative "$zprof" plan --functions lib.so >again 2>said
cmp -s first again && [ ! -e relative ] && grep -q 'is not kept' said
tap $? "without an absolute name of a folder, nothing is kept"
XDG_CACHE_HOME=$TEST_TMP/xdg "$zprof" plan lib.so >/dev/null 2>said
[ -d xdg/zprof ] && [ ! -s said ]
tap $? "XDG_CACHE_HOME names another folder"

"$zprof" plan nameless.so >/dev/null
cp nameless.so nameless2.so && "$zprof" plan nameless2.so nameless.so >/dev/null
is "files without build-id have plans by inode" 2 "$(find $plans -name 'file-*' | wc -l)"
sleep 0.01 && touch nameless.so && "$zprof" plan nameless.so >/dev/null
is "and by time" 3 "$(find $plans -name 'file-*' | wc -l)"
is "nothing else is left" 3 "$(find $plans -type f | wc -l)"

# ---- what has no plan
printf 'no ELF' >text
: >empty
gcc -c -O1 lib.c -o lib.o
gcc -shared -fPIC -fno-asynchronous-unwind-tables -nostdlib lib.c -o frameless.so
is "files that are no programs, or have no frames, are told" "empty: no plan: the module is not x86-64 code of an ELF program or library
frameless.so: no plan: the module has no .eh_frame, which tells where functions begin
lib.o: no plan: the module is not x86-64 code of an ELF program or library
text: no plan: the module is not x86-64 code of an ELF program or library" "$("$zprof" plan empty frameless.so lib.o text)"
"$zprof" plan nowhere 2>said
is "a file that is not there is told, with status 1" "1 zprof: cannot plan 'nowhere': No such file or directory" "$? $(cat said)"
# Damaged tables: the planner must live.
cp lib.so whole.so
n=0 crashed=0
while [ $n -lt 60 ]; do
	n=$((n + 1))
	cp whole.so broken.so
	at=$((n * 7919 * 13 % $(stat -c %s whole.so)))
	printf '\377\177\377\377' | dd of=broken.so bs=1 seek=$at conv=notrunc 2>/dev/null
	"$zprof" plan --functions --anew broken.so >/dev/null 2>&1
	[ $? -le 1 ] || crashed=$((crashed + 1))
done
is "60 damaged libraries end no command" 0 $crashed
finish

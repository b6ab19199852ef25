#!/bin/sh
# SPDX-License-Identifier: MIT
# any_same.sh - large programs of this system, as they are installed, do the same recorded by `zprof record --any` as by themselves: clang
# compiles sqlite to the same object; sqlite makes the same database; node prints the same; redis, with threads for its clients, has the same
# data after the same load.
cd "${0%/*}/../.." || exit 2
. tests/lib/tap.sh
: "${ZPROF_BUILD:?is set by make}"
unset ZPROF_OPTIONS LD_PRELOAD
export LC_ALL=C
tests/real/packages.sh "$ZPROF_BUILD/real/any" redis-server redis-tools || exit 1
redis=$ZPROF_BUILD/real/any/root/usr/bin
source=$(tests/real/source.sh sqlite3 "$ZPROF_BUILD/real") || exit 1
tree=$PWD
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
recorded() { "$ZPROF_BUILD/zprof" record --any --quiet -o p.zp -- "$@" 2>messages; }
calls() { "$ZPROF_BUILD/zprof" report p.zp 2>/dev/null | sed -n '/^elapsed/s/.*; \([0-9,]*\) calls.*/\1/p' | tr -d ,; }
was_recorded() { # WHAT CALLS: at least so many
	[ "$(calls)" -ge "$2" ]
	tap $? "$1 was recorded: $(calls) calls" || sed 's/^/# /' messages
	rm -f p.zp*
}

(mkdir made && cd made && "$source/configure" --disable-tcl --disable-readline && make sqlite3.c) >made.log 2>&1 || exit 1
mv made/sqlite3.c .
clang -w -O1 -c sqlite3.c -o plain.o && recorded clang -w -O1 -c sqlite3.c -o recorded.o
holds "clang compiles sqlite to the same object" cmp plain.o recorded.o
was_recorded clang 100000000

sed 's/TURNS/5/' "$tree/tests/bench/inside_lines.sql" >script.sql
sqlite3 -batch plain.db <script.sql >plain.out && recorded sqlite3 -batch recorded.db <script.sql >recorded.out
same "sqlite prints the same" plain.out recorded.out
sqlite3 plain.db .dump >plain.sql && sqlite3 recorded.db .dump >recorded.sql
same "and its database is the same" plain.sql recorded.sql
was_recorded sqlite 1000000

cat >work.js <<'END'
const made = [];
for (let i = 0; i < 20000; i++) made.push({id: i, name: 'word' + i % 997, at: Math.sin(i), list: [...Array(i % 5).keys()]});
const text = JSON.stringify(made.sort((a, b) => a.at - b.at));
const hash = require('crypto').createHash('sha256').update(require('zlib').gzipSync(text)).digest('hex');
console.log(hash, /word9(\d)7/.exec(text)[0], [...new Set(made.map(m => m.name))].length);
END
if command -v node >/dev/null; then
	node work.js >plain.out && recorded node work.js >recorded.out
	same "node prints the same" plain.out recorded.out
	was_recorded node 100000
else
	skip "node prints the same" "there is no node (nodejs)"
fi

# Keys and values of the load are known, and each is set by one client; what clients do at once changes no value. Of a client's 500 keys
# 167 are deleted, and it makes a list, a hash, a sorted set and a sum: 337.
serve() { # NAME COMMAND...
	name=$1
	shift
	rm -rf socket && mkdir -p "$name"
	"$@" "$redis/redis-server" --port 0 --unixsocket "$work/socket" --io-threads 2 --io-threads-do-reads yes --save '' --dir "$work/$name" \
		--daemonize no --enable-debug-command local >"$name.log" 2>&1 &
	server=$!
	cli="$redis/redis-cli -s $work/socket"
	for _ in $(seq 600); do $cli ping 2>/dev/null | grep -q PONG && break; sleep 0.1; done
	for client in 1 2 3 4 5 6 7 8; do
		awk -v c=$client 'BEGIN { for (i = 0; i < 500; i++) {
			print "SET key:" c ":" i " value" i * c; print "LPUSH list:" c " " i; print "HSET hash:" c " f" i % 50 " " i
			print "ZADD set:" c " " i % 100 " m" i; if (i % 3 == 0) print "DEL key:" c ":" i; print "INCRBY sum:" c " " i } }' |
			$cli >/dev/null &
		clients="$clients $!"
	done
	wait $clients
	clients=
	$cli debug digest >"$name.digest" 2>&1 || $cli dbsize >"$name.digest"
	$cli dbsize >>"$name.digest"
	$cli shutdown nosave >/dev/null 2>&1
	wait $server
	echo "status $?" >>"$name.digest"
}
clients=
serve plain
serve recorded "$ZPROF_BUILD/zprof" record --any --quiet -o p.zp --
is "redis has all keys of the load" 2696 "$(sed -n 2p plain.digest)"
same "redis has the same data after the same load of 8 clients, with threads for its clients" plain.digest recorded.digest
was_recorded redis 1000000
finish

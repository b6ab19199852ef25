# SPDX-License-Identifier: MIT
# receiver.sh - a receiver of profiles (tests/fleet/receiver.py) for a test. Sourced, after golden.sh or tap.sh.
#
#   receive NAME ANSWER...   starts a receiver; $url is its address, NAME/ has what it received
#   stop_receiver            ends it
#   requests NAME            how many requests it has had
#   wrong NAME               what was wrong with them, in lines
#   asked NAME N KEY...      a value of request N: `query name`, `header authorization`, `form sample_type_config`
#   hold_deaf_port           $deaf_url becomes an address where nobody listens, until release_deaf_port
receiver_py=$(cd "${0%/*}/../fleet" && pwd)/receiver.py
receiver=
unset ZPROF_SERVICE ZPROF_REVISION ZPROF_LABELS ZPROF_PUSH_TOKEN ZPROF_PUSH_TOKEN_FILE ZPROF_PUSH_TENANT ZPROF_PUSH_CA
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy

receive() {
	received=$1
	shift
	mkdir -p "$received"
	/usr/bin/python3 "$receiver_py" "$received" "$@" 2>"$received/errors" &
	receiver=$!
	while [ ! -e "$received/port" ] && kill -0 $receiver; do sleep 0.05; done
	url=http://127.0.0.1:$(cat "$received/port")
	[ "$1" != --tls ] || url=https://127.0.0.1:$(cat "$received/port")
}
stop_receiver() {
	kill $receiver
	wait $receiver 2>errors
	receiver=
}
requests() { find "$1" -name '*.json' | wc -l; }
wrong() { /usr/bin/python3 -c 'import json, sys
for file in sys.argv[1:]: print(*json.load(open(file))["wrong"], sep="\n", end="")' "$1"/*.json; }
asked() { /usr/bin/python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))
for key in sys.argv[2:]: found = found.get(key, {}) if isinstance(found, dict) else found
print(found or "")' "$1/$2.json" "$3" "$4"; }
# The port is bound and nobody listens: no other process can take it.
deaf=
hold_deaf_port() {
	/usr/bin/python3 -c 'import os, signal, socket
s = socket.socket(); s.bind(("127.0.0.1", 0))
open("deaf.new", "w").write("http://127.0.0.1:%d" % s.getsockname()[1]); os.rename("deaf.new", "deaf")
signal.pause()' &
	deaf=$!
	while [ ! -e deaf ] && kill -0 $deaf; do sleep 0.05; done
	deaf_url=$(cat deaf)
}
release_deaf_port() {
	kill $deaf
	wait $deaf 2>errors
	rm -f deaf
}

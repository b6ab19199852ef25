#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof push` and `zprof record --push`: what a receiver is told (the receiver checks it by its documentation), what becomes of a profile
# that is not received, and who gets to see a secret.
. "${0%/*}/../lib/golden.sh"
. "${0%/*}/../lib/receiver.sh"
zprof=$ZPROF_BUILD/zprof
root=$(cd "${0%/*}/../.." && pwd)
export ZPROF_LIB=$ZPROF_BUILD/libzprof.so
"$ZPROF_BUILD/tests/make_profile" sample.prof <"$golden_folder/report/sample.spec" || exit 1
"$ZPROF_BUILD/tests/make_profile" lent.prof <"$golden_folder/report/lent.spec" || exit 1
cat >prog.c <<-'C'
	#include <unistd.h>
	__attribute__((noinline)) void leaf(void) { for (volatile int i = 0; i < 100; i++); }
	int main(void) { for (int i = 0; i < 300; i++) leaf(); usleep(1000); return 7; }
C
gcc -g -O1 -finstrument-functions prog.c -o prog || exit 1

# ---- what is said
receive said 200
expect 0 "1 profile received" "$zprof" push "$url" sample.prof
is "nothing is wrong with the request" "" "$(wrong said)"
is "the service is the program, the host is the profile's" "compile{host=box}" "$(asked said 1 query name)"
is "it has begun and ended when the profile has" "1700000000 1700000001" "$(asked said 1 query from) $(asked said 1 query until)"
ZPROF_REVISION=v1.2 ZPROF_LABELS=region=eu,zone=b expect 0 "1 profile received" \
	"$zprof" push --service 'my shop' --label 'rack=7,a{b}' "$url/" sample.prof
is "labels come from options and the environment, without the receiver's own signs" \
	"my_shop{host=box,service_git_ref=v1.2,region=eu,zone=b,rack=7_a_b_}" "$(asked said 2 query name)"
expect 1 "a label is NAME=VALUE, its name of letters, digits and '_', not '7=x'" "$zprof" push --label 7=x "$url" sample.prof
expect 0 "2 profiles received" "$zprof" push "$url" sample.prof lent.prof
is "an interpreter's counters are types of their own" '"steps"' "$(asked said 4 form sample_type_config | grep -o '"steps"' | head -1)"
"$zprof" record --quiet --push "$url" ./prog 2>errors
is "record --push sends when the program has ended, and its status stays" "7 zprof: 1 profile received" "$? $(tail -1 errors)"
build_id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
is "the version is the build-id" "prog{host=$(uname -n),version=$build_id}" "$(asked said 5 query name)"
is "five requests were right" "5 " "$(requests said) $(wrong said)"
cmp -s said/3.pprof said/1.pprof
tap $? "one profile makes the same bytes each time"
stop_receiver

# ---- what is not received
receive busy 503 429 500 200
expect 0 "1 profile received; 3 further attempts" "$zprof" push "$url" sample.prof
is "a receiver that is busy is asked again" 4 "$(requests busy)"
stop_receiver
receive no 400
expect 1 "'sample.prof' was not received: the receiver answered 400: answer 400" "$zprof" push "$url" sample.prof
grep -q "0 profiles received, 1 refused" actual && [ "$(requests no)" = 1 ]
tap $? "one that refuses is not"
stop_receiver
for answer in silent 502; do
	receive $answer $answer 200
	expect 1 "'sample.prof' was perhaps received, and is not sent again" "$zprof" push "$url" sample.prof
	grep -q "0 profiles received, 1 perhaps received" actual && [ "$(requests $answer)" = 1 ]
	tap $? "a profile that went out whole and has no answer is not sent again: $answer"
	stop_receiver
done
receive cut cut
is "a message that did not go out whole is not perhaps received" "not yet" "$("$ZPROF_BUILD/tests/push_bytes" "$url" 64)"
stop_receiver
receive hang hang
"$zprof" push --timeout 300ms --tries 1 "$url" sample.prof >said.hang 2>&1
is "an attempt ends" 1 $?
stop_receiver
hold_deaf_port
expect 1 "0 profiles received, 1 not sent; 1 further attempts" "$zprof" push --tries 2 "$deaf_url" sample.prof
release_deaf_port

# ---- secrets
receive secret 200
echo token-in-file >token
echo somebody:word >pair
ZPROF_PUSH_TOKEN=token-in-environment expect 0 "1 profile received" "$zprof" push "$url" sample.prof
is "a token from the environment" "Bearer token-in-environment" "$(asked secret 1 header authorization)"
expect 0 "1 profile received" "$zprof" push --token-file token --tenant one "$url" sample.prof
is "a token from a file; the tenant" "Bearer token-in-file one" "$(asked secret 2 header authorization) $(asked secret 2 header x-scope-orgid)"
ZPROF_PUSH_TOKEN_FILE=pair expect 0 "1 profile received" "$zprof" push "$url" sample.prof
is "a name and a password" "Basic $(printf somebody:word | base64)" "$(asked secret 3 header authorization)"
expect 1 "would go to 'http://192.0.2.1' in clear text" "$zprof" push --token-file token http://192.0.2.1 sample.prof
expect 1 "would go to 'http://localhost.example' in clear text" "$zprof" push --token-file token http://localhost.example sample.prof
expect 1 "no name or password in the receiver's address" "$zprof" push http://somebody:word@127.0.0.1 sample.prof
expect 1 "begins with https:// or http://, not 'file:///tmp'" "$zprof" push file:///tmp sample.prof
expect 1 "cannot read the token in 'none': No such file" "$zprof" push --token-file none "$url" sample.prof
"$zprof" record --push "$url/?x" ./prog >actual 2>&1
grep -q "has no '?' and no '#'" actual
tap $? "record says so before the program runs" || cat actual
expect 2 "no receiver" "$zprof" push
stop_receiver

# ---- TLS
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out ca.pem -days 2 -subj /CN=receiver \
	-addext subjectAltName=IP:127.0.0.1 2>errors || exit 1
cat key.pem ca.pem >both.pem
receive tls --tls both.pem 200
expect 1 "certificate" "$zprof" push --token-file token "$url" sample.prof
is "nothing is sent to whom nobody vouches for" 0 "$(requests tls)"
expect 0 "1 profile received" "$zprof" push --token-file token --ca ca.pem "$url" sample.prof
is "with its certificate it gets the token" "Bearer token-in-file" "$(asked tls 1 header authorization)"
ZPROF_PUSH_CA=ca.pem expect 0 "1 profile received" "$zprof" push "$url" sample.prof
stop_receiver
finish

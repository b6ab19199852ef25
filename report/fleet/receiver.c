/* SPDX-License-Identifier: MIT */
/* receiver.c - see receiver.h. */
#define _GNU_SOURCE
#include "report/fleet/receiver.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "report/core/base/memory.h"
#include "report/fleet/curl_library.h"
#include "preload/release.h"

#define TIMEOUT_SECONDS 30
#define CONNECT_SECONDS 10L
#define TRIES           5
#define FIRST_PAUSE     0.5
#define LONGEST_PAUSE   60.0
#define ANSWER_MOST     4096 /* bytes of an answer that are kept for a message */
#define SECRET_MOST     16384

/* Answers of HTTP. A gateway that got no answer from the receiver does not know what became of it. */
#define REQUEST_TIMEOUT   408
#define TOO_MANY_REQUESTS 429
#define BAD_GATEWAY       502
#define GATEWAY_TIMEOUT   504

/* ---- what may be said to whom */

static bool is_local(const char *host, size_t n)
{
	return (n == 9 && !strncmp(host, "localhost", n)) ||
	       (n > 4 && !strncmp(host, "127.", 4) && strspn(host, "0123456789.") >= n) ||
	       (n == 5 && !strncmp(host, "[::1]", n));
}

static bool check_url(const char *url, bool secret, struct str *err)
{
	bool tls = !strncmp(url, "https://", 8);
	const char *host = strstr(url, "://");
	if (!tls && strncmp(url, "http://", 7))
		return str_fail(
		    err, "the receiver's address begins with https:// or http://, not '%s'", url);
	host += 3;
	size_t n = strcspn(host, "/?#");
	if (memchr(host, '@', n))
		return str_fail(err,
				"no name or password in the receiver's address: each user of this "
				"machine can read command lines; put them into a file and name it "
				"by ZPROF_PUSH_TOKEN_FILE");
	if (strpbrk(host, "?#"))
		return str_fail(err, "the receiver's address has no '?' and no '#': '%s'", url);
	if (*host == '[')
		n = strcspn(host, "]") + 1;
	else
		n = strcspn(host, ":/");
	return tls || !secret || is_local(host, n) ||
	       str_fail(err,
			"the token would go to '%s' in clear text: the address must begin with "
			"https://",
			url);
}

/* Reads a secret's first line from FILE; NULL with a message. */
static char *read_secret(const char *file, struct str *err)
{
	static char line[SECRET_MOST];
	FILE *f = fopen(file, "r");
	bool read = f && fgets(line, sizeof line, f);
	if (!read)
		str_fail(err, "cannot read the token in '%s': %s", file,
			 f && !ferror(f) ? "the file is empty" : strerror(errno));
	if (f)
		fclose(f);
	return read ? memory_text(line, strcspn(line, "\r\n")) : NULL;
}

static void wipe(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

/* The secret's header becomes `Basic` if the secret is USER:PASSWORD, else `Bearer`. */
static bool find_secret(struct receiver *r, struct str *err)
{
	const char *file = r->o.token_file ? r->o.token_file : getenv("ZPROF_PUSH_TOKEN_FILE");
	const char *given = file ? NULL : getenv("ZPROF_PUSH_TOKEN");
	if (!file && !given)
		return true;
	char *secret = file ? read_secret(file, err) : memory_text(given, strlen(given));
	if (!secret)
		return false;
	r->secret = secret;
	return *secret || str_fail(err, "the token is empty");
}

/* ---- one attempt */

struct attempt {
	const struct message *m;
	size_t taken; /* bytes of the body that libcurl has taken from us */
	struct str answer;
};

/* Gives libcurl the next bytes of the body. An attempt that has not taken all of them cannot have
 * sent all of them: so `taken` tells a body that did not go out whole. */
static size_t give(char *to, size_t size, size_t count, void *context)
{
	struct attempt *a = context;
	size_t room = size * count, left = a->m->bytes - a->taken;
	size_t n = room < left ? room : left;
	memcpy(to, a->m->body + a->taken, n);
	a->taken += n;
	return n;
}

static size_t keep_answer(char *from, size_t size, size_t count, void *context)
{
	struct attempt *a = context;
	if (a->answer.used + size * count <= ANSWER_MOST)
		str_add_bytes(&a->answer, from, size * count);
	return size * count;
}

static enum fleet_outcome judge_status(long status, struct attempt *a, struct str *why)
{
	size_t n = strcspn(str_text(&a->answer), "\r\n");
	if (status >= 200 && status < 300)
		return FLEET_RECEIVED;
	str_clear(why);
	str_add(why, "the receiver answered %ld", status);
	if (n)
		str_add(why, ": %.*s", (int)(n < 200 ? n : 200), a->answer.text);
	if (status == BAD_GATEWAY || status == GATEWAY_TIMEOUT)
		return FLEET_PERHAPS;
	return status >= 500 || status == TOO_MANY_REQUESTS || status == REQUEST_TIMEOUT
		   ? FLEET_NOT_YET
		   : FLEET_REFUSED;
}

/* Errors that another attempt will meet again. */
static bool is_lasting(CURLcode code)
{
	return code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL ||
	       code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
}

static enum fleet_outcome judge(struct receiver *r, CURLcode code, struct attempt *a,
				const char *words, struct str *why)
{
	const struct curl_library *curl = r->library;
	long status = 0;
	curl->easy_getinfo(r->curl, CURLINFO_RESPONSE_CODE, &status);
	if (status >= 200)
		return judge_status(status, a, why);
	if (code == CURLE_OK)
		words = "no status";
	str_clear(why);
	str_add(why, "%s", *words ? words : curl->easy_strerror(code));
	if (is_lasting(code))
		return FLEET_REFUSED;
	return a->taken == a->m->bytes ? FLEET_PERHAPS : FLEET_NOT_YET;
}

static struct curl_slist *make_headers(const struct receiver *r, const struct message *m)
{
	const struct curl_library *curl = r->library;
	struct str type = {0}, tenant = {0};
	const char *of = r->o.tenant ? r->o.tenant : getenv("ZPROF_PUSH_TENANT");
	str_add(&type, "Content-Type: multipart/form-data; boundary=%s", m->boundary);
	struct curl_slist *list = curl->slist_append(NULL, type.text);
	list = curl->slist_append(list, "Expect:");
	if (of && *of) {
		str_add(&tenant, "X-Scope-OrgID: %s", of);
		list = curl->slist_append(list, tenant.text);
	}
	str_free(&type);
	str_free(&tenant);
	return list;
}

/* The secret stays inside libcurl: no text of ours has it beside a message. A proxy would get it in
 * clear text, unless a tunnel of TLS goes through the proxy. */
static void set_secret(struct receiver *r)
{
	const struct curl_library *curl = r->library;
	if (!r->secret)
		return;
	if (strncmp(r->url, "https://", 8))
		curl->easy_setopt(r->curl, CURLOPT_NOPROXY, "*");
	if (strchr(r->secret, ':')) {
		curl->easy_setopt(r->curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		curl->easy_setopt(r->curl, CURLOPT_USERPWD, r->secret);
	} else {
		curl->easy_setopt(r->curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
		curl->easy_setopt(r->curl, CURLOPT_XOAUTH2_BEARER, r->secret);
	}
}

static void set_options(struct receiver *r, const char *url, struct curl_slist *headers,
			struct attempt *a, char *words)
{
	const struct curl_library *curl = r->library;
	CURL *c = r->curl;
	const char *ca = r->o.ca ? r->o.ca : getenv("ZPROF_PUSH_CA");
	double seconds = r->o.timeout_seconds > 0 ? r->o.timeout_seconds : TIMEOUT_SECONDS;
	curl->easy_reset(c);
	curl->easy_setopt(c, CURLOPT_URL, url);
	curl->easy_setopt(c, CURLOPT_POST, 1L);
	curl->easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)a->m->bytes);
	curl->easy_setopt(c, CURLOPT_READFUNCTION, give);
	curl->easy_setopt(c, CURLOPT_READDATA, a);
	curl->easy_setopt(c, CURLOPT_WRITEFUNCTION, keep_answer);
	curl->easy_setopt(c, CURLOPT_WRITEDATA, a);
	curl->easy_setopt(c, CURLOPT_HTTPHEADER, headers);
	curl->easy_setopt(c, CURLOPT_USERAGENT, "zprof/" ZPROF_RELEASE);
	curl->easy_setopt(c, CURLOPT_ERRORBUFFER, words);
	curl->easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl->easy_setopt(c, CURLOPT_CONNECTTIMEOUT, CONNECT_SECONDS);
	curl->easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)(seconds * 1000));
	/* libcurl sends a body again by itself if a connection that it had kept turns out dead. */
	curl->easy_setopt(c, CURLOPT_FRESH_CONNECT, 1L);
	curl->easy_setopt(c, CURLOPT_FORBID_REUSE, 1L);
	curl->easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	if (ca && *ca)
		curl->easy_setopt(c, CURLOPT_CAINFO, ca);
	set_secret(r);
}

enum fleet_outcome receiver_try(struct receiver *r, const struct message *m, struct str *why)
{
	char words[CURL_ERROR_SIZE] = "";
	struct attempt a = {.m = m};
	struct str url = {0};
	struct curl_slist *headers = make_headers(r, m);
	str_add(&url, "%s?%s", r->url, m->query);
	set_options(r, url.text, headers, &a, words);
	CURLcode code = r->library->easy_perform(r->curl);
	enum fleet_outcome outcome = judge(r, code, &a, words, why);
	r->library->slist_free_all(headers);
	str_free(&a.answer);
	str_free(&url);
	return outcome;
}

/* ---- several */

double receiver_pause(unsigned long failures, double luck)
{
	double pause = FIRST_PAUSE * pow(2, (double)failures - 1);
	return (pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE) * (1 - luck / 2);
}

double receiver_luck(void)
{
	uint32_t number = 0;
	if (getrandom(&number, sizeof number, 0) != sizeof number)
		number = (uint32_t)time(NULL);
	return number / 4294967296.0;
}

static void wait_for(double seconds, const volatile sig_atomic_t *stop)
{
	const struct timespec step = {.tv_nsec = 50000000};
	for (double left = seconds; left > 0 && !(stop && *stop); left -= 0.05)
		nanosleep(&step, NULL);
}

enum fleet_outcome receiver_deliver(struct receiver *r, const struct message *m,
				    const volatile sig_atomic_t *stop, struct str *why)
{
	unsigned long tries = r->o.tries ? r->o.tries : TRIES;
	for (unsigned long failed = 1;; failed++) {
		enum fleet_outcome outcome = receiver_try(r, m, why);
		if (outcome != FLEET_NOT_YET || failed >= tries || (stop && *stop))
			return outcome;
		r->retried++;
		wait_for(receiver_pause(failed, receiver_luck()), stop);
	}
}

bool receiver_open(struct receiver *r, const struct receiver_options *o, struct str *err)
{
	*r = (struct receiver){.o = *o};
	if (!find_secret(r, err) || !check_url(o->url, r->secret, err)) {
		receiver_close(r);
		return false;
	}
	struct str url = {0};
	size_t n = strlen(o->url);
	while (n && o->url[n - 1] == '/')
		n--;
	str_add(&url, "%.*s/ingest", (int)n, o->url);
	r->url = memory_text(url.text, url.used);
	str_free(&url);
	r->library = curl_library_load(err);
	bool begun = r->library && !r->library->global_init(CURL_GLOBAL_DEFAULT);
	r->curl = begun ? r->library->easy_init() : NULL;
	if (r->curl)
		return true;
	if (r->library)
		str_fail(err, "libcurl cannot begin");
	receiver_close(r);
	return false;
}

void receiver_close(struct receiver *r)
{
	if (r->curl) {
		r->library->easy_cleanup(r->curl);
		r->library->global_cleanup();
	}
	wipe(r->secret);
	free(r->url);
	*r = (struct receiver){0};
}

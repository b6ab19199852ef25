#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""receiver.py - a receiver of profiles for tests: a small HTTP server, which checks what a request must have.

    receiver.py FOLDER [--tls CERTIFICATE-WITH-KEY] ANSWER...

It listens on a port of 127.0.0.1 that the kernel chooses, and writes the port to FOLDER/port when it is ready. Request number N has the
Nth ANSWER; the last one is for all that follow. An ANSWER is a status (200, 400, 429, 500, 502, 503), or

    silent    reads the whole request, and closes the connection without an answer
    cut       reads the head and the first bytes of the body, and resets the connection
    hang      reads the whole request, and waits until the sender closes the connection

Of each request it writes FOLDER/N.json (the query, the headers, the fields of the form, and all that is wrong), and FOLDER/N.pprof.

The table FIELDS quotes what the receiver's documentation says of each field. PAGE is Grafana's page "Server HTTP API", section
"Ingestion path", https://grafana.com/docs/pyroscope/latest/reference-server-api/ (in the sources of Pyroscope:
docs/sources/reference-server-api/index.md).
"""
import email.parser
import email.policy
import gzip
import http.server
import json
import os
import re
import socket
import ssl
import struct
import sys
import urllib.parse

PAGE = 'reference-server-api'


def is_name(value):
    """A service, and labels in braces."""
    return re.fullmatch(r'[\w.-]+\{([a-zA-Z_]\w*=[^{},=]+(,[a-zA-Z_]\w*=[^{},=]+)*)?\}', value)


def is_time(value):
    return re.fullmatch(r'[1-9]\d{8,9}', value)


def is_profile(value):
    """A gzip file, whose first member of the message is a sample_type."""
    return gzip.decompress(value)[:1] == b'\x0a'


def is_config(value):
    types = json.loads(value)
    return types and all(set(t) == {'units', 'aggregation', 'display-name', 'sampled'} and t['units'] in ('samples', 'objects', 'bytes') and
                         t['aggregation'] in ('sum', 'average') and isinstance(t['sampled'], bool) for t in types.values())


# where, name, what the documentation says (PAGE, heading), what the test asks of the value; None: it must not be there
FIELDS = [
    ('method', 'POST', '"one primary endpoint: POST /ingest" (Ingestion)', lambda v: v == 'POST'),
    ('path', '/ingest', '"It accepts profile data in the request body and metadata as query parameters" (Ingestion)', lambda v: v == '/ingest'),
    ('query', 'name', '"application name", required; "my.awesome.app.cpu{env=staging,region=us-west-1}"; with pprof "the prefix of the '
     'application name" (Ingestion, pprof format)', is_name),
    ('query', 'from', '"UNIX time of when the profiling started", required (Ingestion)', is_time),
    ('query', 'until', '"UNIX time of when the profiling stopped", required (Ingestion)', is_time),
    ('query', 'spyName', '"name of the spy used", optional (Ingestion)', lambda v: v == 'zprof'),
    # With a sample type configuration the body is a form. The server takes a body with format=pprof for one bare profile, and the
    # documentation's own example of a form (examples/api/ingest_pprof.py) has no format.
    ('query', 'format', '"format of the profiling data", optional (Ingestion)', None),
    ('query', 'units', '"ignored" for pprof (pprof format)', None),
    ('query', 'aggregationType', '"ignored" for pprof (pprof format)', None),
    ('query', 'sampleRate', '"ignored" for pprof (pprof format)', None),
    ('header', 'content-type', '"Set Content-Type to multipart/form-data" (Sample type configuration)',
     lambda v: v.startswith('multipart/form-data; boundary=')),
    ('form', 'profile', '"Upload the profile data in a form file field named profile" (Sample type configuration)', is_profile),
    ('form', 'sample_type_config', '"Include the sample type configuration in a form file field named sample_type_config"; units "samples, '
     'objects, bytes"; aggregation "sum, average"; display-name "any string"; sampled "true, false" (Sample type configuration)', is_config),
]


def parts_of(kind, body):
    """The file fields of a form."""
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(b'Content-Type: ' + kind.encode() + b'\r\n\r\n' + body)
    return {p.get_param('name', header='content-disposition'): p.get_payload(decode=True) for p in message.iter_parts()
            if p.get_filename()}


def wrongs_of(found):
    """What is wrong with a request, line by line."""
    for where, name, says, check in FIELDS:
        value = found[where].get(name) if isinstance(found[where], dict) else found[where]
        if check is None:
            if value is not None:
                yield f'{where} {name} is there; {PAGE}: {says}'
            continue
        try:
            right = value is not None and check(value)
        except Exception as error:
            right, value = False, error
        if not right:
            yield f'{where} {name} is {value!r}; {PAGE}: {says}'
    if found['query'].get('from', '') >= found['query'].get('until', ''):
        yield 'it ends before it begins'


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        server = self.server
        server.requests += 1
        answer = server.answers[min(server.requests, len(server.answers)) - 1]
        left = int(self.headers['content-length'])
        if answer == 'cut':
            self.rfile.read(min(left, 1000))
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            self.connection.close()
            self.close_connection = True
            return
        body = self.rfile.read(left)
        url = urllib.parse.urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        form = parts_of(headers.get('content-type', ''), body)
        found = {'method': self.command, 'path': url.path, 'query': dict(urllib.parse.parse_qsl(url.query, strict_parsing=True)),
                 'header': headers, 'form': form}
        file = os.path.join(server.folder, str(server.requests))
        with open(file + '.pprof', 'wb') as to:
            to.write(form.get('profile', b''))
        found['wrong'] = list(wrongs_of(found))
        found['form'] = {name: len(value) if name == 'profile' else value.decode() for name, value in form.items()}
        with open(file + '.new', 'w') as to:
            json.dump(found, to, indent=1)
        os.rename(file + '.new', file + '.json')
        if answer == 'hang':
            self.rfile.read(1)
        if answer in ('hang', 'silent'):
            self.close_connection = True
            return
        self.send_response(int(answer))
        self.end_headers()
        self.wfile.write(f'answer {answer}\n'.encode())

    def log_message(self, *_):
        pass


def main():
    arguments = sys.argv[1:]
    folder = arguments.pop(0)
    certificate = None
    if arguments[0] == '--tls':
        certificate = arguments[1]
        del arguments[:2]
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Receiver)
    server.folder, server.answers, server.requests = folder, arguments, 0
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(os.path.join(folder, 'port.new'), 'w') as to:
        to.write(str(server.server_address[1]))
    os.rename(os.path.join(folder, 'port.new'), os.path.join(folder, 'port'))
    server.serve_forever()


main()

"""What Troupe uses of xllamacpp, without llama.cpp: a server that tells how it was started."""

import errno
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace


class CommonParams(SimpleNamespace):
    """Whatever is set."""

    def __init__(self):
        super().__init__(
            model=SimpleNamespace(path=""),
            cpuparams=SimpleNamespace(n_threads=-1),
            cpuparams_batch=SimpleNamespace(n_threads=-1),
        )


class Server:
    """Answers every question with what it knows of itself."""

    def __init__(self, params):
        if b"broken" in Path(params.model.path).read_bytes():
            print("0.1 E load: tensor 'x' is not within the file", file=sys.stderr, flush=True)
            print("0.2 E load: failed", file=sys.stderr, flush=True)
            raise RuntimeError("Failed to init server")
        if b"no room" in Path(params.model.path).read_bytes():
            raise OSError(errno.ENOSPC, "No space left on device")
        known = {
            "pid": os.getpid(),
            "context": params.n_ctx,
            "slots": params.n_parallel,
            "threads": [params.cpuparams.n_threads, params.cpuparams_batch.n_threads],
            "hosts": params.hostnames,
            "origins": params.cors_origins,
        }

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                allowed = self.headers["Authorization"] == f"Bearer {params.api_keys[0]}"
                said = known | {"format": "response_format" in asked}
                message = {"role": "assistant", "content": json.dumps(said)}
                usage = {"prompt_tokens": 7, "completion_tokens": 3}
                body = {"choices": [{"message": message}], "usage": usage, "model": "fake"}
                self.answer(body, allowed)

            def do_GET(self):
                allowed = self.headers["Authorization"] == f"Bearer {params.api_keys[0]}"
                meta = {"n_ctx": params.n_ctx // params.n_parallel}
                self.answer({"data": [{"id": "fake", "meta": meta}]}, allowed)

            def answer(self, body, allowed):
                answer = json.dumps(body if allowed else {"error": "no key"}).encode()
                self.send_response(200 if allowed else 401)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer((params.hostnames[0], params.port), Handler)
        self.listening_address = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()

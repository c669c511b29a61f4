"""Finding, sharing and ending the server, with a small stand-in for the library that serves the model."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from toolquiver.errors import ModelError
from toolquiver.models.local import chat, files, locks, settings, share
from toolquiver.models.local.settings import Settings, default_settings

STAND_IN = """
import json, os, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

class CommonParams(SimpleNamespace):
    def __init__(self):
        super().__init__(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())

class Server:
    def __init__(self, params):
        if b"bad" in open(params.model.path, "rb").read():
            raise RuntimeError("this is no model")

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args): pass
            def answer(self, body):
                data = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            def do_GET(self):
                self.answer({"status": "ok"})
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                right = self.headers["Authorization"] == "Bearer " + params.api_keys[0]
                message = {"role": "assistant", "content": str(os.getpid()) if right else "wrong key"}
                self.answer({"id": "1", "object": "chat.completion", "created": 1, "model": "local",
                             "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                             "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})

        self.http = ThreadingHTTPServer(("127.0.0.1", params.port), Handler)
        self.listening_address = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
"""

CLIENT = textwrap.dedent("""
    import sys
    from toolquiver.models.local import acquire
    endpoint = acquire()
    print(endpoint.base_url, flush=True)
    sys.stdin.read()
""")


@pytest.fixture(autouse=True)
def model(tmp_path, monkeypatch):
    library = tmp_path / "library"
    (library / "xllamacpp-1.dist-info").mkdir(parents=True)
    (library / "xllamacpp-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: xllamacpp\nVersion: 1\n")
    (library / "xllamacpp.py").write_text(STAND_IN)
    monkeypatch.syspath_prepend(str(library))
    monkeypatch.setenv("PYTHONPATH", str(library))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    monkeypatch.setenv(files.OWN_FILE, str(path))
    yield path
    for client in CLIENTS:
        if client.hold is not None:
            os.close(client.hold)
    CLIENTS.clear()
    share._client.cache_clear()
    share._default_settings.cache_clear()


CLIENTS = []


@pytest.fixture(autouse=True)
def remember_clients(monkeypatch):
    made = share._Client.__init__

    def remember(self, settings):
        made(self, settings)
        CLIENTS.append(self)

    monkeypatch.setattr(share._Client, "__init__", remember)


def server_lock():
    return CLIENTS[0].folder / "server.lock"


def await_end(lock):
    while locks.is_held(lock):
        time.sleep(0.05)


def pid_of_server():
    return int(chat.local_chat_model().invoke("who").content)


def test_threads_share_one_server():
    found = []
    threads = [threading.Thread(target=lambda: found.append(share.acquire())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert found[0].api_key not in repr(found[0])
    assert share.acquire(fresh=True) == found[0]


def test_processes_share_one_server_which_ends_after_the_last():
    both = [
        subprocess.Popen([sys.executable, "-c", CLIENT], stdin=-1, stdout=-1, text=True, start_new_session=True)
        for _ in range(2)
    ]
    first, second = [process.stdout.readline() for process in both]
    assert first == second
    lock = share._Client(default_settings(files.model_path())).folder / "server.lock"
    both[0].kill()
    both[0].wait()
    assert locks.is_held(lock)
    both[1].communicate()
    await_end(lock)
    both[0].communicate()


def test_server_that_died_is_started_again_for_a_model_made_before():
    model = chat.local_chat_model()
    first = int(model.invoke("who").content)
    os.kill(first, signal.SIGKILL)
    await_end(server_lock())
    assert int(model.invoke("who").content) != first
    assert int(asyncio.run(model.ainvoke("who")).content) != first


def test_server_is_not_in_the_clients_process_group():
    assert os.getpgid(pid_of_server()) != os.getpgid(0)


def test_state_is_for_the_owner_only():
    share.acquire()
    folder = CLIENTS[0].folder
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "state.json").stat().st_mode & 0o777 == 0o600


def test_other_settings_mean_another_server(model):
    other = Settings(model=str(model), threads=1, slots=7)
    assert share.acquire(other).base_url != share.acquire().base_url


def test_two_servers_beside_each_other_are_told_of(model, caplog):
    other = Settings(model=str(model), threads=1, slots=7)
    share.acquire(other)
    assert not caplog.messages
    share.acquire()
    assert caplog.messages == [share.BESIDE]


def test_a_server_that_was_killed_is_not_told_of(model, caplog):
    share.acquire(Settings(model=str(model), threads=1, slots=7))
    state = json.loads((CLIENTS[0].folder / "state.json").read_text())
    os.kill(state["pid"], signal.SIGKILL)
    await_end(server_lock())
    share.acquire()
    assert not caplog.messages


def test_failed_start_tells_the_end_of_the_log(model):
    model.write_bytes(b"bad")
    with pytest.raises(ModelError, match=r"(?s)stopped while it started.*this is no model"):
        share.acquire()


def test_missing_library_is_told(monkeypatch):
    monkeypatch.setattr(share.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ModelError, match=r"pip install 'toolquiver\[local\]'"):
        share.acquire()


def test_windows_is_told_to_name_an_endpoint(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ModelError, match="OPENAI_BASE_URL"):
        share.acquire()


def test_folder_of_somebody_else_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(settings.os, "getuid", lambda: 12345)
    with pytest.raises(ModelError, match="belongs to another user"):
        share.acquire()


def test_one_model_in_several_event_loops_at_once():
    model = chat.local_chat_model()

    async def ask():
        return {(await model.ainvoke("who")).content for _ in range(3)}

    answers = []
    threads = [threading.Thread(target=lambda: answers.append(asyncio.run(ask()))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [{model.invoke("who").content}] * 6


def test_proxies_are_passed_by(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "OPENAI_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert chat.local_chat_model().invoke("who").content.isdigit()


def test_overrides_and_profile():
    model = chat.local_chat_model(temperature=0.5, max_tokens=7)
    assert (model.temperature, model.max_tokens) == (0.5, 7)
    assert model.profile["tool_calling"]
    assert model.profile["max_input_tokens"] == settings.CONTEXT_TOKENS


def test_template_of_the_coder_family_only(model):
    assert default_settings(model).template == ""
    model.write_bytes(b"GGUF... Qwen2.5 Coder 1.5B Instruct GGUF")
    assert "```json" in default_settings(model).template

"""python3 -m unittest test_client

A whole test file for a client of the data import interface. It needs the command dataimport on the PATH, and Python alone.
"""

import json
import shlex
import os
import subprocess
import unittest
import urllib.error
import urllib.request

ACCOUNT = {"import_supplier": "SOLAR", "external_account_number": "7"}
SEED = {
    "api_keys": [{"key": "test-key"}],
    "suppliers": [{"code": "SOLAR", "name": "Solar", "status": "Ongoing"}],
    "accounts": [{**ACCOUNT, "state": "imported"}],
}


def sent(url, method, path, body, headers=()):
    """The answer as JSON; a list of objects where it is one object a line."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, {"content-type": "application/json", **dict(headers)}, method=method)
    with urllib.request.urlopen(request) as answer:
        text = answer.read().decode()
        if answer.headers["content-type"].startswith("application/x-ndjson"):
            return [json.loads(line) for line in text.splitlines()]
        return json.loads(text)


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The platform ends with this process, however it ends: its standard input is a pipe.
        command = shlex.split(os.environ.get("DATAIMPORT", "dataimport"))
        flags = ["serve", "--port", "0", "--db", ":memory:", "--json", "--exit-with-parent"]
        cls.server = subprocess.Popen(command + flags, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        ready = json.loads(cls.server.stdout.readline())
        cls.url = ready["url"]
        sent(cls.url, "POST", "/_local/seed", SEED)

    @classmethod
    def tearDownClass(cls):
        cls.server.stdin.close()
        cls.server.wait()
        cls.server.stdout.close()

    def setUp(self):
        sent(self.url, "POST", "/_local/reset", {})
        sent(self.url, "DELETE", "/_local/faults", None)

    def add_note(self, body):
        """The client: sends a note until somebody answers."""
        query = 'mutation { obtainPlatformToken(input: {APIKey: "test-key"}) { token } }'
        token = sent(self.url, "POST", "/v1/graphql/", {"query": query})["data"]["obtainPlatformToken"]["token"]
        notes = {**ACCOUNT, "notes": [{"body": body, "created_at": "2026-01-31T12:00:00Z"}]}
        while True:
            try:
                return sent(self.url, "POST", "/v1/data-import/notes/create/", notes, {"authorization": "Token " + token})
            except (ConnectionError, urllib.error.URLError) as error:
                # The answer is lost. The platform knows a note by its text and time, so it may be sent again.
                if isinstance(error, urllib.error.HTTPError):
                    raise

    def test_a_note_arrives(self):
        self.add_note("Moved in.")
        self.assertEqual([note["data"]["body"] for note in sent(self.url, "GET", "/_local/ledger", None)], ["Moved in."])

    def test_a_note_whose_answer_is_lost_is_sent_again_and_arrives_once(self):
        sent(self.url, "POST", "/_local/faults", {"rules": ["notes after-commit reset nth=1"]})
        self.add_note("Moved in.")
        self.assertEqual(len(sent(self.url, "GET", "/_local/ledger", None)), 1)
        self.assertEqual(len(sent(self.url, "GET", "/_local/requests?endpoint=notes", None)), 2)


if __name__ == "__main__":
    unittest.main()

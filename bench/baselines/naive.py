"""python3 naive.py <file> <url>

The same script as naive.mjs, with nothing but the standard library of Python.
"""

import csv
import http.client
import json
import sys
import time
from urllib.parse import urlparse

path, url = sys.argv[1:3]
LISTS = ("line_items", "tax_items")

accounts = {}
with open(path, newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        account = (row.pop("import_supplier"), row.pop("external_account_number"))
        record = {name: json.loads(text) if name in LISTS else text for name, text in row.items() if text != ""}
        record["amount"] = float(record["amount"])
        accounts.setdefault(account, []).append(record)

connection = http.client.HTTPConnection(urlparse(url).netloc)
headers = {"content-type": "application/json"}


def post(path, document):
    connection.request("POST", path, json.dumps(document), headers)
    response = connection.getresponse()
    return response.status, response.read()


def send(batch):
    for attempt in range(1, 6):
        status, text = post("/v1/data-import/transactions/create/", batch)
        if status == 201:
            return len(json.loads(text)["results"])
        if status < 500:
            break
        time.sleep(attempt)
    raise RuntimeError(f"{status} {text}")


query = 'mutation { obtainPlatformToken(input: {APIKey: "local-key"}) { token } }'
_, text = post("/v1/graphql/", {"query": query})
headers["authorization"] = "Token " + json.loads(text)["data"]["obtainPlatformToken"]["token"]

added = 0
for (supplier, number), records in accounts.items():
    for first in range(0, len(records), 100):
        added += send(
            {
                "import_supplier": supplier,
                "external_account_number": number,
                "transactions": records[first : first + 100],
            }
        )
print(added)

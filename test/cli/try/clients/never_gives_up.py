"""Sends a batch until the answer is 201, whatever the answer was, and never waits."""

import csv
import itertools
import json
import os
import pathlib
import urllib.request

BASE = os.environ["DATAIMPORT_BASE_URL"]
KEY = os.environ["DATAIMPORT_API_KEY"]


def post(path, document, headers):
    headers = {"content-type": "application/json", **headers}
    request = urllib.request.Request(BASE + path, json.dumps(document).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def login():
    query = 'mutation { obtainPlatformToken(input: {APIKey: "%s"}) { token } }' % KEY
    return post("/v1/graphql/", {"query": query}, {})["data"]["obtainPlatformToken"]["token"]


def send(batch):
    while True:
        try:
            return post("/v1/data-import/transactions/create/", batch, {"authorization": "Token " + login()})
        except Exception as error:
            print("again:", error)


with open(pathlib.Path(__file__).with_name("payments.csv"), newline="") as file:
    for account, rows in itertools.groupby(csv.DictReader(file), lambda row: row["account"]):
        for row in rows:
            send(
                {
                    "import_supplier": "SOLAR",
                    "external_account_number": account,
                    "transactions": [
                        {
                            "transaction_id": row["id"],
                            "transaction_date": row["date"],
                            "amount": float(row["amount"]),
                            "type": "CREDIT",
                            "reason": "GENERAL_CREDIT",
                        }
                    ],
                }
            )

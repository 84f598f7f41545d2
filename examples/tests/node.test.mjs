// node --test node.test.mjs
//
// A whole test file for a client of the data import interface. It needs the package dataimport beside it, and Node alone.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startServer } from 'dataimport/server';

const ACCOUNT = { import_supplier: 'SOLAR', external_account_number: '7' };

let platform;
before(async () => {
  platform = await startServer({
    seeds: [
      {
        api_keys: [{ key: 'test-key' }],
        suppliers: [{ code: 'SOLAR', name: 'Solar', status: 'Ongoing' }],
        accounts: [{ ...ACCOUNT, state: 'imported' }],
      },
    ],
  });
});
after(() => platform.close());
beforeEach(async () => {
  await platform.reset();
  await platform.clearFaults();
});

test('a note arrives', async () => {
  await addNote('Moved in.');
  const [note, ...others] = await platform.ledger();
  assert.deepEqual([note.kind, note.data.body, others], ['note', 'Moved in.', []]);
});

test('a note whose answer is lost is sent again, and arrives once', async () => {
  await platform.fault('notes after-commit reset nth=1');
  await addNote('Moved in.');
  assert.equal((await platform.ledger()).length, 1);
  assert.equal((await platform.requests({ endpoint: 'notes' })).length, 2);
});

/** The client: sends a note until somebody answers. */
async function addNote(body) {
  const query = 'mutation { obtainPlatformToken(input: {APIKey: "test-key"}) { token } }';
  const { data } = await (await post('/v1/graphql/', { query })).json();
  const notes = { ...ACCOUNT, notes: [{ body, created_at: '2026-01-31T12:00:00Z' }] };
  for (;;) {
    try {
      return await post('/v1/data-import/notes/create/', notes, data.obtainPlatformToken.token);
    } catch {
      // The answer is lost. The platform knows a note by its text and time, so it may be sent again.
    }
  }
}

function post(path, body, token = '') {
  return fetch(platform.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Token ${token}` },
    body: JSON.stringify(body),
  });
}

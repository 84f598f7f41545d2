import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { faultyPlatform, POST_NAMES, postBytes, POSTS } from '../../support/server-faults.ts';
import { rawConnection } from '../../support/server-raw-http.ts';

/** The head and the body of the bytes that arrived. */
function partsOf(text: string): { readonly head: string; readonly body: string } {
  const end = text.indexOf('\r\n\r\n');
  return { head: text.slice(0, end), body: text.slice(end + 4) };
}

/** The bytes that came back for one POST, and the end of the connection. */
async function exchanged(rule: string, name: (typeof POST_NAMES)[number] = 'notes', cut = 0) {
  const platform = await faultyPlatform([rule]);
  const connection = rawConnection(platform.port, await postBytes(platform, name, { cut }));
  const ended = await connection.ended;
  const { endpoint, payload } = POSTS[name];
  // The rule is spent by now, or is about other requests, so this is the whole answer.
  const clean = await faultyPlatform([]);
  const whole = (await clean.post(endpoint, payload)).text;
  return { ended, ...partsOf(connection.received()), whole, stored: (await platform.ledger()).length };
}

describe('a reset', () => {
  test.each(['accept', 'before-commit', 'after-commit'])(
    'at %s is a reset on the wire without a byte before it',
    async (when) => {
      const { ended, head, body } = await exchanged(`notes ${when} reset`);
      expect({ ended, head, body }).toEqual({ ended: 'reset', head: '', body: '' });
    },
  );

  const LENGTH = JSON.stringify(POSTS.notes.payload).length;

  test.each([
    [0, 0],
    [1, 20],
    [20, 20],
    [LENGTH + 1, LENGTH],
  ])('in the body of the request after %i bytes needs no more than %i', async (bytes, sent) => {
    const rule = `notes accept reset bytes=${bytes}`;
    const { ended, stored } = await exchanged(rule, 'notes', LENGTH - sent);
    expect({ ended, stored }).toEqual({ ended: 'reset', stored: 0 });
  });

  test('in the body of the request waits for its bytes', async () => {
    const platform = await faultyPlatform(['notes accept reset bytes=30']);
    const whole = await postBytes(platform, 'notes');
    const connection = rawConnection(platform.port, whole.slice(0, whole.indexOf('\r\n\r\n') + 4 + 10));
    await expect.poll(() => platform.faults.unused()).toEqual([]);
    const first = await Promise.race([connection.ended, platform.ledger().then(() => 'still open')]);
    expect(first).toBe('still open');
    await platform.close();
  });

  test.each(POST_NAMES)('in the body of the answer of %s comes after its bytes', async (name) => {
    const { ended, head, body, whole, stored } = await exchanged(`${name} after-commit reset bytes=10`, name);
    expect(ended).toBe('reset');
    expect(head).toContain('HTTP/1.1 201 Created');
    expect(head).toContain(`content-length: ${Buffer.byteLength(whole)}`);
    expect(body).toBe(whole.slice(0, 10));
    expect(stored).toBe(POSTS[name].records);
  });
});

describe('a truncated answer', () => {
  test.each([0, 1, 40, 100_000])(
    'after %i bytes announces its whole length and ends before that',
    async (bytes) => {
      const { ended, head, body, whole, stored } = await exchanged(
        `transactions after-commit truncate=${bytes}`,
        'transactions',
      );
      expect(ended).toBe('closed');
      expect(head).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
      expect(head).toContain(`content-length: ${whole.length}`);
      expect(head).toContain('content-type: application/json; charset=utf-8');
      expect(head).toContain('x-dataimport-fault: armed');
      expect(body).toBe(whole.slice(0, bytes));
      expect(stored).toBe(3);
    },
  );

  test('with close announces no length, so that it looks whole', async () => {
    const { ended, head, body, whole } = await exchanged('notes after-commit truncate=40 close');
    expect(ended).toBe('closed');
    expect(head).toContain('connection: close');
    expect(head).not.toContain('content-length');
    expect(body).toBe(whole.slice(0, 40));
  });

  test('fetch rejects the first and accepts the second', async () => {
    const cut = await faultyPlatform(['notes after-commit truncate=40']);
    await expect(cut.post('createNotes', POSTS.notes.payload)).rejects.toThrow();
    const closed = await faultyPlatform(['notes after-commit truncate=0 close']);
    const answer = await closed.post('createNotes', POSTS.notes.payload);
    expect([answer.status, answer.text]).toEqual([201, '']);
  });
});

describe('a request that is never answered', () => {
  test.each([0, 5])('ends with the server, whether %i bytes of it are missing', async (cut) => {
    const platform = await faultyPlatform(['notes accept stall']);
    const connection = rawConnection(platform.port, await postBytes(platform, 'notes', { cut }));
    await expect.poll(() => platform.faults.unused()).toEqual([]);
    expect([await platform.ledger(), connection.received()]).toEqual([[], '']);
    await platform.close();
    expect(await connection.ended).toMatch(/closed|reset/);
  });
});

test('an answer that has left the server and not reached its client is logged without a status', async () => {
  // No system takes so much before its reader does.
  const body = 'x'.repeat(20_000_000);
  const platform = await faultyPlatform([`notes accept status=200 body='${body}'`]);
  const bytes = await postBytes(platform, 'notes');
  const client = connect(platform.port, '127.0.0.1', () => client.write(bytes));
  await once(client, 'readable');
  client.resetAndDestroy();
  const logged = () => platform.logged().find(({ endpoint }) => endpoint === 'notes');
  await expect.poll(logged).toMatchObject({ status: null, response_bytes: null });
});

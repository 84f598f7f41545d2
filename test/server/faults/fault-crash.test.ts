import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND } from '../../support/built-cli.ts';
import { seedFile, startPlatform } from '../../support/server-platform.ts';
import { POSTS } from '../../support/server-faults.ts';
import { TEST_SEED } from '../../support/server-seed.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Starts a real `serve` with one rule and waits for its URL. */
async function serveWith(rule: string, database: string) {
  const flags = ['--db', database, '--seed', seedFile(TEST_SEED), '--fault', rule];
  const options = { reject: false, stdin: 'ignore', cwd: temporaryFolder() } as const;
  const child = execa(process.execPath, [COMMAND, 'serve', '--port', '0', '--json', ...flags], options);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: (JSON.parse(line.toString()) as { url: string }).url, child };
}

test.each([
  ['accept', 0],
  ['before-commit', 0],
  ['after-commit', 3],
])('a server that crashed at %s has stored %i of 3 records when it starts again', async (when, stored) => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const { url, child } = await serveWith(`notes ${when} crash`, database);
  const query = 'mutation { obtainPlatformToken(input: {APIKey: "all-key"}) { token } }';
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/graphql/`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  const { data } = (await answer.json()) as { data: { obtainPlatformToken: { token: string } } };
  const sent = fetch(`${url}/v1/data-import/notes/create/`, {
    method: 'POST',
    headers: { ...headers, authorization: `Token ${data.obtainPlatformToken.token}` },
    body: JSON.stringify(POSTS.notes.payload),
  });
  await expect(sent).rejects.toThrow();
  expect((await child).signal).toBe('SIGKILL');

  const again = await startPlatform({ database });
  expect(await again.ledger()).toHaveLength(stored);
  expect((await again.post('createNotes', POSTS.notes.payload)).status).toBe(201);
  expect(await again.ledger()).toHaveLength(3);
});

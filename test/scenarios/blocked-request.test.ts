import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alteringProxy } from '../support/altering-proxy.ts';
import { runDocument } from '../support/json-documents.ts';
import { migration } from '../support/migration.ts';
import { IMPORTED } from '../support/refused-account.ts';

const HEADER = 'import_supplier,external_account_number,created_at,body';
const ROWS = [
  'ACME,1001,2026-03-05T18:48:16Z,Called',
  'ACME,1001,2026-03-06T18:48:16Z,DROP TABLE users',
  'ACME,1001,2026-03-07T18:48:16Z,Called again',
  'ACME,1003,2026-03-07T18:48:16Z,Other account',
];
const PUSH = ['push', 'notes', 'n.csv', '-j', '1', '--on-reject', 'skip', '--json'];

/** A firewall that answers each request with a text, or every request with notes, with a page. */
async function behindFirewall(blocked: string) {
  const site = await migration(IMPORTED);
  const url = await alteringProxy(site.url, {
    before(exchange) {
      if (!exchange.path.includes('/notes/') || !JSON.stringify(exchange.sent).includes(blocked))
        return false;
      exchange.status = 403;
      exchange.headers = { 'content-type': 'text/html' };
      exchange.body = '<h1>Attention Required!</h1>';
      return true;
    },
  });
  const push = async () => {
    const { json } = await site.cli(...PUSH, '--base-url', url);
    return runDocument.parse(json());
  };
  return { site, push, bodies: async () => (await site.ledger()).map(({ data }) => data['body']) };
}

test('a request that a firewall blocks holds its account alone, and a person settles it when its row is gone', async () => {
  const { site, push, bodies } = await behindFirewall('DROP TABLE');
  site.csv('n.csv', HEADER, ...ROWS);
  expect(await push()).toMatchObject({ exit: { code: 4 }, rows: { read: 4, created: 1, unknown: 3 } });
  expect(await bodies()).toEqual(['Other account']);

  site.csv('n.csv', HEADER, ...ROWS.filter((row) => !row.includes('DROP')));
  const without = await push();
  expect(without).toMatchObject({ exit: { code: 4 }, rows: { read: 3, created: 1, unknown: 2 } });
  expect(without.problems.map(({ code }) => code)).toContain('record_vanished');

  await site.cli('runs', 'show', '--unresolved', '--csv', 'u.csv');
  const list = readFileSync(join(site.cwd, 'u.csv'), 'utf8');
  expect(list.match(/2026-03-0\d/g)).toEqual(['2026-03-05', '2026-03-07', '2026-03-06']);
  const confirmed = await site.cli('runs', 'confirm', '--rows', 'u.csv', '--missing', '--by', 'A. Lead');
  expect([confirmed.exitCode, confirmed.stderr]).toEqual([0, '']);
  const settled = await push();
  expect(settled).toMatchObject({ exit: { code: 0 }, rows: { read: 3, created: 3 }, problems: [] });
  expect(await bodies()).toEqual(['Other account', 'Called', 'Called again']);
});

test('a firewall that blocks every request is asked about three accounts, and not about all', async () => {
  const { site, push } = await behindFirewall('body');
  site.csv(
    'n.csv',
    HEADER,
    ...['1001', '1002', '1003', '1004', '1005'].map((one) => `ACME,${one},2026-03-05T18:48:16Z,Called`),
  );
  const { requests } = await push();
  expect(requests).toMatchObject({ by_status: { 403: 3 } });
});

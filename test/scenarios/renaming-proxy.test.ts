import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { IMPORTED } from '../support/refused-account.ts';

const HEADER = 'import_supplier,external_account_number,vendor,reference,type';
const ROWS = ['ACME,1001,STRIPE,pi_1,CARD', 'ACME,1003,STRIPE,pi_2,CARD'];
const OWN_NAME = { DATAIMPORT_ACCOUNT_NUMBER_FIELD: 'retailer_account_number' };

/** A proxy that gives the account number another name in every answer, as a deployment has it. */
async function renamingProxy(upstream: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { host: _, ...headers } = incoming.headers as Record<string, string>;
      const body = incoming.method === 'POST' ? await bodyOf(incoming) : undefined;
      const answer = await fetch(upstream + incoming.url, {
        method: incoming.method!,
        headers,
        ...(body && { body }),
      });
      const text = (await answer.text()).replaceAll('"platform_account_number"', '"retailer_account_number"');
      outgoing
        .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
        .end(text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const numbers = async (site: Migration): Promise<readonly string[]> => {
  const text = await (await fetch(`${site.url}/_local/accounts`)).json();
  return (text as { accounts: { platform_account_number: string }[] }).accounts.map(
    (account) => account.platform_account_number,
  );
};

describe('a deployment with another name for the account number, behind a proxy that renames it in every answer', () => {
  test.each([
    ['with the setting the number is shown', OWN_NAME],
    ['without the setting every instruction is created all the same', {}],
  ])('%s', async (_, names) => {
    const site = await migration(IMPORTED);
    const env = { DATAIMPORT_BASE_URL: await renamingProxy(site.url), DATAIMPORT_SUPPLIER: 'ACME', ...names };
    const file = site.csv('i.csv', HEADER, ...ROWS);
    const { exitCode, stderr, json } = await site.cliIn(
      { env },
      'push',
      'payment-instructions',
      file,
      '--json',
    );
    expect(exitCode, stderr).toBe(0);
    const document = runDocument.parse(json());
    expect(document.rows).toMatchObject({ read: 2, created: 2 });
    expect(await site.ledger()).toHaveLength(2);

    const named = names === OWN_NAME ? await numbers(site) : undefined;
    const status = await site.cliIn({ env }, 'status', '1001');
    expect(status.exitCode).toBe(0);
    expect(status.stdout).toContain(
      named ? `platform  ${named[0]}` : 'platform  the answer has no platform_account_number',
    );
  });
});

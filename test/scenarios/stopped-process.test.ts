import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runDocument } from '../support/json-documents.ts';
import { migration } from '../support/migration.ts';
import { SEED } from '../support/refused-account.ts';

const STATEMENTS = [
  'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,gross_amount',
  'ACME,1001,s-1,2026-01-01,2026-01-31,100',
  'ACME,1001,s-2,2026-02-01,2026-02-28,100',
];

const AN_HOUR_MS = 3_600_000;

/** A proxy that calls `written` once each answer is in the socket of the client, before the client can read it. */
async function proxyBefore(upstream: string, written: (path: string) => void): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers;
      const { method = '' } = incoming;
      const answer = await fetch(upstream + incoming.url!, {
        method,
        headers: headers as Record<string, string>,
        ...(method === 'POST' && { body: Buffer.concat(chunks) }),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      const contentType = answer.headers.get('content-type') ?? '';
      outgoing.writeHead(answer.status, { 'content-type': contentType, 'content-length': body.length });
      outgoing.end(body, () => written(incoming.url!));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['a token', 'graphql'],
  ['records', 'statements'],
] as const)(
  'a process that is stopped until the answer with %s waits in its socket reads it when it goes on',
  async (_, path) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const { url, csv, cliIn, ledger } = await migration(SEED);
    const file = csv('s.csv', ...STATEMENTS);
    let stops = 0;
    const DATAIMPORT_BASE_URL = await proxyBefore(url, (answered) => {
      if (!answered.includes(path) || stops > 0) return;
      stops++;
      vi.advanceTimersByTime(AN_HOUR_MS);
    });
    const ended = await cliIn({ env: { DATAIMPORT_BASE_URL } }, 'push', 'statements', file, '--json');
    expect(ended.exitCode, ended.stderr).toBe(0);
    const { rows, requests } = runDocument.parse(ended.json());
    expect([rows.created, rows.verify, requests.retried]).toEqual([2, 0, 0]);
    expect(await ledger()).toHaveLength(2);
    expect(stops).toBe(1);
  },
);

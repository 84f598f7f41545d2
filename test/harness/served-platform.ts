import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serve } from '../support/built-cli.ts';
import { quickFolder } from './campaigns/quick-folder.ts';

/** The number of accounts, from A-0 on. All are imported and have no open statement. */
export const ACCOUNTS = 50;

const SEED = `version: 1
api_keys: [{ key: campaign-key, suppliers: [ACME] }]
suppliers: [{ code: ACME, name: Acme Energy, status: Ongoing }]
accounts:
${Array.from({ length: ACCOUNTS }, (_, index) => `  - { import_supplier: ACME, external_account_number: A-${index}, state: imported }`).join('\n')}
vendors: [{ code: STRIPE, instructions: [{ reference: pi_1, type: CARD }] }]
product_codes: [FLEX-12]
`;

/** `dataimport serve` in its own process, for campaigns that send any bytes. */
export interface ServedPlatform {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** The number of stored records. */
  rows(): Promise<number>;
  /** Deletes all records. */
  reset(): Promise<void>;
  /** Whether a valid request gets 201. Deletes all records. */
  isWell(): Promise<boolean>;
  /** Memory of the process, in megabytes. */
  residentMb(): Promise<number>;
  /** Resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a platform. `database` is a file name in a new folder, or `:memory:`. */
export async function servedPlatform(
  database = ':memory:',
  { args = [], env = {} }: { args?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<ServedPlatform> {
  const cwd = quickFolder();
  writeFileSync(join(cwd, 'seed.yaml'), SEED);
  const { url, port, pid, stop } = await serve(
    ['--port', '0', '--db', database, '--seed', 'seed.yaml', '--behaviour', 'token-ttl=24h', ...args],
    { cwd, env },
  );
  const json = { 'content-type': 'application/json' };
  const query = 'mutation { obtainPlatformToken(input: {APIKey: "campaign-key"}) { token } }';
  const issued = await fetch(`${url}/v1/graphql/`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ query }),
  });
  const { data } = (await issued.json()) as { data: { obtainPlatformToken: { token: string } } };
  const { token } = data.obtainPlatformToken;

  const reset = async (): Promise<void> => {
    await (await fetch(`${url}/_local/reset`, { method: 'POST', headers: json, body: '{}' })).text();
  };
  return {
    url,
    port,
    token,
    rows: async () => {
      const health = (await (await fetch(`${url}/_local/health`)).json()) as {
        counts: { records: Readonly<Record<string, number>> };
      };
      return Object.values(health.counts.records).reduce((sum, count) => sum + count, 0);
    },
    reset,
    isWell: async () => {
      const answer = await fetch(`${url}/v1/data-import/notes/create/`, {
        method: 'POST',
        headers: { ...json, authorization: `Token ${token}` },
        body: JSON.stringify({
          import_supplier: 'ACME',
          external_account_number: 'A-0',
          notes: [{ body: 'well' }],
        }),
      });
      await answer.text();
      await reset();
      return answer.status === 201;
    },
    residentMb: () => residentMb(pid),
    stop: () => stop().finally(() => rmSync(cwd, { recursive: true, force: true })),
  };
}

/** Memory of a process, in megabytes. Linux says it without a process of its own. */
async function residentMb(pid: number): Promise<number> {
  const status = `/proc/${pid}/status`;
  if (existsSync(status)) return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(status, 'utf8'))![1]) / 1024;
  return Number((await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) / 1024;
}

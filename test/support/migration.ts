import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { DATABASE_HEADER } from '../../src/core/contract/database-identity.ts';
import { DEFAULT_TOKEN_MUTATION, tokenMutationDocument } from '../../src/core/contract/token.ts';
import { alteringProxy, type PassingExchange } from './altering-proxy.ts';
import { fakeIo, runCli, type FakeIo, type FakeIoOptions } from './cli-io.ts';
import { ledgerOf, type LedgerLine } from './ledger.ts';
import { seedIn, startWithSeed } from './read-seeds.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A local platform and a folder with files, for command lines that run in this process. */
export interface Migration {
  readonly url: string;
  readonly cwd: string;
  /** Writes a CSV file from its lines and returns its name. */
  csv(name: string, ...lines: readonly string[]): string;
  /** Runs a command line in an outside world of its own. */
  cli(...argv: readonly string[]): Promise<Awaited<ReturnType<typeof runCli>>>;
  /** The same in an outside world that the test prepares. */
  cliIn(world: FakeIoOptions, ...argv: readonly string[]): Promise<Awaited<ReturnType<typeof runCli>>>;
  io(world?: FakeIoOptions): FakeIo;
  ledger(): Promise<readonly LedgerLine[]>;
  /** Changes the content of the platform, as its operator would. */
  reseed(seed: string): Promise<void>;
  /** Changes the state of an account of ACME, as its operator would. */
  setState(account: string, state: string): Promise<void>;
  /** Replaces the faults of the platform. */
  faults(...rules: readonly string[]): Promise<void>;
  /** A valid token, for DATAIMPORT_TOKEN. */
  token(): Promise<string>;
  /** Ends the platform for good. */
  leave(): Promise<void>;
}

/** 2026-11-21T00:00:00Z. The records of these tests are older. */
const NOW_MS = Date.UTC(2026, 10, 21);

/**
 * Starts a platform in memory with a seed. It ends with the test. `keepsName`: the database has the same name after it was emptied.
 */
export async function migration(
  seed: string,
  behaviour: readonly string[] = [],
  keepsName = false,
): Promise<Migration> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'seed.yaml'), seed);
  const server = await startWithSeed(
    { text: seed, file: () => join(cwd, 'seed.yaml') },
    {
      host: '127.0.0.1',
      port: 0,
      database: ':memory:',
      timeZone: 'UTC',
      nowMs: () => NOW_MS,
      version: '0.0.0',
      behaviour,
      onUnexpectedError: (error) => {
        throw error;
      },
    },
  );
  onTestFinished(() => server.close());
  const after = ({ headers }: PassingExchange): void => void (headers[DATABASE_HEADER] = 'same');
  const url = keepsName ? await alteringProxy(server.url, { after }) : server.url;
  const env = { DATAIMPORT_BASE_URL: url, DATAIMPORT_API_KEY: server.apiKeys[0]!.key };
  const io = (world: FakeIoOptions = {}): FakeIo =>
    fakeIo({ cwd, nowMs: NOW_MS, ...world, env: { ...env, ...world.env } });
  const sent = async (path: string, method: 'POST' | 'PUT', body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await request(server.url + path, { method, headers, body: JSON.stringify(body) });
    if (answer.statusCode >= 300) throw new Error(await answer.body.text());
    return answer.body.json();
  };
  return {
    url,
    cwd,
    csv(name, ...lines) {
      writeFileSync(join(cwd, name), lines.map((line) => `${line}\n`).join(''));
      return join(cwd, name);
    },
    cli: (...argv) => runCli(argv, io()),
    cliIn: (world, ...argv) => runCli(argv, io(world)),
    io,
    ledger: () => ledgerOf(server.url),
    reseed: async (changed) => void (await sent('/_local/seed', 'POST', seedIn(changed))),
    setState: async (account, state) =>
      void (await sent(`/_local/accounts/ACME/${account}`, 'PUT', { state })),
    faults: async (...rules) => void (await sent('/_local/faults', 'PUT', { rules })),
    async token() {
      const { path, mutation, inputField } = DEFAULT_TOKEN_MUTATION;
      const query = tokenMutationDocument(mutation);
      const variables = { input: { [inputField]: env.DATAIMPORT_API_KEY } };
      const answer = await sent(path, 'POST', { query, variables });
      return (answer as { data: Record<string, { token: string }> }).data[mutation]!.token;
    },
    leave: () => server.close(),
  };
}

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { alternate, type Comparison, type Side } from './comparison.ts';
import { baseline, node, type Program, runToEnd, type Running, startServer } from './process.ts';
import { accountsOf, type FileKind, writeSeed, writeTransactions } from './transactions-file.ts';

/** Rows of a run without `--rows`. Growth takes up to a hundred times as many. */
export const FULL_ROWS = 100_000;

/** Everything that a measurement needs. */
export interface Bench {
  readonly rows: number;
  readonly isShort: boolean;
  /** The path of a file with rows. Made at the first call. `first`: the number in the id of its first row. Default: 1. */
  file(kind: FileKind, rows: number, first?: number): Promise<string>;
  /** The path of a seed with so many accounts. Made at the first call. */
  accounts(count: number): Promise<string>;
  /** The bodies that a push of `nested` rows sends, one on each line of a file. Made at the first call. */
  bodies(rows: number): Promise<string>;
  /** The push of a `nested` file, a folder with the journal that has read its rows and sent none, and the port of its platform. */
  staged(
    rows: number,
  ): Promise<{ readonly push: readonly string[]; readonly runs: string; readonly port: string }>;
  /** The cases of a measurement; the first one only when the bench is short. */
  cases<T>(all: readonly T[]): readonly T[];
  /** A new empty folder. */
  folder(): string;
  /** Runs with a new empty folder and removes the folder. */
  inFolder<T>(run: (folder: string) => Promise<T>): Promise<T>;
  /** Our command. `url` is the platform that it talks to. */
  dataimport(args: readonly string[], more?: Partial<Program> & { readonly url?: string }): Program;
  /** Our local platform with the accounts of so many rows, ready, with a new database. */
  serve(rows: number): Promise<Served>;
  /** A platform that stores nothing (stub-server.mjs), ready. */
  stub(...args: readonly string[]): Promise<Served>;
  /** Compares and reports. `turns` replaces the number of turns of the bench. */
  compare(
    id: string,
    rows: number,
    sides: Readonly<Record<string, Side>>,
    turns?: (pairs: number) => number,
  ): Promise<void>;
}

/** A server that is ready. */
export interface Served extends Running {
  readonly url: string;
}

const PROJECT = dirname(import.meta.dirname);

/**
 * The context of a bench in a temporary folder of its own. `packageFolder` has a built package; without it one is built,
 * because users run a built package.
 */
export async function openBench(asked: {
  readonly rows: number;
  readonly pairs: number;
  readonly isShort: boolean;
  readonly packageFolder: string | undefined;
  readonly report: (comparison: Comparison) => void;
}): Promise<Bench & { close(): void }> {
  const { rows, pairs, isShort } = asked;
  const home = mkdtempSync(join(tmpdir(), 'dataimport-bench-'));
  const folder = (): string => mkdtempSync(join(home, 'folder-'));
  const command = join(
    asked.packageFolder ?? (await builtPackage(join(home, 'package'))),
    'bin',
    'dataimport.js',
  );
  const made = new Map<string, Promise<string>>();
  const once = (path: string, make: (path: string) => Promise<void>): Promise<string> => {
    const promise = made.get(path) ?? make(path).then(() => path);
    made.set(path, promise);
    return promise;
  };
  const accounts: Bench['accounts'] = (count) =>
    once(join(home, `accounts-${count}.yaml`), (path) => writeSeed(path, count));
  const dataimport: Bench['dataimport'] = (args, { url, env, ...more } = {}) =>
    node(command, args, {
      cwd: home,
      ...more,
      env: {
        DATAIMPORT_API_KEY: 'local-key',
        ...(url === undefined ? {} : { DATAIMPORT_BASE_URL: url }),
        ...env,
      },
    });

  const file: Bench['file'] = (kind, count, first = 1) =>
    once(join(home, `${kind}-${count}-${first}.csv`), (path) => writeTransactions(path, kind, count, first));
  const stub: Bench['stub'] = async (...args) => {
    const running = await startServer(
      node(join(import.meta.dirname, 'stub-server.mjs'), args, { cwd: home }),
    );
    return { ...running, url: running.line };
  };
  const record = async (path: string, count: number): Promise<void> => {
    const server = await stub('--record', path);
    const push = ['push', 'transactions', await file('nested', count), '--run-dir', folder()];
    await runToEnd(dataimport(push, server));
    await server.stop();
  };

  return {
    rows,
    isShort,
    bodies: (count) => once(join(home, `bodies-${count}.ndjson`), (path) => record(path, count)),
    cases: (all) => (isShort ? all.slice(0, 1) : all),
    file,
    accounts,
    folder,
    inFolder: async (run) => {
      const path = folder();
      try {
        return await run(path);
      } finally {
        rmSync(path, { recursive: true, force: true, maxRetries: 3 });
      }
    },
    dataimport,
    serve: async (count) => {
      const options = [
        '--port',
        '0',
        '--db',
        join(folder(), 'serve.sqlite'),
        '--seed',
        await accounts(accountsOf(count)),
        '--json',
        '--exit-with-parent',
      ];
      const running = await startServer(dataimport(['serve', ...options]));
      return { ...running, url: (JSON.parse(running.line) as { url: string }).url };
    },
    stub,
    staged: async (count) => {
      const server = await stub('--refuse');
      const runs = folder();
      const push = ['push', 'transactions', await file('nested', count)];
      await runToEnd(dataimport([...push, '--run-dir', runs], { url: server.url, exitCodes: [4] }));
      await server.stop();
      return { push, runs, port: new URL(server.url).port };
    },
    compare: async (id, count, sides, turns = (all) => all) => {
      asked.report(await alternate({ id, rows: count, pairs: isShort ? 1 : turns(pairs), sides }));
    },
    close: () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Builds the package as it is published. */
async function builtPackage(folder: string): Promise<string> {
  mkdirSync(folder);
  await runToEnd(node(join(PROJECT, 'scripts', 'build.mjs'), [join(folder, 'dist')], { cwd: PROJECT }));
  for (const name of ['bin', 'package.json'])
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}

/** A baseline that reads or sends, as a side of a comparison. */
export function baselineSide(name: string, ...args: readonly string[]): Side {
  return () => runToEnd(node(baseline(name), args, { cwd: PROJECT }));
}

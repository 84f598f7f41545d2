import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { startServer } from '../../../src/server/start.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import {
  instruction,
  INSTRUCTIONS,
  NOTES,
  statement,
  STATEMENTS,
  transaction,
  TRANSACTIONS,
} from '../../support/cohort-site.ts';
import type { LedgerLine } from '../../support/ledger.ts';
import type { Chance } from '../chance.ts';
import { KIND_OF } from '../oracle/records.ts';

const NOW_MS = Date.UTC(2026, 10, 21);

/** Accounts of a night. Each has one payment instruction, and `PER_ACCOUNT` records of each other resource. */
const ACCOUNTS = [1001, 1002, 1003, 1004, 1005] as const;
const PER_ACCOUNT = 3;

/** A folder with files of all four resources, their runs, and a ledger as a file. */
export interface LieNight {
  readonly folder: string;
  /** Undefined when files, runs and ledger prove each other. Otherwise the first command that finds out, and the code that says why. */
  morning(resource: Resource): Promise<string | undefined>;
  /** Changes the run file of a resource. */
  inRun(resource: Resource, statements: string): void;
  /** Changes all records of a resource in the ledger. */
  inLedger(resource: Resource, change: (lines: LedgerLine[]) => readonly LedgerLine[]): void;
  runFile(resource: Resource): string;
  fileOf(resource: Resource): string;
  /** How far the chain of a journal has grown, beside it. */
  headFile(resource: Resource): string;
  readonly oldRuns: string;
  /** The night in another folder. */
  copy(folder: string): LieNight;
}

const FILES: Readonly<Record<Resource, string>> = {
  transactions: 't.csv',
  notes: 'n.csv',
  statements: 's.csv',
  'payment-instructions': 'i.csv',
};

const env = (url: string): Readonly<Record<string, string>> => ({
  DATAIMPORT_BASE_URL: url,
  DATAIMPORT_API_KEY: 'local-key',
  // The machine may be busy, and a second try is no part of an honest night.
  DATAIMPORT_TIMEOUT: '10m',
});

/** A file that takes nothing, as on a full disk. A log that ends there says nothing about the night. */
const FULL = '/dev/full';

/** Plays an honest night: files that chance decides, all of which arrive, some of them only when the command is run again. */
export async function honestNight(folder: string, chance: Chance): Promise<LieNight> {
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, chance);
  const server = await startServer({
    database: ':memory:',
    seeds: [join(folder, 'seed.yaml')],
    version: '0.0.0',
    nowMs: () => NOW_MS,
  });
  const night = nightIn(folder, server.url);
  try {
    for (const resource of RESOURCES) {
      const isLogFull = existsSync(FULL) && chance.next() < 0.3;
      const push = ['push', resource, FILES[resource], ...(isLogFull ? ['--log-file', FULL] : [])];
      if (chance.next() < 0.3) await must(folder, server.url, [...push, '--max-records', '3']);
      await must(folder, server.url, push);
    }
    cpSync(join(folder, '.dataimport', 'journal'), night.oldRuns, { recursive: true });
    for (const resource of RESOURCES) await must(folder, server.url, ['push', resource, FILES[resource]]);
    // Only what the platform can compare is sent once more.
    for (const resource of ['transactions', 'notes'] as const)
      await must(folder, server.url, ['push', resource, FILES[resource], '--again']);
    const ledger = await (await fetch(`${server.url}/_local/ledger`)).text();
    writeFileSync(join(folder, 'ledger.jsonl'), ledger);
  } finally {
    await server.close();
  }
  return night;
}

function nightIn(folder: string, url: string): LieNight {
  const runs = join(folder, '.dataimport', 'journal');
  const ledgerFile = join(folder, 'ledger.jsonl');
  const runFile = (resource: Resource): string => {
    const names = readdirSync(runs, { recursive: true, encoding: 'utf8' });
    return join(
      runs,
      names.find((name) => name.endsWith(`${resource}.sqlite`))!,
    );
  };
  return {
    folder,
    runFile,
    fileOf: (resource) => join(folder, FILES[resource]),
    headFile: (resource) => `${runFile(resource)}.head`,
    oldRuns: join(folder, 'old'),
    async morning(resource) {
      const verify = ['verify', resource, FILES[resource]];
      // Beside a ledger, files that no run has read are compared with the ledger alone.
      for (const command of [verify, [...verify, '--ledger', 'ledger.jsonl']]) {
        const { exitCode, stdout, stderr } = await cli(folder, url, [...command, '--json']);
        if (exitCode !== 0) return `${command[0]} ${exitCode} ${codeIn(stdout + stderr)}`;
      }
      return undefined;
    },
    inRun(resource, statements) {
      const db = new Database(runFile(resource));
      db.pragma('foreign_keys = OFF');
      db.pragma('ignore_check_constraints = ON');
      db.exec(statements);
      db.close();
    },
    inLedger(resource, change) {
      const lines = readFileSync(ledgerFile, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as LedgerLine);
      const isOf = ({ kind }: LedgerLine): boolean => kind === KIND_OF[resource];
      const changed = [...lines.filter((line) => !isOf(line)), ...change(lines.filter(isOf))];
      writeFileSync(ledgerFile, changed.map((line) => `${JSON.stringify(line)}\n`).join(''));
    },
    copy(to) {
      rmSync(to, { recursive: true, force: true });
      cpSync(folder, to, { recursive: true });
      return nightIn(to, url);
    },
  };
}

/** The first code that an output names. */
function codeIn(text: string): string {
  return /"code": ?"([a-z_]+)"/.exec(text)?.[1] ?? 'rows are left';
}

function cli(folder: string, url: string, argv: readonly string[]) {
  return runCli(argv, fakeIo({ env: env(url), cwd: folder, homeDir: folder, nowMs: NOW_MS }));
}

/** Runs a command that must end with 0, and returns its output. */
async function must(folder: string, url: string, argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await cli(folder, url, argv);
  if (exitCode !== 0) throw new Error(`${argv.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`);
  return stdout;
}

function writeFiles(folder: string, chance: Chance): void {
  const write = (name: string, header: string, rows: readonly string[]): void =>
    writeFileSync(join(folder, name), `${[header, ...rows].join('\n')}\n`);
  const each = (row: (account: number, number: number) => string): readonly string[] =>
    ACCOUNTS.flatMap((account) => Array.from({ length: PER_ACCOUNT }, (_, index) => row(account, index + 1)));
  const amount = (): string => `${chance.below(900) + 1}.${chance.below(90) + 10}`;
  write(
    't.csv',
    TRANSACTIONS,
    each((account, number) => transaction(account, `t-${account}-${number}`, amount())),
  );
  write(
    'n.csv',
    NOTES,
    each((account, number) => `ACME,${account},note ${number} of ${account},2026-01-0${number}T00:00:00Z`),
  );
  write(
    's.csv',
    STATEMENTS,
    each((account, number) =>
      statement(account, `s-${account}-${number}`, String(chance.below(90_000) + 10)),
    ),
  );
  write(
    'i.csv',
    INSTRUCTIONS,
    ACCOUNTS.map((account) => instruction(account, `pi_${account}_1`)),
  );
  const references = each(
    (account, number) =>
      `{reference: pi_${account}_${number}, type: CARD}, {reference: px_${account}_${number}, type: CARD}`,
  );
  const accounts = [...ACCOUNTS, 1009].map(
    (account) => `  - {import_supplier: ACME, external_account_number: "${account}", state: imported}`,
  );
  writeFileSync(
    join(folder, 'seed.yaml'),
    `version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
vendors: [{code: STRIPE, instructions: [${references.join(', ')}]}]
accounts:
${accounts.join('\n')}
`,
  );
}

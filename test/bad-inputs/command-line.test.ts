import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { badInputSite, notes, transactions } from '../support/bad-input.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { leavingPlatform } from '../support/leaving-platform.ts';
import type { Migration } from '../support/migration.ts';

const SECRET = 'sk_live_s3cr3t';

/** A command line that must be refused: nothing is sent, and the message has a next step. */
interface Refusal {
  readonly says: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly code: string;
  /** Part of the sentence. */
  readonly detail?: string;
}

async function expectRefusals(refusals: readonly Refusal[]): Promise<void> {
  const site = await badInputSite();
  const file = site.csv('t.csv', ...transactions({}).trim().split('\n'));
  for (const { says, flags = [], env = {}, code, detail = '' } of refusals) {
    const argv = ['push', 'transactions', file, ...flags, '--json'];
    const { exitCode, json, stdout, stderr } = await site.cliIn({ env }, ...argv);
    const problem = { code, detail: expect.stringContaining(detail) as string };
    expect(json()['problems'], says).toMatchObject([problem]);
    expect(exitCode, says).toBe(EXITS.USAGE.code);
    expect(stderr, says).toMatch(/^next: ./m);
    expect(stdout + stderr, says).not.toContain(SECRET);
  }
  expect(await site.ledger()).toEqual([]);
  // A command that was refused later than by its flags is in the list of commands, without a secret.
  const folder = join(site.cwd, '.dataimport', 'journal');
  const left = existsSync(folder) ? readdirSync(folder) : [];
  expect(left.filter((name) => name !== 'commands.ndjson')).toEqual([]);
  for (const name of left) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(SECRET);
}

const wholeNumber = (max: number): string => `it must be a whole number from 1 to ${max}`;

const NUMBERS: readonly Refusal[] = [
  ...['0', '-1', '1.5', '1e9', 'NaN', '', ' 5', '1000000000', '٣'].map((text) => ({
    says: `[C138] --batch-size ${JSON.stringify(text)} is refused`,
    flags: [`--batch-size=${text}`],
    code: 'setting_invalid',
    detail: text === '' ? 'it is empty' : wholeNumber(10_000),
  })),
  ...['0', '1000000', '-4', '1.5', ''].map((text) => ({
    says: `[C139] --concurrency ${JSON.stringify(text)} is refused`,
    flags: [`--concurrency=${text}`],
    code: 'setting_invalid',
    detail: text === '' ? 'it is empty' : wholeNumber(256),
  })),
];

const ADDRESSES: readonly Refusal[] = [
  ...['http://platform.example', 'http://10.0.0.1:8080', 'http://127.0.0.1.platform.example'].map((url) => ({
    says: `[C140] ${url} is refused: keys and customer data leave this machine over https only`,
    flags: ['--base-url', url],
    code: 'base_url_insecure',
  })),
  {
    says: '[C140] no flag allows plain http',
    flags: ['--base-url', 'http://platform.example', '--allow-http'],
    code: 'usage',
    detail: '--allow-http',
  },
  ...(
    [
      [`https://jo:${SECRET}@platform.example`, 'user name or password'],
      ['https://platform.example/#top', 'query or fragment'],
      [`https://platform.example/?key=${SECRET}`, 'query or fragment'],
      ['platform.example', 'address such as'],
      ['//platform.example', 'address such as'],
      ['https://platform.example/v1//', 'empty or relative part'],
      ['https://platform.example/v1/', 'end before /v1'],
      ['https://platform.example//', 'empty or relative part'],
      ['', 'it is empty'],
    ] as const
  ).map(([url, detail]) => ({
    says: `[C141] the address ${JSON.stringify(url)} is refused`,
    flags: [`--base-url=${url}`],
    code: 'setting_invalid',
    detail,
  })),
];

const SECRETS: readonly Refusal[] = [
  ...[
    `${SECRET}\r\n`,
    `${SECRET}\nX-Evil: 1`,
    ` ${SECRET}`,
    `${SECRET} x`,
    `${SECRET}é`,
    `${SECRET}\u0000`,
  ].flatMap((text) =>
    ['DATAIMPORT_API_KEY', 'DATAIMPORT_TOKEN'].map((name) => ({
      says: `[C142] ${name}=${JSON.stringify(text)} is refused without being shown`,
      env: { [name]: text },
      code: 'setting_invalid',
      detail: 'a key or token has no spaces, line ends or characters beyond ASCII',
    })),
  ),
  {
    says: '[C142] an empty key is refused',
    env: { DATAIMPORT_API_KEY: '' },
    code: 'setting_invalid',
    detail: 'it is empty',
  },
  ...[[`--api-key=${SECRET}`], ['--api-key', SECRET], [`--token=${SECRET}`], ['--password', SECRET]].map(
    (flags) => ({
      says: `[C143] ${flags.join(' ')} is no option, and the message does not repeat it`,
      flags,
      code: 'usage',
      detail: 'no flag takes a key or token; set DATAIMPORT_API_KEY',
    }),
  ),
];

test.each([
  ['numbers', NUMBERS],
  ['addresses', ADDRESSES],
  ['secrets', SECRETS],
])('%s on the command line are refused, and nothing is sent', (_, refusals) => expectRefusals(refusals));

test.skipIf(process.platform === 'win32')('[C144] a key file that others can read is refused', async () => {
  const site = await badInputSite();
  const file = site.csv('t.csv', ...transactions({}).trim().split('\n'));
  const key = join(site.cwd, 'key');
  writeFileSync(key, 'local-key\n');
  const { DATAIMPORT_API_KEY: _, ...env } = site.io({ env: { DATAIMPORT_API_KEY_FILE: key } }).env;
  const push = () => runCli(['push', 'transactions', file], { ...site.io(), env });
  for (const mode of [0o644, 0o640, 0o604, 0o660]) {
    chmodSync(key, mode);
    const { exitCode, stderr } = await push();
    expect({ mode, exitCode }).toEqual({ mode, exitCode: EXITS.USAGE.code });
    expect(stderr).toContain(`${key} can be read by others\nnext: Type \`chmod 600 ${key}\``);
  }
  expect(await site.ledger()).toEqual([]);
  chmodSync(key, 0o600);
  expect((await push()).exitCode).toBe(0);
});

test('[C145] a check of certificates that is switched off is refused', () =>
  expectRefusals([
    {
      says: '',
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      code: 'certificates_unchecked',
      detail: 'anybody on the way could read',
    },
  ]));

describe('the folder of the journals', () => {
  const isRoot = process.getuid?.() === 0;

  async function pushInto(site: Migration, runDir: string) {
    const file = site.csv('t.csv', ...transactions({}).trim().split('\n'));
    return site.cli('push', 'transactions', file, '--run-dir', runDir);
  }

  async function expectNotWritable(site: Migration, runDir: string): Promise<void> {
    const { exitCode, stderr } = await pushInto(site, runDir);
    expect({ exitCode, stderr }).toEqual({
      exitCode: EXITS.RUN_FILE.code,
      stderr: expect.stringMatching(
        /run_not_writable[^\n]*\nnext: (?!Free space).*(Make the|Repair that)/,
      ) as string,
    });
    expect(await site.ledger()).toEqual([]);
  }

  const FILES_OF_A_RUN = [
    expect.stringMatching(/^127\.0\.0\.1-\d+-[\da-f]{8}$/),
    'begin.lock',
    'commands.ndjson',
    expect.stringMatching(/^transactions-[\da-f]{8}\.lock$/),
  ];

  test('[C146] a missing folder is made', async () => {
    const site = await badInputSite();
    const runDir = join(site.cwd, 'a', 'b');
    expect((await pushInto(site, runDir)).exitCode).toBe(0);
    expect(readdirSync(runDir)).toEqual(FILES_OF_A_RUN);
  });

  test('[C146] a file is refused', async () => {
    const site = await badInputSite();
    const runDir = join(site.cwd, 'runs');
    writeFileSync(runDir, '');
    for (const command of [['runs'], ['resume']]) {
      const { exitCode, stderr } = await site.cli(...command, '--run-dir', runDir);
      expect({ exitCode, stderr }).toEqual({
        exitCode: EXITS.RUN_FILE.code,
        stderr: expect.stringContaining(
          `${runDir} cannot be read: a part of the path is no folder`,
        ) as string,
      });
    }
    const { exitCode, stderr } = await pushInto(site, runDir);
    expect(exitCode).toBe(EXITS.RUN_FILE.code);
    expect(stderr).toContain('Another --run-dir does not know what was sent from this one.');
    expect(await site.ledger()).toEqual([]);
  });

  test.skipIf(isRoot)('[C146] that can only be read is refused', async () => {
    const site = await badInputSite();
    const runDir = join(site.cwd, 'runs');
    mkdirSync(runDir, { mode: 0o500 });
    await expectNotWritable(site, runDir);
  });

  test.skipIf(process.platform !== 'linux')('[C146] that cannot be made is refused', async () => {
    await expectNotWritable(await badInputSite(), '/proc/no-such-process/runs');
  });

  test('[C146] a link to nowhere is refused', async () => {
    const site = await badInputSite();
    const runDir = join(site.cwd, 'runs');
    symlinkSync(join(site.cwd, 'nowhere'), runDir);
    await expectNotWritable(site, runDir);
    expect(existsSync(join(site.cwd, 'nowhere'))).toBe(false);
  });

  test('[C146] a link to a folder is that folder', async () => {
    const site = await badInputSite();
    const elsewhere = join(site.cwd, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(site.cwd, 'runs'));
    expect((await pushInto(site, join(site.cwd, 'runs'))).exitCode).toBe(0);
    expect(readdirSync(elsewhere)).toEqual(FILES_OF_A_RUN);
  });
});

function setVersion999(file: string): void {
  const db = new Database(file);
  db.pragma('user_version = 999');
  db.close();
}

/** A site with a push that stopped at an unknown account, and that `resume` types again. */
async function unfinishedRun(): Promise<{ site: Migration; file: string }> {
  const site = await badInputSite();
  const rows = transactions({}, { external_account_number: '9999' }, { external_account_number: '9999' });
  const file = site.csv('t.csv', ...rows.trim().split('\n'));
  const { exitCode } = await site.cli('push', 'transactions', file, '--batch-size', '1', '-j', '1', '--json');
  expect(exitCode).toBe(EXITS.REFUSED.code);
  return { site, file: globSync(join(site.cwd, '.dataimport/journal/*/*/transactions.sqlite'))[0]! };
}

describe('a command that is resumed', () => {
  test('[C147] another address is refused, and both are named', async () => {
    const { site } = await unfinishedRun();
    const { exitCode, stderr } = await site.cli('resume', '--base-url', 'https://elsewhere.example');
    expect(exitCode).toBe(EXITS.RUN_FILE.code);
    expect(stderr).toContain(
      `the last command went to ${site.url}, and the settings lead to https://elsewhere.example now`,
    );
  });

  test('[C147] takes no flag that the command was typed with, and sends no row under another supplier, although the environment has changed', async () => {
    const { site } = await unfinishedRun();
    for (const flag of [
      ['--supplier', 'OTHER'],
      ['--no-check-previously-added'],
      ['--no-force-add-to-current-statement'],
    ]) {
      const { exitCode, stderr } = await site.cli('resume', ...flag);
      expect(exitCode).toBe(EXITS.USAGE.code);
      expect(stderr).toContain(`unknown option '${flag[0]}'`);
    }
    await site.cliIn({ env: { DATAIMPORT_SUPPLIER: 'OTHER' } }, 'resume');
    const known = (await site.ledger()).map(({ import_supplier }) => import_supplier);
    expect(known).toEqual(['ACME']);
  });

  test.each([
    ['of a newer version', setVersion999, /was written by dataimport/],
    [
      'of random bytes',
      (file: string) => writeFileSync(file, Buffer.alloc(8_192, 'random')),
      /not a database/,
    ],
    ['that is empty', (file: string) => writeFileSync(file, ''), /not a journal/],
  ] as const)('[C148] from a file %s is refused, and the file stays as it is', async (_, damage, reason) => {
    const { site, file } = await unfinishedRun();
    damage(file);
    const { exitCode, stderr } = await site.cli('resume');
    expect(exitCode).toBe(EXITS.RUN_FILE.code);
    expect(stderr).toMatch(reason);
    expect(stderr).toContain(file);
    expect(await site.ledger()).toHaveLength(1);
  });

  test('[C152] keeps its batches: sent and planned batches have the same bytes', async () => {
    const { site, file } = await unfinishedRun();
    const batches = (): unknown => {
      const db = new Database(file, { readonly: true });
      try {
        return db.prepare('SELECT id, first_seq, last_seq FROM batch ORDER BY id').all();
      } finally {
        db.close();
      }
    };
    const before = batches();
    expect(before).toHaveLength(3);
    expect((await site.cli('resume', '--batch-size', '2')).stderr).toContain("unknown option '--batch-size'");
    const { exitCode } = await site.cliIn({ env: { DATAIMPORT_BATCH_SIZE: '2' } }, 'resume');
    expect(exitCode).toBe(EXITS.REFUSED.code);
    expect(batches()).toEqual(before);
  });
});

test('[C151] a clock that is set back an hour during a back-off changes no wait', async () => {
  const waitsWith = async (jumpMs: number): Promise<readonly number[]> => {
    const site = await badInputSite();
    const file = site.csv('n.csv', ...notes({}).trim().split('\n'));
    const io = site.io({ ...(await leavingPlatform()), chance: 0.5, maxWaits: 50 });
    let offsetMs = 0;
    const timing = {
      ...io.timing,
      nowMs: () => io.timing.nowMs() + offsetMs,
      sleep: async (waitMs: number, signal?: AbortSignal) => {
        offsetMs += jumpMs;
        await io.timing.sleep(waitMs, signal);
      },
    };
    const { exitCode } = await runCli(['push', 'notes', file, '--retry-for', '20s'], { ...io, timing });
    expect(exitCode).toBe(EXITS.UNFINISHED.code);
    return io.waits;
  };
  const waits = await waitsWith(0);
  expect(waits.length).toBeGreaterThan(3);
  expect(await waitsWith(-3_600_000)).toEqual(waits);
  expect(await waitsWith(3_600_000)).toEqual(waits);
});

test('a bad setting of the environment is refused like a flag', async () => {
  const io = fakeIo({ env: { DATAIMPORT_BATCH_SIZE: '0', DATAIMPORT_BASE_URL: 'http://127.0.0.1:1' } });
  const { exitCode, stderr } = await runCli(['push', 'notes', 'n.csv'], io);
  expect(exitCode).toBe(EXITS.USAGE.code);
  expect(stderr).toContain('DATAIMPORT_BATCH_SIZE');
});

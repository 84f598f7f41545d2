import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KEY = 'sk_live_CANARYKEY0123456789';
const TOKEN = 'CANARYTOKEN9876543210';
const CELL = 'CANARYCELL of a private note';
const CREATED_AT = '2026-01-05T10:00:00Z';
const HEADER = 'import_supplier,external_account_number,body,created_at';

interface Echo {
  readonly authorization: string;
  readonly body: string;
}
type Answer = (asked: Echo) => {
  readonly status: number;
  readonly body: unknown;
  /** Whether the connection ends in the middle of the body. */
  readonly isCut?: boolean;
};

/** The whole request, repeated in every part of the answer. */
const everything = ({ authorization, body }: Echo): string =>
  `you sent ${authorization} and ${body}; your key is ${KEY}`;

const unauthorized: Answer = (asked) => ({
  status: 401,
  body: { detail: everything(asked), code: 'authentication_failed' },
});
const failed: Answer = (asked) => ({ status: 500, body: { detail: everything(asked), [TOKEN]: CELL } });
const page: Answer = (asked) => ({ status: 201, body: `<html>${everything(asked)}</html>` });
const redirect: Answer = (asked) => ({ status: 302, body: everything(asked) });
const refused: Answer = (asked) => ({
  status: 400,
  body: {
    type: 'validation_error',
    errors: [{ code: 'invalid', detail: everything(asked), attr: 'notes.0.body' }],
  },
});
const created: Answer = () => ({
  status: 201,
  body: [{ created_at: CREATED_AT, body: CELL, status: 'NOTE_CREATION_SUCCESS' }],
});
const tokenCut: Answer = (asked) => ({ status: 200, body: `{"${everything(asked)}`, isCut: true });
const keyRefused: Answer = (asked) => ({ status: 200, body: { errors: [{ message: everything(asked) }] } });

/** A platform that answers POSTs of notes in this order, the last answer again and again. */
async function platformOf(answers: readonly Answer[], tokenAnswer?: Answer): Promise<string> {
  const left = [...answers];
  let tokens = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const asked = { authorization: request.headers.authorization ?? '', body };
      const isToken = request.url === '/v1/graphql/';
      const token = {
        status: 200,
        body: { data: { obtainPlatformToken: { token: `${TOKEN}-${++tokens}` } } },
      };
      const answer = isToken
        ? (tokenAnswer?.(asked) ?? token)
        : (left.length > 1 ? left.shift()! : left[0]!)(asked);
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        location: `/?token=${TOKEN}`,
        'x-echo': KEY,
        ...('isCut' in answer && answer.isCut ? { 'content-length': String(text.length + 100) } : {}),
      });
      if ('isCut' in answer && answer.isCut) response.write(text, () => request.socket.destroy());
      else response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A folder with one note, and command lines that run in it against the platform. */
async function siteOf(answers: readonly Answer[], tokenAnswer?: Answer) {
  const cwd = temporaryFolder();
  const input = join(cwd, 'notes.csv');
  writeFileSync(input, `${HEADER}\nACME,1001,${CELL},${CREATED_AT}\n`);
  const env = {
    DATAIMPORT_BASE_URL: await platformOf(answers, tokenAnswer),
    DATAIMPORT_API_KEY: KEY,
    DATAIMPORT_RETRY_FOR: '20s',
    HTTPS_PROXY: 'http://jo:CANARYKEY0123456789@127.0.0.1:1',
  };
  const printed: string[] = [];
  const cli = async (...argv: readonly string[]) => {
    const ended = await runCli(argv, fakeIo({ cwd, env, chance: 0.5, maxWaits: 100 }));
    printed.push(ended.stdout, ended.stderr);
    return ended.exitCode;
  };
  /** Everything that the program left behind, by name: every file except its input, and its output. */
  const traces = (): readonly (readonly [string, string])[] => [
    ...readdirSync(cwd, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(cwd, name)).isFile() && name !== 'notes.csv')
      .map((name) => [name, readFileSync(join(cwd, name), 'latin1')] as const),
    ['printed', printed.join('\n')],
  ];
  const namesWith = (canary: string): readonly string[] =>
    traces()
      .filter(
        ([, text]) =>
          text.includes(canary) || text.includes(Buffer.from(canary).toString('base64').slice(0, -4)),
      )
      .map(([name]) => name);
  return { cwd, cli, namesWith, traces };
}

/** The columns of a journal with texts. */
function columnsWith(file: string, canary: string): readonly string[] {
  const db = new Database(file, { readonly: true });
  try {
    const tables = db
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`)
      .pluck()
      .all() as string[];
    return tables.flatMap((table) => {
      const rows = db.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[];
      const found = rows.flatMap((row) =>
        Object.entries(row).flatMap(([column, value]) =>
          String(value).includes(canary) ? [`${table}.${column}`] : [],
        ),
      );
      return [...new Set(found)];
    });
  } finally {
    db.close();
  }
}

const WAYS: readonly (readonly string[])[] = [
  [],
  ['--json'],
  ['-v', '--log-file', 'log.ndjson'],
  ['-v', '--show-values', '--log-file', 'log.ndjson'],
];

describe.each(WAYS.map((flags) => ({ flags })))('with $flags', ({ flags }) => {
  const showsValues = flags.includes('--show-values');

  test.each([
    ['a token that has run out, a failure, then a refusal', [unauthorized, failed, refused], EXITS.REFUSED],
    ['tokens that are refused', [unauthorized], EXITS.AUTH],
    ['failures until the time is over', [failed], EXITS.UNFINISHED],
    ['a page in place of an answer', [page], EXITS.REFUSED],
    ['a redirect', [redirect], EXITS.REFUSED],
  ] as const)('neither key, token nor cell is left behind by %s', async (_, answers, exit) => {
    const site = await siteOf(answers);
    expect(await site.cli('push', 'notes', 'notes.csv', ...flags)).toBe(exit.code);
    expect(site.namesWith(KEY)).toEqual([]);
    expect(site.namesWith('CANARYKEY')).toEqual([]);
    expect(site.namesWith(TOKEN)).toEqual([]);

    // The journal has the records that are left to send, and what the platform says about them. No other file has either.
    const [file, ...others] = site.namesWith(CELL).filter((name) => name.includes('.sqlite'));
    expect(others).toEqual([]);
    const columns = columnsWith(join(site.cwd, file!), CELL);
    expect(columns.filter((name) => name !== 'problem.unhidden')).toEqual(['record.payload']);
    if (!showsValues) expect(site.namesWith(CELL)).toEqual([file]);
  });

  test('a key is not left behind by token requests whose answers are cut', async () => {
    const site = await siteOf([created], tokenCut);
    expect(await site.cli('push', 'notes', 'notes.csv', ...flags)).toBe(EXITS.UNFINISHED.code);
    expect(await site.cli('auth')).not.toBe(EXITS.OK.code);
    expect(site.namesWith(KEY)).toEqual([]);
    expect(site.namesWith('CANARYKEY')).toEqual([]);
    // The requests for tokens are in the log.
    const log = site.traces().find(([name]) => name === 'log.ndjson')?.[1];
    if (flags.includes('--log-file')) expect(log).toContain('/v1/graphql/');
  });

  test.each([400, 401, 403, 404, 500, 503])(
    'neither the key nor a part of it is left behind by token requests that are answered with status %d',
    async (status) => {
      // The beginning of the key, as a gateway may show it.
      const part = KEY.slice(0, -4);
      const site = await siteOf([created], (asked) => ({
        status,
        body: { errors: [{ message: `unknown key ${part}…` }], detail: `${everything(asked)} ${part}…` },
      }));
      expect(await site.cli('push', 'notes', 'notes.csv', ...flags)).not.toBe(EXITS.OK.code);
      expect(await site.cli('auth', ...flags)).not.toBe(EXITS.OK.code);
      expect([KEY, 'CANARYKEY'].flatMap(site.namesWith)).toEqual([]);
      const log = site.traces().find(([name]) => name === 'log.ndjson')?.[1];
      if (flags.includes('--log-file')) expect(log).toContain(`"outcome":${status}`);
    },
  );

  test('a key that is refused is not repeated by the reason', async () => {
    const site = await siteOf([created], keyRefused);
    expect(await site.cli('push', 'notes', 'notes.csv', ...flags)).toBe(EXITS.AUTH.code);
    expect(await site.cli('auth')).toBe(EXITS.AUTH.code);
    expect(site.namesWith(KEY)).toEqual([]);
  });
});

test('after the end the cell is nowhere, not even in the journal', async () => {
  const site = await siteOf([unauthorized, failed, refused, created]);
  const flags = ['-v', '--log-file', 'log.ndjson'];
  expect(await site.cli('push', 'notes', 'notes.csv', ...flags)).toBe(EXITS.REFUSED.code);
  expect(site.namesWith(CELL)).toHaveLength(1);
  expect(await site.cli('resume', ...flags)).toBe(EXITS.OK.code);
  expect([KEY, TOKEN, CELL].flatMap(site.namesWith)).toEqual([]);
  // The search covers the journal, its head, the list of commands, the log and the output.
  const traces = site.traces().filter(([name]) => !name.endsWith('.lock'));
  expect(traces.map(([, text]) => text.length > 100)).toEqual([true, true, true, true, true]);
});

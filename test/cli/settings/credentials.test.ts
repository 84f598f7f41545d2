import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { findCredentials, outputOf, type FoundCredentials } from '../../../src/cli/settings/credentials.ts';
import type { SettingFlags } from '../../../src/cli/settings/layer.ts';
import { resolveSettings } from '../../../src/cli/settings/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SECRET = 'sk_live_s3cr3t';

async function find(
  env: Record<string, string>,
  flags: SettingFlags = {},
  platform = process.platform,
): Promise<FoundCredentials> {
  const cwd = temporaryFolder();
  const world = {
    env: { PATH: process.env['PATH'], ...env },
    cwd,
    homeDir: cwd,
    configDir: async () => cwd,
    platform,
    userId: process.getuid?.(),
  };
  return findCredentials(await resolveSettings({ ...world, flags }), world);
}

async function keyOf(env: Record<string, string>, platform = process.platform): Promise<string> {
  const found = await find(env, {}, platform);
  if (found.kind !== 'key') throw new Error('a token was found');
  return found.apiKey();
}

async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error('no error of the table', { cause: error });
  expect(`${error.message} ${JSON.stringify(error.facts)} ${error.stack}`).not.toContain(SECRET);
  return error;
}

function keyFile(text: string | Buffer, mode: number): string {
  const file = join(temporaryFolder(), 'key');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe('the first given credentials count', () => {
  const all = {
    DATAIMPORT_TOKEN: 't',
    DATAIMPORT_API_KEY: 'k',
    DATAIMPORT_API_KEY_FILE: 'KEY_FILE',
    DATAIMPORT_API_KEY_COMMAND: 'x',
  };
  const { DATAIMPORT_TOKEN: _token, ...noToken } = all;
  const { DATAIMPORT_API_KEY: _key, ...noKey } = noToken;
  const { DATAIMPORT_API_KEY_FILE: _file, ...noFile } = noKey;

  test.each([
    [all, { kind: 'token', source: 'DATAIMPORT_TOKEN' }],
    [noToken, { kind: 'key', source: 'DATAIMPORT_API_KEY' }],
    [noKey, { kind: 'key', source: expect.stringMatching(/^apiKeyFile .*\/key$/) as string }],
    [noFile, { kind: 'key', source: 'apiKeyCommand' }],
  ])('%j', async (env, expected) => {
    const file = keyFile(SECRET, 0o600);
    const given = Object.entries(env).map(([name, value]) => [name, value === 'KEY_FILE' ? file : value]);
    expect(await find(Object.fromEntries(given) as typeof env)).toMatchObject(expected);
  });

  test('missing credentials are an error that names the variables to set', async () => {
    expect((await errorOf(find({}))).code).toBe('credentials_missing');
  });
});

describe('a key in the environment', () => {
  test('is used unchanged', async () => {
    expect(await keyOf({ DATAIMPORT_API_KEY: SECRET })).toBe(SECRET);
  });

  test.each([
    `"${SECRET}"`,
    `'${SECRET}'`,
    `${SECRET}\r\n`,
    ` ${SECRET}`,
    `${SECRET} x`,
    `${SECRET}é`,
    `${SECRET}\u0000`,
  ])('%j cannot be sent', async (key) => {
    expect(await errorOf(find({ DATAIMPORT_API_KEY: key }))).toMatchObject({ code: 'setting_invalid' });
    expect(await errorOf(find({ DATAIMPORT_TOKEN: key }))).toMatchObject({ code: 'setting_invalid' });
  });
});

describe('a key in a file', () => {
  test('is read without a byte order mark of UTF-8', async () => {
    expect(await keyOf({ DATAIMPORT_API_KEY_FILE: keyFile(`\uFEFF${SECRET}\r\n`, 0o600) })).toBe(SECRET);
  });

  test.each([
    ['in UTF-16', Buffer.from(`\uFEFF${SECRET}\r\n`, 'utf16le'), 'characters beyond ASCII'],
    ['in Latin-1', Buffer.from(`${SECRET}\xE9`, 'latin1'), 'characters beyond ASCII'],
    ['with quotes around it', `"${SECRET}"\n`, 'it has quotes around it'],
  ])('%s is refused with the reason', async (_, content, reason) => {
    const error = await errorOf(keyOf({ DATAIMPORT_API_KEY_FILE: keyFile(content, 0o600) }));
    expect(error).toMatchObject({ code: 'setting_invalid', facts: { setting: 'apiKeyFile' } });
    expect(error.facts['reason']).toContain(reason);
  });

  test.each([0o644, 0o640, 0o604, 0o660])(
    'is refused when other users may read it: mode %o',
    async (mode) => {
      const file = keyFile(SECRET, mode);
      expect(await errorOf(keyOf({ DATAIMPORT_API_KEY_FILE: file }))).toMatchObject({
        code: 'secret_file_open',
        facts: { file },
      });
    },
  );

  test('is not checked on Windows, whose files have no mode', async () => {
    const file = keyFile(SECRET, 0o644);
    expect(await keyOf({ DATAIMPORT_API_KEY_FILE: file }, 'win32')).toBe(SECRET);
  });

  test.each(['', '\n', `${SECRET}\nsecond line`])('%j is no key', async (text) => {
    expect((await errorOf(keyOf({ DATAIMPORT_API_KEY_FILE: keyFile(text, 0o600) }))).code).toBe(
      'setting_invalid',
    );
  });

  test('is named when it is missing', async () => {
    expect(await errorOf(keyOf({ DATAIMPORT_API_KEY_FILE: '/missing/key' }))).toMatchObject({
      code: 'file_not_readable',
      facts: { file: '/missing/key', reason: 'no such file' },
    });
  });
});

describe('a key from a command', () => {
  const key = (command: string) => keyOf({ DATAIMPORT_API_KEY_COMMAND: command });

  test('is its output without the line end', async () => {
    expect(await key(`printf '%s\\n' ${SECRET}`)).toBe(SECRET);
  });

  test.each([
    [`echo ${SECRET}; echo ${SECRET} >&2; exit 3`, 'it ended with exit code 3'],
    ['true', 'it printed nothing'],
    ['no-such-command-anywhere', 'it ended with exit code 127'],
  ])('%s fails without showing its output', async (command, reason) => {
    expect(await errorOf(key(command))).toMatchObject({
      code: 'credentials_missing',
      facts: { reason: `apiKeyCommand failed: ${reason}` },
    });
  });

  test('is refused when the command prints more', async () => {
    expect((await errorOf(key(`echo ${SECRET} and more`))).code).toBe('setting_invalid');
  });

  test('is ended with its time, also when it ignores signals, and says what it waits for', async () => {
    const world = { env: { PATH: process.env['PATH'] }, cwd: temporaryFolder() };
    const stubborn = `trap '' TERM; while :; do sleep 0.01; done; echo ${SECRET}`;
    expect(await errorOf(outputOf(stubborn, world, 100))).toMatchObject({
      code: 'credentials_missing',
      facts: { reason: 'apiKeyCommand failed: it took longer than 0.1 s' },
    });
    expect(await outputOf(`sleep 0.01; echo ${SECRET}`, world, 60_000)).toBe(SECRET);
    expect(await find({ DATAIMPORT_API_KEY_COMMAND: stubborn })).toMatchObject({
      waitsFor: 'waiting for apiKeyCommand (DATAIMPORT_API_KEY_COMMAND), 60 s at most',
    });
    expect(await find({ DATAIMPORT_API_KEY: SECRET })).not.toHaveProperty('waitsFor');
  });

  test('does not run before a key is needed', async () => {
    const found = await find({ DATAIMPORT_API_KEY_COMMAND: 'exit 1' });
    expect(found.kind).toBe('key');
  });
});

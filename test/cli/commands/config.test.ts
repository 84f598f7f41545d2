import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTING_NAMES } from '../../../src/cli/settings/schema.ts';
import { fakeIo, runCli, type FakeIoOptions } from '../../support/cli-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Shown {
  readonly name: string;
  readonly value: string | null;
  readonly source: string | null;
  readonly hidden: boolean;
}

async function shown(world: FakeIoOptions, ...flags: readonly string[]) {
  const { json, stdout } = await runCli(['config', '--json', ...flags], fakeIo(world));
  const { settings, credentials } = json() as unknown as { settings: readonly Shown[]; credentials: string };
  return {
    stdout,
    credentials,
    of: (name: string) => settings.find((setting) => setting.name === name)!,
    settings,
  };
}

describe('config', () => {
  test('shows every setting', async () => {
    const { settings } = await shown({ cwd: temporaryFolder() });
    expect(settings.map(({ name }) => name)).toEqual(SETTING_NAMES);
  });

  test('says which flag, variable, line or default gave a value', async () => {
    const cwd = temporaryFolder();
    const file = join(cwd, 'dataimport.config.yaml');
    writeFileSync(file, 'supplier: LEGACY\nretryFor: 30m\ntimeZone: Europe/London\n');
    const world = { cwd, env: { DATAIMPORT_TIMEOUT: '60s', DATAIMPORT_RETRY_FOR: '5m' } };
    const { of } = await shown(world, '--batch-size', '7');
    expect(of('batchSize')).toMatchObject({ value: '7', source: '--batch-size' });
    expect(of('timeout')).toMatchObject({ value: '60s', source: 'DATAIMPORT_TIMEOUT' });
    expect(of('retryFor')).toMatchObject({ value: '5m', source: 'DATAIMPORT_RETRY_FOR' });
    expect(of('supplier')).toMatchObject({ value: 'LEGACY', source: `${file}:1` });
    expect(of('timeZone')).toMatchObject({ value: 'Europe/London', source: `${file}:3` });
    expect(of('concurrency')).toMatchObject({ value: '16 at first, growing to 64', source: 'default' });
    expect(of('baseUrl')).toMatchObject({ value: null, source: null });
    expect(of('runDir')).toMatchObject({ value: join(cwd, '.dataimport/journal'), source: 'default' });
  });

  test('shows no key, no token and no command that may contain one', async () => {
    const cwd = temporaryFolder();
    const secret = 'sk-canary-4711';
    const key = await shown({ cwd, env: { DATAIMPORT_API_KEY: secret } });
    expect(key.credentials).toBe('key from DATAIMPORT_API_KEY');
    const token = await shown({ cwd, env: { DATAIMPORT_TOKEN: secret } });
    expect(token.credentials).toBe('token from DATAIMPORT_TOKEN');
    const command = await shown({ cwd, env: { DATAIMPORT_API_KEY_COMMAND: `echo ${secret}` } });
    expect(command.of('apiKeyCommand')).toMatchObject({ value: null, hidden: true });
    expect(command.credentials).toBe('key from apiKeyCommand');
    const text = await runCli(
      ['config'],
      fakeIo({ cwd, env: { DATAIMPORT_API_KEY_COMMAND: `echo ${secret}` } }),
    );
    for (const { stdout } of [key, token, command, text]) expect(stdout).not.toContain(secret);
    expect(text.stdout).toContain('(not shown)');
  });

  test('says why there are no credentials, and does not end with an error', async () => {
    const { exitCode, stdout } = await runCli(['config'], fakeIo({ cwd: temporaryFolder() }));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/credentials .* none: /);
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { SettingFlags } from '../../../src/cli/settings/layer.ts';
import type { SettingName } from '../../../src/cli/settings/schema.ts';
import { resolveSettings, type SettingSources } from '../../../src/cli/settings/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Given {
  readonly flags?: SettingFlags;
  readonly env?: Record<string, string>;
  readonly projectFile?: string;
  readonly userFile?: string;
  readonly config?: string;
}

/** A project folder with a command typed two folders below it, and a home folder. */
function sourcesOf({
  flags = {},
  env = {},
  projectFile,
  userFile,
  ...chosen
}: Given): SettingSources & { readonly project: string; readonly homeDir: string } {
  const root = temporaryFolder();
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  const cwd = join(project, 'exports', 'june');
  mkdirSync(cwd, { recursive: true });
  if (projectFile !== undefined) writeFileSync(join(project, 'dataimport.config.yaml'), projectFile);
  mkdirSync(join(home, 'config'), { recursive: true });
  if (userFile !== undefined) writeFileSync(join(home, 'config', 'config.yaml'), userFile);
  const userId = process.getuid?.();
  return {
    flags,
    env,
    cwd,
    homeDir: home,
    configDir: async () => join(home, 'config'),
    userId,
    project,
    ...chosen,
  };
}

async function resolved(name: SettingName, world: Given) {
  const settings = await resolveSettings(sourcesOf(world));
  const setting = settings.resolved(name);
  return (
    setting && {
      value: setting.value,
      source: setting.source.words.replace(/^.*\/(project|home)\//, ''),
    }
  );
}

async function errorOf(world: Given | SettingSources) {
  const error: unknown = await resolveSettings('configDir' in world ? world : sourcesOf(world)).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error('the settings were accepted', { cause: error });
  return { code: error.code, message: error.message, ...error.facts };
}

describe('the first source of a setting counts', () => {
  const all: Given = {
    flags: { batchSize: '1' },
    env: { DATAIMPORT_BATCH_SIZE: '2' },
    projectFile: 'batchSize: 4',
    userFile: 'batchSize: 6',
  };
  const { flags: _flags, ...noFlag } = all;
  const { env: _env, ...noVariable } = noFlag;

  test.each([
    ['the flag', all, { value: 1, source: '--batch-size' }],
    ['then the variable', noFlag, { value: 2, source: 'DATAIMPORT_BATCH_SIZE' }],
    ['then the project file', noVariable, { value: 4, source: 'dataimport.config.yaml:1' }],
    ['then the user file', { userFile: 'batchSize: 6' }, { value: 6, source: 'config/config.yaml:1' }],
    ['then the default', {}, { value: 100, source: 'default' }],
  ])('%s', async (_, world, expected) => {
    expect(await resolved('batchSize', world)).toEqual(expected);
  });

  test('a missing setting without a default is an error that says how to give it', async () => {
    const settings = await resolveSettings(sourcesOf({}));
    expect(settings.get('supplier')).toBeUndefined();
    expect(() => settings.need('supplier')).toThrow(
      new AppError('setting_invalid', {
        setting: 'supplier',
        what: 'is missing',
        todo: 'Give --supplier, set DATAIMPORT_SUPPLIER, or write it to dataimport.config.yaml.',
      }),
    );
    expect(() => settings.need('apiKeyFile')).toThrow(AppError);
  });

  test('--config replaces the project file', async () => {
    const world = sourcesOf({ projectFile: 'supplier: PROJECT\nbatchSize: 5', config: 'other.yaml' });
    writeFileSync(join(world.cwd, 'other.yaml'), 'supplier: OTHER');
    const settings = await resolveSettings(world);
    expect([settings.get('supplier'), settings.get('batchSize')]).toEqual(['OTHER', 100]);
  });
});

describe('values in files', () => {
  test('are parsed like the same text in a flag', async () => {
    expect((await resolved('supplier', { projectFile: 'supplier: 007' }))?.value).toBe('007');
    expect((await resolved('supplier', { projectFile: 'supplier: no' }))?.value).toBe('no');
    expect((await resolved('retryFor', { projectFile: 'retryFor: 90s' }))?.value).toBe(90_000);
  });

  test('that are paths start from the folder of the file, from the current folder, or from home', async () => {
    const world = sourcesOf({ projectFile: 'runDir: runs\napiKeyFile: ~/key', flags: {} });
    const settings = await resolveSettings(world);
    expect(settings.get('runDir')).toBe(join(world.project, 'runs'));
    expect(settings.get('apiKeyFile')).toBe(join(world.homeDir, 'key'));
    for (const given of [{ flags: { runDir: '~/r' } }, { env: { DATAIMPORT_RUN_DIR: '~/r' }, flags: {} }])
      expect((await resolveSettings({ ...world, ...given })).get('runDir')).toBe(join(world.homeDir, 'r'));
    expect((await resolveSettings({ ...world, flags: { runDir: 'runs' } })).get('runDir')).toBe(
      join(world.cwd, 'runs'),
    );
    expect((await resolveSettings({ ...world, flags: { runDir: '/runs' } })).get('runDir')).toBe('/runs');
  });
});

describe('a wrong setting', () => {
  test.each([
    [{ flags: { batchSize: '0' } }, 'batchSize', '--batch-size', /whole number from 1/],
    [{ flags: { concurrency: '' } }, 'concurrency', '--concurrency', /it is empty/],
    [{ env: { DATAIMPORT_TIMEOUT: '5' } }, 'timeout', 'DATAIMPORT_TIMEOUT', /span of time/],
    [{ env: { DATAIMPORT_SUPPLIER: '' } }, 'supplier', 'DATAIMPORT_SUPPLIER', /it is empty/],
    [{ flags: { baseUrl: 'https://u:secret@h' } }, 'baseUrl', '--base-url', /user name or password/],
    [{ projectFile: '\nbatchSize: 1e3' }, 'batchSize', /dataimport\.config\.yaml:2$/, /whole number/],
    [
      { projectFile: 'batchsize: 5' },
      'batchsize',
      /:1$/,
      /there is no such setting; did you mean batchSize\?/,
    ],
    [
      { projectFile: 'apiKey: abc' },
      'apiKey',
      /:1$/,
      /a configuration file must not contain a secret; use DATAIMPORT_API_KEY/,
    ],
    [{ projectFile: '\ntoken: abc' }, 'token', /:2$/, /a configuration file must not contain a secret/],
    [{ projectFile: 'batchSize: [1]' }, 'batchSize', /:1$/, /must be a single value/],
    [{ projectFile: '- a' }, 'the file', /:1$/, /must be a mapping/],
  ] satisfies [Given, string, string | RegExp, RegExp][])(
    '%j is refused',
    async (world, setting, source, reason) => {
      expect(await errorOf(world)).toMatchObject({
        code: 'setting_invalid',
        setting,
        source: typeof source === 'string' ? source : (expect.stringMatching(source) as string),
        reason: expect.stringMatching(reason) as string,
      });
    },
  );

  test('is refused even when another place overrides it', async () => {
    expect(await errorOf({ flags: { batchSize: '5' }, userFile: 'batchSize: none' })).toMatchObject({
      setting: 'batchSize',
    });
  });

  test('never shows the text of a file, because it may be a secret', async () => {
    for (const projectFile of [
      'apiKey: s3cr3t',
      's3cr3t',
      'baseUrl: https://u:s3cr3t@h',
      'a: "s3cr3t',
      'supplier: "s3cr3t\\n"',
    ]) {
      expect(JSON.stringify(await errorOf({ projectFile })), projectFile).not.toContain('s3cr3t');
    }
  });

  test('that would send keys unencrypted has a code of its own', async () => {
    expect(await errorOf({ flags: { baseUrl: 'http://platform.example' } })).toMatchObject({
      code: 'base_url_insecure',
    });
  });
});

test.each(['projectFile', 'userFile'] as const)('a %s that is not UTF-8 is refused', async (file) => {
  const world = sourcesOf({ [file]: 'x' });
  const path = file === 'projectFile' ? world.project : (await world.configDir())!;
  const name = file === 'projectFile' ? 'dataimport.config.yaml' : 'config.yaml';
  // A replacement character would make it another folder.
  writeFileSync(join(path, name), Buffer.from('runDir: l\u00e4ufe\n', 'latin1'));
  expect(await errorOf(world)).toMatchObject({ code: 'file_not_readable', file: join(path, name) });
});

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { headerOf, placeOf } from '../../../src/cli/sources/version.ts';
import { GOOD, HEADER, IMPORTED } from '../../support/refused-account.ts';
import { migration } from '../../support/migration.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Flags = Parameters<typeof headerOf>[0];
type Sources = Parameters<typeof headerOf>[1];
type Place = Parameters<typeof headerOf>[2];

const cwd = '/in';
const ioAt = (nowMs: number) =>
  ({ cwd, version: () => '9.8.7', timing: { nowMs: () => nowMs } }) as unknown as Place['io'];
const FLAGS: Flags = {
  resource: 'transactions',
  checkPreviouslyAdded: true,
  forceAddToCurrentStatement: true,
};
const fileOf = (name: string, sha256: string) =>
  ({
    file: { name, fingerprint: { bytes: 1, sha256 } },
    mappedBy: null,
  }) as unknown as Sources['files'][number];
const SOURCES = {
  files: [fileOf('t.csv', 'a')],
  job: { earliestDate: '1970-01-01' },
  inputs: [],
  contentSha256: 'a',
  documentsSha256: null,
  shard: undefined,
  contract: null,
} as unknown as Sources;
const PLACE: Place = {
  scope: { resource: 'transactions', target: 'https://platform.example', database: 'db' },
  supplier: undefined,
  io: ioAt(Date.UTC(2026, 10, 21)),
};

const header = (flags: Partial<Flags> = {}, sources: Partial<Sources> = {}, place: Partial<Place> = {}) =>
  headerOf({ ...FLAGS, ...flags }, { ...SOURCES, ...sources }, { ...PLACE, ...place });

describe('a version is another one when', () => {
  test.each<readonly [string, Partial<Flags>, Partial<Sources>, Partial<Place>]>([
    ['the content is', {}, { contentSha256: 'b' }, {}],
    ['the mapping or a second file is', {}, { inputs: [{ name: 'm.yaml', bytes: 1, sha256: 'm' }] }, {}],
    ['the listing of documents is', {}, { documentsSha256: 'd' }, {}],
    ['the contract is', {}, { contract: { name: 'Halmere', sha256: 'h' } as never }, {}],
    ['the shard is', {}, { shard: { index: 1, count: 2 } }, {}],
    ['the earliest date is', {}, { job: { earliestDate: '2000-01-01' } as never }, {}],
    ['fewer rows are taken', { maxRecords: 1 }, {}, {}],
    ['the check for earlier ones is off', { checkPreviouslyAdded: false }, {}, {}],
    ['the platform may not move transactions', { forceAddToCurrentStatement: false }, {}, {}],
    ['the supplier is', {}, {}, { supplier: 'OTHER' }],
    ['the resource is', { resource: 'notes' }, {}, {}],
  ])('%s', (_, flags, sources, place) => {
    expect(header(flags, sources, place).version).not.toBe(header().version);
  });
});

test('a version is another one when its mapping file has other bytes under the same name', () => {
  const containing = (sha256: string) =>
    header({}, { inputs: [{ name: 'm.yaml', bytes: 1, sha256 }] }).version;
  expect(containing('m')).not.toBe(containing('n'));
});

describe('a version is the same although', () => {
  test.each<readonly [string, Partial<Sources>, Partial<Place>]>([
    ['the file has another name', { files: [fileOf('other.csv', 'a')] }, {}],
    ['it goes elsewhere', {}, { scope: { ...PLACE.scope, target: 'http://127.0.0.1:1', database: null } }],
    ['it is another day', {}, { io: ioAt(Date.UTC(2027, 0, 1)) }],
  ])('%s', (_, sources, place) => {
    expect(header({}, sources, place).version).toBe(header().version);
  });

  test('its mapping file has another name', () => {
    const named = (name: string) => header({}, { inputs: [{ name, bytes: 1, sha256: 'm' }] }).version;
    expect(named('a.yaml')).toBe(named('b.yaml'));
  });
});

describe('the name of a file', () => {
  test('is its real path', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'in', 't.csv'), '');
    symlinkSync(join(folder, 'in'), join(folder, 'link'));
    expect(placeOf(join('link', 't.csv'), folder)).toBe(join(folder, 'in', 't.csv'));
  });

  test('is the path that it would have when it is gone', () => {
    expect(placeOf('gone.csv', cwd)).toBe(join(cwd, 'gone.csv'));
  });

  test('is none for standard input', () => {
    expect(placeOf('<stdin>', cwd)).toBeNull();
  });
});

test('rows that an earlier date makes valid are sent by the same command', async () => {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, GOOD, GOOD.replace('t-1', 't-0').replace('2026-02-01', '1960-02-01'));
  const push = ['push', 'transactions', 't.csv', '--skip-invalid'];
  expect((await site.cli(...push)).stdout).toContain('2 rows read: 1 arrived, 1 invalid\n');
  writeFileSync(join(site.cwd, 'dataimport.config.yaml'), 'earliestDate: 1950-01-01\n');
  const { exitCode, stdout, stderr } = await site.cli(...push);
  expect([exitCode, stderr + stdout]).toEqual([
    0,
    expect.stringContaining('2 rows read: 2 arrived, 1 of them now\n'),
  ]);
});

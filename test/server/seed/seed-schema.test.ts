import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isCalendarDate } from '../../../src/core/values/calendar-date.ts';
import { BUILT_IN_SEED } from '../../../src/server/seed/built-in-seed.ts';
import { readSeed } from '../../../src/server/seed/read-seed.ts';
import { seedJsonSchema } from '../../../src/server/seed/seed-file.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { seedFile } from '../../support/server-platform.ts';
import { TEST_SEED } from '../../support/server-seed.ts';
import { projectRoot } from '../../support/source-tree.ts';

const ajv = new Ajv2020({ strictRequired: false, formats: { date: isCalendarDate } });
const fits = ajv.compile(seedJsonSchema());

const FIXTURES = join(projectRoot, 'fixtures');
const fixtures = globSync('*/seed*.yaml', { cwd: FIXTURES });

test.each(fixtures)('the seed %s fits the published schema', (file) => {
  expect(fits(parse(readFileSync(join(FIXTURES, file), 'utf8'))), JSON.stringify(fits.errors)).toBe(true);
});

test('the built-in seed fits it, and so does a seed with everything', () => {
  expect(fixtures.length).toBeGreaterThan(5);
  expect([fits(BUILT_IN_SEED), fits(parse(TEST_SEED))]).toEqual([true, true]);
});

describe('the schema refuses an entry that the server refuses', () => {
  const SUPPLIER = '{ code: ACME, name: Acme, status: Ongoing }';
  const ACCOUNT = 'import_supplier: ACME, external_account_number: "1"';
  const accounts = (account: string) => `suppliers: [${SUPPLIER}]\naccounts: [{ ${ACCOUNT}, ${account} }]`;
  const instruction = (text: string) =>
    `vendors: [{ code: V, instructions: [{ reference: r, type: CARD${text} }] }]`;

  test.each([
    ['an unknown key', 'seeds: []'],
    ['a status that is none', 'suppliers: [{ code: ACME, name: Acme, status: Open }]'],
    ['a supplier without a name', 'suppliers: [{ code: ACME, status: Ongoing }]'],
    ['a key that nobody can send', "api_keys: [{ key: 'a b' }]"],
    ['a blank code', 'product_codes: [" "]'],
    ['an empty list of codes', 'product_codes: []'],
    [
      'an account number that is a number',
      `suppliers: [${SUPPLIER}]\naccounts: [{ import_supplier: ACME, external_account_number: 1, state: staged }]`,
    ],
    ['a state that is none', accounts('state: ready')],
    [
      'a day that does not exist',
      accounts('state: imported, open_statement: { from: 2026-02-30, to: 2026-12-31 }'),
    ],
    ['half an open statement', accounts('state: imported, open_statement: { from: 2026-01-01 }')],
    ['no time at all', accounts('state: staged, auto_import: { after_seconds: 0 }')],
    ['half a time', instruction(', fails: intermittent, times: 1.5')],
  ])('%s', (_, entries) => {
    const text = `version: 1\n${entries}\n`;
    expect(() => readSeed([seedFile(text)])).toThrow();
    expect(fits(parse(text))).toBe(false);
  });
});

test('the command line publishes the schema', async () => {
  const printed = await runCli(['schema', 'seed'], fakeIo());
  expect([printed.exitCode, JSON.parse(printed.stdout)]).toEqual([
    0,
    JSON.parse(JSON.stringify(seedJsonSchema())),
  ]);
  const document = await runCli(['schema', 'seed', '--json'], fakeIo());
  expect(document.json()['schema']).toEqual(JSON.parse(printed.stdout));
});

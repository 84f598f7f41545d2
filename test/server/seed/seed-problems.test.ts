import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { readSeed } from '../../../src/server/seed/read-seed.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { documentBlocks } from '../../support/document-blocks.ts';
import { playBlocks } from '../../support/played-page.ts';
import { seedFile } from '../../support/server-platform.ts';

/** The error of reading the texts as seeds. */
function errorOf(texts: Readonly<Record<string, string>>): AppError {
  try {
    readSeed(Object.entries(texts).map(([name, text]) => seedFile(text, name)));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** `seed.yaml:3:12 accounts[0].state: is required …`, without folders. */
function problemsIn(texts: Readonly<Record<string, string>>): readonly string[] {
  const error = errorOf(texts);
  expect(error.code).toBe('seed_invalid');
  return (error.cause as AggregateError).errors.map(({ facts }: AppError) =>
    withoutFolders([facts['file'], facts['line'], facts['column']].join(':') + ` ${facts['reason']}`),
  );
}

function withoutFolders(text: string): string {
  return text.replaceAll(/\S*\/(?=\w+\.yaml)/g, '');
}

const SUPPLIER = 'suppliers: [{ code: ACME, name: Acme Energy, status: Ongoing }]';
const account = (fields: string) =>
  `${SUPPLIER}\naccounts: [{ import_supplier: ACME, external_account_number: A, ${fields} }]`;
const supplier = (fields: string) => `suppliers: [{ code: A, name: A, ${fields} }]`;
const instruction = (fields: string) =>
  `vendors: [{ code: V, instructions: [{ reference: r, type: CARD${fields} }] }]`;

describe('a seed is refused with line and column for', () => {
  const LISTS = 'version, api_keys, suppliers, accounts, vendors, behaviour, product_codes, enums';
  test.each([
    ['nothing in it', '', '1:1 it is empty; a seed has at least `version: 1`'],
    ['a comment alone', '# later', '1:1 it is empty; a seed has at least `version: 1`'],
    ['a list in place of the seed', '- version: 1', '1:1 is not an object'],
    [
      'another version',
      'version: 2',
      '1:10 version: this program reads version 1 of the format only: write `version: 1`',
    ],
    ['no version', 'accounts: []', '1:1 version: is required but has no value'],
    [
      'a list whose name is misspelt',
      'version: 1\nacounts: []',
      `2:1 there is no key \`acounts\` here; did you mean \`accounts\`? (keys: ${LISTS})`,
    ],
  ])('%s', (_, text, problem) => {
    expect(problemsIn({ 'seed.yaml': text })).toEqual([`seed.yaml:${problem}`]);
  });

  test.each(
    Object.entries<readonly [string, ...string[]]>({
      'a supplier status that does not exist': [
        supplier('status: ongoing'),
        '2:41 suppliers[0].status: is not one of the allowed values (Ongoing, Paused, Complete)',
      ],
      'no state': [account(''), '3:12 accounts[0].state: is required but has no value'],
      'nothing in place of an account': ['accounts:\n  -', '3:4 accounts[0]: must not be null'],
      'a text in place of a list': ['accounts: none', '2:11 accounts: is not a list'],
      'a text in place of an entry': ['accounts: [none]', '2:12 accounts[0]: is not an object'],
      'an open statement the wrong way round': [
        account('state: imported, open_statement: { from: 2026-02-01, to: 2026-01-01 }'),
        '3:98 accounts[0].open_statement: `from` lies after `to`',
      ],
      'a date that does not exist': [
        account('state: imported, open_statement: { from: 2026-02-30, to: 2026-03-01 }'),
        '3:106 accounts[0].open_statement.from: is not a calendar date YYYY-MM-DD',
      ],
      '`fails: intermittent` without `times`': [
        instruction(', fails: intermittent'),
        '2:37 vendors[0].instructions[0]: `fails: intermittent` needs `times`, the number of failures before it succeeds for an account: for example `times: 2`',
      ],
      '`times` with another failure': [
        instruction(', fails: persistent, times: 2'),
        '2:91 vendors[0].instructions[0].times: belongs to `fails: intermittent` only: add that, or remove `times`',
      ],
      '`times` without a failure': [
        instruction(', times: 2'),
        '2:72 vendors[0].instructions[0].times: belongs to `fails: intermittent` only: add that, or remove `times`',
      ],
      'times of zero': [
        instruction(', fails: intermittent, times: 0'),
        '2:93 vendors[0].instructions[0].times: is not a whole number of at least 1',
      ],
      'an empty list of product codes': ['product_codes: []', '2:16 product_codes: is an empty list'],
      'an empty list of documents': [
        supplier('status: Ongoing, documents: []'),
        '2:61 suppliers[0].documents: is an empty list',
      ],
      'an import by the clock of an account that is imported': [
        account('state: imported, auto_import: { after_seconds: 1 }'),
        '3:95 accounts[0].auto_import: belongs to accounts that are staged or in_progress: remove it, or change the state',
      ],
      'an import that never ends': [
        supplier('status: Ongoing, auto_import: {}'),
        '2:63 suppliers[0].auto_import.after_seconds: is required but has no value',
      ],
      'an import that ends before it is in progress': [
        supplier('status: Ongoing, auto_import: { in_progress_after_seconds: 9, after_seconds: 9 }'),
        '2:63 suppliers[0].auto_import: `in_progress_after_seconds` is not less than `after_seconds`',
      ],
      'an import that ends in a state that is no end': [
        supplier('status: Ongoing, auto_import: { after_seconds: 9, ends: staged }'),
        '2:89 suppliers[0].auto_import.ends: is not one of the allowed values (imported, failed)',
      ],
      'an enum that is not open': [
        'enums: { type: [CHARGE] }',
        '2:10 enums: there is no key `type` here (keys: reason, payment_type, rate_band, tax_type, unit_type, instruction_type)',
      ],
      'a closed enum of no type of transaction': [
        'enums: { reason: { FEE: [X] } }',
        '2:20 enums.reason: there is no key `FEE` here (keys: every_type, CHARGE, CREDIT, PAYMENT, REPAYMENT, SUPPLY_CHARGE)',
      ],
      'a misspelt key, and not what it was to say as missing': [
        account('stat: staged'),
        '3:65 accounts[0]: there is no key `stat` here; did you mean `state`? (keys: import_supplier, external_account_number, state, open_statement, auto_import)',
      ],
      'an entry that is wrong in the list that it repeats': [
        'product_codes: &codes [{}]\nenums: { tax_type: *codes }',
        '2:24 product_codes[0]: is not text',
        '2:24 enums.tax_type[0]: is not text',
      ],
    }),
  )('%s', (_, [entries, ...problems]) => {
    expect(problemsIn({ 'seed.yaml': `version: 1\n${entries}` })).toEqual(
      problems.map((problem) => `seed.yaml:${problem}`),
    );
  });

  test.each([
    ['1001', 'number'],
    ['007', 'number'],
    ['true', 'boolean'],
  ])('an account number written as %s', (written, type) => {
    const text = `version: 1\n${SUPPLIER}\naccounts:\n  - import_supplier: ACME\n    external_account_number: ${written}\n    state: staged`;
    expect(problemsIn({ 'seed.yaml': text })).toEqual([
      `seed.yaml:5:30 accounts[0].external_account_number: this is read as a ${type}, not as text: quote it`,
    ]);
  });
});

describe('entries that do not go together are reported with both positions:', () => {
  const ACCOUNT = '{ import_supplier: ACME, external_account_number: A, state: staged }';
  test.each(
    Object.entries<readonly [string, ...string[]]>({
      'a supplier twice': [
        'suppliers:\n  - { code: A, name: A, status: Ongoing }\n  - { code: A, name: B, status: Paused }',
        '4:5 suppliers[1]: this supplier is already defined at seed.yaml:3:5 (suppliers[0])',
      ],
      'a key twice': [
        'api_keys: [{ key: s3cret }, { key: s3cret }]',
        '2:29 api_keys[1]: this API key is already defined at seed.yaml:2:12 (api_keys[0])',
      ],
      'an account twice': [
        `${SUPPLIER}\naccounts: [${ACCOUNT}, ${ACCOUNT}]`,
        '3:82 accounts[1]: this account is already defined at seed.yaml:3:12 (accounts[0])',
      ],
      'a vendor twice': [
        'vendors: [{ code: V }, { code: V }]',
        '2:24 vendors[1]: this vendor is already defined at seed.yaml:2:11 (vendors[0])',
      ],
      'an instruction twice': [
        'vendors: [{ code: V, instructions: [{ reference: r, type: CARD }, { reference: r, type: SEPA }] }]',
        '2:67 vendors[0].instructions[1]: this instruction of the vendor is already defined at seed.yaml:2:37 (vendors[0].instructions[0])',
      ],
      'an account of no supplier': [
        `accounts: [${ACCOUNT}]`,
        '2:31 accounts[0].import_supplier: no supplier has this code: define it under `suppliers`, in this file or another',
      ],
      'a key of no supplier': [
        `${SUPPLIER}\napi_keys: [{ key: k, suppliers: [ACME, ACNE] }]`,
        '3:40 api_keys[0].suppliers[1]: no supplier has this code: define it under `suppliers`, in this file or another',
      ],
    }),
  )('%s', (_, [entries, ...problems]) => {
    expect(problemsIn({ 'seed.yaml': `version: 1\n${entries}` })).toEqual(
      problems.map((problem) => `seed.yaml:${problem}`),
    );
  });

  test('a thing that two files define', () => {
    const vendor = 'vendors:\n  - code: V\n    instructions: [{ reference: r, type: CARD }]';
    const text = `version: 1\n${SUPPLIER}\napi_keys: [{ key: k }]\n${vendor}`;
    expect(problemsIn({ 'one.yaml': text, 'two.yaml': `# more\n${text}` })).toEqual([
      'two.yaml:3:13 suppliers[0]: this supplier is already defined at one.yaml:2:13 (suppliers[0])',
      'two.yaml:4:12 api_keys[0]: this API key is already defined at one.yaml:3:12 (api_keys[0])',
      'two.yaml:6:5 vendors[0]: this vendor is already defined at one.yaml:5:5 (vendors[0])',
      'two.yaml:7:20 vendors[0].instructions[0]: this instruction of the vendor is already defined at one.yaml:6:20 (vendors[0].instructions[0])',
    ]);
  });
});

test('an API key that is a mapping is refused without the warning of the parser, which quotes it', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  expect(problemsIn({ 'seed.yaml': 'version: 1\napi_keys: [{ ? { s3cret: 1 } : x, key: k }]' })).toEqual([
    'seed.yaml:2:16 a key has to be a text, not a list, an object or an alias (`*…`)',
  ]);
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});

describe('all problems are reported at once', () => {
  test('in all files, line by line', () => {
    const one = `version: 1
api_keys:
  - key: k
    supplier: [ACME]
suppliers:
  - { code: ACME, name: Acme, status: open }
  - { code: ACME, name: Acme, status: Ongoing }
accounts:
  - { import_supplier: OTHER, external_account_number: 1 }
vendors: [{ code: V, instructions: [{ reference: r, fails: intermittent }] }]
`;
    const two = 'version: 2\nproduct_codes: [';
    const three = 'version: 1\ncolour: blue';
    const places = problemsIn({ 'one.yaml': one, 'two.yaml': two, 'three.yaml': three }).map(
      (problem) => problem.split(': ')[0],
    );
    expect(places).toEqual([
      'one.yaml:4:5 api_keys[0]',
      'one.yaml:6:39 suppliers[0].status',
      'one.yaml:9:5 accounts[0].state',
      'one.yaml:9:56 accounts[0].external_account_number',
      'one.yaml:10:37 vendors[0].instructions[0].type',
      'one.yaml:10:37 vendors[0].instructions[0]',
      'two.yaml:2:17 Flow sequence in block collection must be sufficiently indented and end with a ]',
      'three.yaml:2:1 there is no key `colour` here (keys',
    ]);
  });

  test('up to twenty, and then the number of the others', () => {
    const accounts = Array.from(
      { length: 22 },
      (_, index) => `  - { import_supplier: ACME, external_account_number: ${index}, state: staged }`,
    );
    const problems = problemsIn({
      'seed.yaml': `version: 1\n${SUPPLIER}\naccounts:\n${accounts.join('\n')}`,
    });
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe(':: 2 more problems: correct these first');
    expect(problems.at(-2)).toContain('seed.yaml:23:55 accounts[19].external_account_number');
  });

  test('on the command line: one line for each, as editors read it, and the next step', async () => {
    const file = seedFile(`version: 1\nacounts: []\nproduct_codes: [7]`);
    const typed = await runCli(['serve', '--seed', file, '--db', ':memory:'], fakeIo());
    expect(typed.exitCode).toBe(2);
    expect(typed.stderr.split('\n').map((line) => withoutFolders(line).slice(0, 60))).toEqual([
      'seed.yaml:2:1 error seed_invalid the seed is not valid: ther',
      'seed.yaml:3:17 error seed_invalid the seed is not valid: pro',
      'next: Correct it: docs/serve-reference.md, "Seeds", shows wh',
      '',
    ]);
    expect(typed.stderr).toContain('`dataimport schema seed` prints its format');
  });

  test('for programs: with --json one problem for each, and one message for callers of `startServer`', async () => {
    const text = `version: 1\nacounts: []\nproduct_codes: [7]`;
    const file = seedFile(text);
    const typed = await runCli(['serve', '--seed', file, '--db', ':memory:', '--json'], fakeIo());
    expect(typed.json()['problems']).toMatchObject([
      { code: 'seed_invalid', file, line: 2, column: 1 },
      { code: 'seed_invalid', file, line: 3, column: 17 },
    ]);
    expect(withoutFolders(errorOf({ 'seed.yaml': text }).message)).toMatch(
      /^the seed is not valid: seed\.yaml:2:1 .*; seed\.yaml:3:17 product_codes\[0\]: .*$/,
    );
  });
});

test.each([
  ['as a key of a mapping', 'api_keys: [{ s3cret: [ACME] }]'],
  ['as a key in place of the list', 'api_keys: { s3cret: [ACME] }'],
  ['in place of an entry', 'api_keys: [s3cret]'],
  ['twice', 'api_keys: [{ key: s3cret }, { key: s3cret }]'],
  ['in place of a supplier', 'api_keys: [{ key: k, suppliers: [s3cret] }]'],
  ['with a space in it', "api_keys: [{ key: 's3cret key' }]"],
  ['as an alias', 'api_keys: [{ key: *s3cret }]'],
  ['as a tag', 'api_keys: [{ key: !s3cret!x y }]'],
  ['as a tag of another kind', 'api_keys: [{ key: !s3cret! y }]'],
  ['as an escape', 'api_keys: [{ key: "\\us3cret" }]'],
  ['after a block', 'api_keys:\n  - key: |s3cret\n      x'],
  ['behind a bracket', 'api_keys: [{ key: k }]] s3cret'],
  ['as a broken line', 'api_keys:\n  - key: k\n s3cret'],
  ['as the version of YAML', '%YAML s3cret\n---\napi_keys: []'],
])('an API key in the wrong place is not repeated: %s', (_, entries) => {
  const text = entries.startsWith('%') ? entries : `version: 1\n${entries}`;
  const error = errorOf({ 'seed.yaml': text });
  const problems = problemsIn({ 'seed.yaml': text });
  expect(problems[0]).toMatch(/^seed\.yaml:\d+:\d+ /);
  expect([error.message, ...problems].join('\n')).not.toContain('s3cret');
});

test('docs/serve-reference.md, "Problems in a seed": its seed has the problems that it shows', async () => {
  const blocks = documentBlocks('docs/serve-reference.md', 'yaml', 'console');
  const shown = blocks.filter(({ title }) => ['wrong.yaml', 'wrong'].includes(title));
  expect(shown).toHaveLength(2);
  await playBlocks(shown, {});
});

test('a seed in JSON is refused with the places of its problems', () => {
  const text =
    '{\n  "version": 1,\n  "accounts": [{ "import_supplier": "ACME", "external_account_number": 7 }]\n}';
  expect(problemsIn({ 'seed.json': text })).toEqual([
    expect.stringMatching(/seed\.json:3:16 accounts\[0\]\.state: is required/),
    expect.stringMatching(/seed\.json:3:72 accounts\[0\]\.external_account_number: this is read as a number/),
  ]);
  const twice = '{ "version": 1, "version": 1 }';
  expect(problemsIn({ 'seed.json': twice })).toEqual([
    expect.stringMatching(/seed\.json:1:17 this key occurs above already/),
  ]);
});

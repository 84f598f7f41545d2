import { expect, test } from 'vitest';
import { IMPORT_STATES } from '../../../src/core/rules/import-status.ts';
import { instantOfClock } from '../../../src/core/values/instant.ts';
import { setImportState } from '../../../src/server/platform/account-lifecycle.ts';
import { BEHAVIOUR_DEFAULTS } from '../../../src/server/options/behaviour.ts';
import { platformOf } from '../../../src/server/platform/platform.ts';
import { openStore } from '../../../src/server/store/store.ts';
import { documentBlocks } from '../../support/document-blocks.ts';
import { admin } from '../../support/server-admin.ts';
import { ACCOUNT, START, startPlatform, type TestPlatform } from '../../support/server-platform.ts';

const seed = (account: string, supplier = '') => `version: 1
api_keys: [{ key: all-key }]
suppliers: [{ code: ACME, name: Acme, status: Ongoing${supplier} }]
accounts: [{ import_supplier: ACME, external_account_number: '1001', ${account} }]
`;
const PLAN = 'auto_import: { in_progress_after_seconds: 5, after_seconds: 30 }';
const FAILING = 'auto_import: { after_seconds: 30, ends: failed }';

const statusOf = async (platform: TestPlatform) =>
  (await platform.get('accountTransferStatus', { importSupplier: 'ACME', externalAccountNumber: '1001' }))
    .body.status;
const addNote = async (platform: TestPlatform) =>
  (await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] })).status;
const pass = (platform: TestPlatform, seconds: number) => (platform.clock.nowMs += seconds * 1_000);

test('an account is staged, in progress and imported by the clock, and then takes data', async () => {
  const platform = await startPlatform({ seed: seed(`state: staged, ${PLAN}`) });
  const seen: unknown[] = [];
  for (const seconds of [0, 4, 1, 24, 1]) {
    pass(platform, seconds);
    seen.push([await statusOf(platform), await addNote(platform)]);
  }
  expect(seen).toEqual([
    ['UNKNOWN', 404],
    ['UNKNOWN', 404],
    ['IN_PROGRESS', 404],
    ['IN_PROGRESS', 404],
    ['COMPLETED', 201],
  ]);
});

test.each(['status', 'list', 'POST'])('a %s alone carries out the steps of the clock', async (way) => {
  const platform = await startPlatform({ seed: seed(`state: staged, ${PLAN}`) });
  pass(platform, 1_000);
  if (way === 'status') expect(await statusOf(platform)).toBe('COMPLETED');
  if (way === 'POST') expect(await addNote(platform)).toBe(201);
  const { body } = await platform.get('importedAccountImportProcesses', { importSupplier: 'ACME' });
  expect(body, 'created when it was planned').toEqual([
    expect.objectContaining({ account_created_at: '2026-03-15T12:00:30Z' }),
  ]);
});

test.each([
  { what: 'failed', account: `state: in_progress, ${FAILING}`, supplier: '', status: 'UNKNOWN' },
  { what: 'as the supplier says', account: 'state: staged', supplier: `, ${PLAN}`, status: 'COMPLETED' },
  {
    what: 'as it says itself, not the supplier',
    account: `state: in_progress, ${FAILING}`,
    supplier: `, ${PLAN}`,
    status: 'UNKNOWN',
  },
  { what: 'as it was without a plan', account: 'state: in_progress', supplier: '', status: 'IN_PROGRESS' },
  { what: 'failed for good', account: 'state: failed', supplier: `, ${PLAN}`, status: 'UNKNOWN' },
])('after its time an account is $what', async ({ account, supplier, status }) => {
  const platform = await startPlatform({ seed: seed(account, supplier) });
  pass(platform, 1_000);
  expect(await statusOf(platform)).toBe(status);
});

test('a reset plans the import anew', async () => {
  const platform = await startPlatform({ seed: seed(`state: staged, ${PLAN}`) });
  pass(platform, 30);
  expect(await statusOf(platform)).toBe('COMPLETED');
  await platform.request('POST', '/_local/reset', { body: '{}' });
  expect(await statusOf(platform)).toBe('UNKNOWN');
  pass(platform, 30);
  expect(await statusOf(platform)).toBe('COMPLETED');
});

test.each([
  ['staged', PLAN, 'UNKNOWN'],
  ['in_progress', PLAN, 'IN_PROGRESS'],
  ['imported', FAILING, 'COMPLETED'],
  ['failed', PLAN, 'UNKNOWN'],
])(
  'a further seed that names an account as %s without a plan ends its plan alone',
  async (state, plan, status) => {
    const other = `{ import_supplier: ACME, external_account_number: '1002', state: staged, ${PLAN} }`;
    const text = seed(`state: staged, ${plan}`).replace(/\]\n$/, `, ${other}]\n`);
    const platform = await startPlatform({ seed: text });
    await admin(platform, 'POST seed', { accounts: [{ ...ACCOUNT, state }] });
    pass(platform, 1_000);
    expect(await statusOf(platform)).toBe(status);
    expect((await admin(platform, 'GET accounts/ACME/1002')).body.state).toBe('imported');
  },
);

/** A store with one account, and the operations on it. */
function byHand() {
  const store = openStore(':memory:');
  const clock = { nowMs: Date.parse(START) };
  const platform = platformOf({
    store,
    nowMs: () => clock.nowMs,
    timeZone: 'UTC',
    behaviour: BEHAVIOUR_DEFAULTS,
  });
  store.suppliers.put({ code: 'ACME', name: 'Acme', status: 'Ongoing', documentRoot: undefined });
  store.accounts.put([{ ...ACCOUNT, state: 'staged', openStatement: undefined }], START);
  return { store, clock, platform };
}

test('the operator sets any state, and only an imported account has a creation time', () => {
  const { store, clock, platform } = byHand();
  const path = [...IMPORT_STATES, ...IMPORT_STATES.toReversed()].map((state) => {
    clock.nowMs += 1_000;
    const account = setImportState(ACCOUNT, state, platform);
    return [
      account?.state,
      account?.createdAt === null ? null : account?.createdAt === instantOfClock(clock.nowMs),
    ];
  });
  expect(path).toEqual(
    [...IMPORT_STATES, ...IMPORT_STATES.toReversed()].map((state) => [
      state,
      state === 'imported' ? true : null,
    ]),
  );
  expect(setImportState({ ...ACCOUNT, external_account_number: '?' }, 'imported', platform)).toBeUndefined();
  store.close();
});

test('docs/serve-reference.md, "Import lifecycle": its table is right about its seed', async () => {
  const [block] = documentBlocks('docs/serve-reference.md', 'yaml').filter(({ title }) => title === 'import');
  const platform = await startPlatform({ seed: block!.text.replace('local-key', 'all-key') });
  const seen: unknown[] = [];
  for (const seconds of [0, 5, 5, 20]) {
    pass(platform, seconds);
    const { body } = await platform.get('accountTransferStatus', {
      importSupplier: 'ACME',
      externalAccountNumber: '1002',
    });
    seen.push([await statusOf(platform), await addNote(platform), body.status]);
  }
  expect(seen).toEqual([
    ['UNKNOWN', 404, 'UNKNOWN'],
    ['IN_PROGRESS', 404, 'UNKNOWN'],
    ['IN_PROGRESS', 404, 'UNKNOWN'],
    ['COMPLETED', 201, 'UNKNOWN'],
  ]);
});

test('the clock leaves an account alone after a step by hand', async () => {
  const platform = await startPlatform({ seed: seed(`state: staged, ${PLAN}`) });
  await admin(platform, 'PUT accounts/ACME/1001', { state: 'staged' });
  pass(platform, 1_000);
  expect(await statusOf(platform)).toBe('UNKNOWN');
});

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runDocument, type RunDocument } from '../support/json-documents.ts';
import { typed } from '../support/next-command.ts';
import { migration, type Migration } from '../support/migration.ts';

const SEED = `version: 1
api_keys: [{ key: all-key }]
suppliers: [{ code: ACME, name: Acme Energy, status: Ongoing }]
accounts:
  - { import_supplier: ACME, external_account_number: '1001', state: imported }
  - { import_supplier: ACME, external_account_number: '1002', state: imported }
  - { import_supplier: ACME, external_account_number: '1003', state: imported }
vendors:
  - code: STRIPE
    instructions:
      - { reference: pi_1, type: CARD }
      - { reference: pi_2, type: CARD }
      - { reference: pi_3, type: CARD }
      - { reference: pi_down, type: CARD, fails: persistent }
`;
const HEADER = 'import_supplier,external_account_number,vendor,reference,type';
const WRONG = 'ACME,1001,STRIPE,pi_wrong,CARD';
const DOWN = 'ACME,1001,STRIPE,pi_down,CARD';
const OTHER = 'ACME,1003,STRIPE,pi_unknown,CARD';
const GOOD = ['ACME,1002,STRIPE,pi_2,CARD', 'ACME,1003,STRIPE,pi_3,CARD'];

const documentOf = (result: { json(): unknown }): RunDocument => runDocument.parse(result.json());

/** How many payment instructions the platform has received. */
async function received(site: Migration): Promise<number> {
  const lines = await (
    await fetch(`${site.url}/_local/requests?path=/v1/data-import/payment-instruction/`)
  ).text();
  return lines.split('\n').filter((line) => line.includes('payment-instruction')).length;
}

const pushed = async (site: Migration, ...rows: readonly string[]) =>
  site.cli('push', 'payment-instructions', site.csv('i.csv', HEADER, ...rows), '-j', '1', '--json');

describe('4.5: a payment instruction that was refused with 400', () => {
  test.each([
    ['an unknown reference', WRONG, 'payment_instruction_not_found'],
    ['a vendor that cannot be reached', DOWN, 'payment_vendor_unreachable'],
  ])('stays rejected when the command is resumed: %s', async (_, row, code) => {
    const site = await migration(SEED);
    const first = await pushed(site, row, ...GOOD);
    expect(first.exitCode).toBe(4);
    expect(documentOf(first)).toMatchObject({ rows: { rejected: 1, not_sent: 2 }, problems: [{ code }] });
    expect(documentOf(first).problems[0]!.next).toContain('not sent again in the same form');

    const resumed = await site.cli('resume');
    expect(resumed.exitCode).toBe(6);
    expect(documentOf(resumed)).toMatchObject({
      rows: { rejected: 1, created: 2, not_sent: 0 },
      problems: [{ code, line: 2 }],
      exit: { resumable: false },
    });
    expect(await received(site)).toBe(3);

    expect((await site.cli('resume')).exitCode).toBe(6);
    expect(await received(site)).toBe(3);
  });

  test('is sent again by the same command when its account was not imported, and arrives once that is', async () => {
    const site = await migration(SEED.replace("'1001', state: imported", "'1001', state: staged"));
    const first = await pushed(site, 'ACME,1001,STRIPE,pi_1,CARD', ...GOOD);
    expect(documentOf(first)).toMatchObject({ problems: [{ code: 'account_not_found' }] });
    const push = ['push', 'payment-instructions', join(site.cwd, 'i.csv'), '-j', '1', '--json'];
    expect((await site.cli(...push)).exitCode).toBe(4);
    await site.setState('1001', 'imported');
    const { exitCode, json } = await site.cli(...push);
    expect([exitCode, documentOf({ json }).rows]).toMatchObject([0, { read: 3, created: 3 }]);
    expect(await site.ledger()).toHaveLength(3);
  });

  test('stays rejected by the same command, which never goes in circles: the next step is to correct its row', async () => {
    const site = await migration(SEED);
    const { exitCode, json } = await pushed(site, WRONG);
    const { next, exit } = documentOf({ json });
    const command = `dataimport push payment-instructions ${join(site.cwd, 'i.csv')} -j 1 --json`;
    expect([exitCode, exit.resumable, next]).toEqual([
      6,
      false,
      `correct the refused rows in their file, then: ${command}`,
    ]);
    const again = await site.cli(...typed(next));
    expect([again.exitCode, documentOf(again).next]).toEqual([6, next]);
    expect(await received(site)).toBe(1);

    site.csv('i.csv', HEADER, WRONG.replace('pi_wrong', 'pi_1'));
    const corrected = await site.cli(...typed(next));
    expect([corrected.exitCode, documentOf(corrected).rows]).toMatchObject([0, { created: 1, rejected: 0 }]);
    expect((await site.ledger()).map(({ data }) => data['reference'])).toEqual(['pi_1']);
  });

  test('is sent again unchanged only with --again, as every record is', async () => {
    const site = await migration(SEED);
    await pushed(site, DOWN, ...GOOD);
    await site.cli('resume');
    const push = ['push', 'payment-instructions', join(site.cwd, 'i.csv')];
    const before = await received(site);
    expect((await site.cli(...push)).exitCode).toBe(6);
    expect(await received(site)).toBe(before);
    const resent = documentOf(await site.cli(...push, '--again', '--on-reject', 'skip', '--json'));
    expect(resent.rows).toMatchObject({ uncompared: 2, rejected: 1 });
    expect(await received(site)).toBe(before + 3);
  });

  test('is accepted by --again once the cause on the platform is gone, and is not there twice', async () => {
    const site = await migration(SEED);
    await pushed(site, WRONG, ...GOOD);
    await site.cli('resume');
    await site.reseed(SEED.replace('reference: pi_1,', 'reference: pi_wrong,'));
    const push = ['push', 'payment-instructions', join(site.cwd, 'i.csv')];
    const resent = await site.cli(...push, '--again', '--json');
    expect([resent.exitCode, documentOf(resent).rows]).toMatchObject([
      0,
      { created: 1, uncompared: 2, rejected: 0 },
    ]);
    expect(await site.ledger()).toHaveLength(3);
  });

  test('stays rejected in another version of the file, and is sent once its row changes', async () => {
    const site = await migration(SEED);
    await pushed(site, WRONG, OTHER);
    await site.cli('resume');
    const before = await received(site);
    const added = await pushed(site, GOOD[0]!, WRONG, OTHER);
    expect(documentOf(added)).toMatchObject({
      rows: { read: 3, created: 1, rejected: 2 },
      exit: { code: 6 },
    });
    expect(documentOf(added).problems).toMatchObject([
      { code: 'payment_instruction_not_found', line: 3 },
      { code: 'payment_instruction_not_found', line: 4 },
    ]);
    expect(documentOf(added).next).toMatch(/^correct the refused rows in their file, then: dataimport push /);
    expect(await received(site)).toBe(before + 1);
    const corrected = await pushed(site, GOOD[0]!, WRONG.replace('pi_wrong', 'pi_1'), OTHER);
    expect(documentOf(corrected).rows).toMatchObject({ created: 2, rejected: 1 });
    expect(await received(site)).toBe(before + 2);
  });

  test('set aside by --on-reject skip is treated alike', async () => {
    const site = await migration(SEED);
    const file = site.csv('i.csv', HEADER, WRONG, ...GOOD);
    const { json } = await site.cli('push', 'payment-instructions', file, '--on-reject', 'skip', '--json');
    const { rows, next } = documentOf({ json });
    expect(rows).toMatchObject({ created: 2, rejected: 1 });
    expect(next).toMatch(
      /^correct the refused rows in their file, then: dataimport push .* --on-reject skip --json$/,
    );
    expect((await site.cli(...typed(next))).exitCode).toBe(6);
    expect(await received(site)).toBe(3);
  });

  test.each([
    ['404 without a reason', 404, '', 'REFUSED'],
    ['404 for its account', 404, `body='{"detail": "x", "code": "account_not_found"}'`, 'PARTIAL'],
    ['413 for its size', 413, '', 'PARTIAL'],
  ])('a %s is no such refusal: the same command sends it again', async (_, status, body, name) => {
    for (const [flags, exit] of [
      [[], { name: 'REFUSED', resumable: true }],
      [['--on-reject', 'skip'], { name }],
    ] as const) {
      const site = await migration(SEED);
      await site.faults(`payment-instructions accept status=${status} times=1 ${body}`);
      const file = site.csv('i.csv', HEADER, 'ACME,1001,STRIPE,pi_1,CARD');
      const first = documentOf(await site.cli('push', 'payment-instructions', file, '--json', ...flags));
      expect(first).toMatchObject({ rows: { rejected: 1 }, problems: [{ http_status: status }], exit });
      expect(first.next).toMatch(/^dataimport push /);
      const again = await site.cli(...typed(first.next));
      expect([again.exitCode, documentOf(again).rows]).toMatchObject([0, { created: 1 }]);
    }
  });

  test('whose refusal has no code is told both ways to go on', async () => {
    const site = await migration(SEED);
    const body = '{"error_detail": "Closed.", "reference": "pi_wrong"}';
    const rule = `payment-instructions accept status=400 times=1 body='${body}'`;
    expect((await site.cli('admin', 'faults', 'add', rule)).exitCode).toBe(0);
    const { problems } = documentOf(await pushed(site, WRONG));
    expect(problems[0]).toMatchObject({ code: 'payment_instruction_refused', line: 2 });
    expect(problems[0]!.next).toContain('Correct the row in its file and run the command again');
    expect(problems[0]!.next).toContain(
      '`dataimport runs confirm --rows FILE --missing`: the same command sends them again',
    );
  });
});

test('an instruction of a paused supplier is sent again by the same command, because the instruction was not refused', async () => {
  const site = await migration(SEED.replace('Ongoing', 'Paused'));
  const first = await pushed(site, 'ACME,1001,STRIPE,pi_1,CARD');
  expect([first.exitCode, documentOf(first).exit.resumable]).toEqual([4, true]);
  expect(documentOf(first).problems[0]!.next).toContain('then run the command again');
  await site.cli('admin', 'supplier', 'ACME', '--status', 'Ongoing');
  expect((await site.cli(...typed(documentOf(first).next))).exitCode).toBe(0);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runDocument, type RunDocument } from '../support/json-documents.ts';
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
    ['an account that is not imported', 'ACME,9999,STRIPE,pi_1,CARD', 'account_not_found'],
  ])('stays rejected when the run is resumed: %s', async (_, row, code) => {
    const site = await migration(SEED);
    const first = await pushed(site, row, ...GOOD);
    expect(first.exitCode).toBe(4);
    expect(documentOf(first)).toMatchObject({ rows: { rejected: 1, not_sent: 2 }, problems: [{ code }] });
    expect(documentOf(first).problems[0]!.next).toContain('not sent again in the same form');

    const resumed = await site.cli('resume', '--json');
    expect(resumed.exitCode).toBe(6);
    expect(documentOf(resumed)).toMatchObject({
      rows: { rejected: 1, created: 2, not_sent: 0 },
      problems: [{ code, line: 2 }],
      exit: { resumable: false },
    });
    expect(await received(site)).toBe(3);

    expect((await site.cli('resume', documentOf(first).run!)).exitCode).toBe(6);
    expect(await received(site)).toBe(3);
  });

  test('leaves nothing to resume when it was the last one, and the next step copies its row', async () => {
    const site = await migration(SEED);
    const { exitCode, json } = await pushed(site, WRONG);
    const { run, next, exit } = documentOf({ json });
    expect([exitCode, exit.resumable]).toEqual([6, false]);
    expect(next).toBe(`dataimport resume ${run} --rejects rejects.csv`);

    const copied = await site.cli(...next!.split(' ').slice(1));
    expect(copied.exitCode).toBe(6);
    expect(copied.stdout).toContain(
      'rejects: once corrected, dataimport check payment-instructions rejects.csv',
    );
    expect(copied.stdout).not.toContain('next:');
    const copy = readFileSync(join(site.cwd, 'rejects.csv'), 'utf8');
    expect(copy).toBe(`${HEADER}\n${WRONG}\n`);
    const corrected = site.csv('rejects.csv', HEADER, WRONG.replace('pi_wrong', 'pi_1'));
    expect((await site.cli('push', 'payment-instructions', corrected)).exitCode).toBe(0);
    expect((await site.ledger()).map(({ data }) => data['reference'])).toEqual(['pi_1']);
  });

  test('is not sent again unchanged by retry, unless --new says so', async () => {
    const site = await migration(SEED);
    const { run } = documentOf(await pushed(site, DOWN, ...GOOD));
    await site.cli('resume');
    const before = await received(site);
    for (const flags of [[], ['--only', 'rejected']]) {
      const { exitCode, stderr } = await site.cli('retry', run!, ...flags);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('run_rows_final');
      expect(stderr).toContain(`dataimport resume ${run} --rejects rejects.csv`);
      expect(stderr).toContain('--new');
    }
    expect(await received(site)).toBe(before);

    const again = await site.cli('retry', run!, '--new', '--json');
    expect(documentOf(again)).toMatchObject({ rows: { read: 1, rejected: 1 } });
    expect(await received(site)).toBe(before + 1);
  });

  test('set aside by --on-reject skip is treated alike', async () => {
    const site = await migration(SEED);
    const file = site.csv('i.csv', HEADER, WRONG, ...GOOD);
    const { json } = await site.cli('push', 'payment-instructions', file, '--on-reject', 'skip', '--json');
    const { run, rows, next } = documentOf({ json });
    expect(rows).toMatchObject({ created: 2, rejected: 1 });
    expect(next).toBe(`dataimport resume ${run} --rejects rejects.csv`);
    expect((await site.cli('retry', run!)).stderr).toContain('run_rows_final');
    expect(await received(site)).toBe(3);
  });

  test('whose refusal has no code is not told to push the corrected file', async () => {
    const site = await migration(SEED);
    const body = '{"error_detail": "Closed.", "reference": "pi_wrong"}';
    const rule = `payment-instructions accept status=400 times=1 body='${body}'`;
    expect((await site.cli('admin', 'faults', 'add', rule)).exitCode).toBe(0);
    const { problems } = documentOf(await pushed(site, WRONG));
    expect(problems[0]).toMatchObject({ code: 'payment_instruction_refused', line: 2 });
    expect(problems[0]!.next).not.toContain('push the corrected file');
    expect(problems[0]!.next).toContain('--rejects FILE');
  });
});

test('an instruction of a paused supplier is sent again by resume, because the instruction was not refused', async () => {
  const site = await migration(SEED.replace('Ongoing', 'Paused'));
  const first = await pushed(site, 'ACME,1001,STRIPE,pi_1,CARD');
  expect([first.exitCode, documentOf(first).exit.resumable]).toEqual([4, true]);
  expect(documentOf(first).problems[0]!.next).toContain('then resume the run');
  await site.cli('admin', 'supplier', 'ACME', '--status', 'Ongoing');
  expect((await site.cli('resume', '--json')).exitCode).toBe(0);
});

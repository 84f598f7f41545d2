import { describe, expect, test } from 'vitest';
import { verificationPage } from '../../src/cli/verify/page/page.ts';
import { migration, type Migration } from '../support/migration.ts';
import { typed } from '../support/next-command.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';
import { verified, verifiedPage } from '../support/verified.ts';

const INVALID = 'ACME,1001,t-2,2026-02-30,CREDIT,3.00';

const PUSH = ['push', 'transactions', 't.csv', '--skip-invalid', '--on-reject', 'skip', '--json'];

/** A site that has sent three rows: one created, one refused, one invalid. */
async function partialSite(): Promise<{ readonly site: Migration; readonly run: string }> {
  const site = await migration(SEED);
  site.csv('t.csv', HEADER, GOOD, REFUSED, INVALID);
  const { json } = await site.cli(...PUSH);
  return { site, run: String(json()['run']) };
}

describe('the answer of verify', () => {
  test('says first what did not arrive, and who has to type what, and has the counts and the accounts by what arrived', async () => {
    const { site, run } = await partialSite();
    const { exitCode, found } = await verified(site);
    expect(exitCode).toBe(6);
    expect(found.answer).toEqual({
      everything_arrived: false,
      sentence:
        'Not everything arrived: 2 of 3 records did not (1 refused by the platform, 1 invalid in the file).',
      records: 3,
      arrived: 1,
      to_do: [
        {
          who: 'supplier',
          what: 'Correct 1 invalid row of t.csv: t.csv:4. Then the command is run again with the corrected file.',
          command: null,
          rows: 1,
        },
        {
          who: 'importer',
          what: 'Remove the cause of 1 refusal of t.csv: no imported account has this supplier code and account number (t.csv:3). Look for the account in the list of `dataimport accounts --supplier ACME`: once it is imported, not only staged, run the command again; if it is not there, the supplier code or the account number is wrong.',
          command: null,
          rows: 1,
        },
        {
          who: 'importer',
          what: 'Run the command of t.csv again: 1 record is left.',
          command: `dataimport ${PUSH.join(' ')}`,
          rows: 1,
        },
      ],
    });
    expect(found.next).toBe(`dataimport ${PUSH.join(' ')}`);
    // The counts and sums are those of `runs show`.
    const shown = (await site.cli('runs', 'show', run, '--json')).json();
    const [part] = found.parts;
    expect(part!.rows).toEqual(shown['rows']);
    expect(part!.control_totals).toEqual(shown['control_totals']);
    expect(part!.runs.map((each) => each.run)).toEqual([run]);
    expect(part!.journals[0]!.chain_head).toBe((shown['chain'] as { head: string }).head);
    expect([part!.accounts_total, part!.accounts_unfinished]).toEqual([2, 1]);
    expect(part!.groups.map(({ code, who, first_lines: lines }) => [code, who, lines])).toEqual([
      ['account_not_found', 'importer', [3]],
      ['invalid', 'supplier', [4]],
    ]);
  });

  test('names the command that goes on, and counts a record that is sent again once', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, GOOD, REFUSED, REFUSED.replace('t-9', 't-10'));
    const { json } = await site.cli('push', 'transactions', 't.csv', '-j', '1', '--json');
    for (let times = 0; times < 2; times++) {
      const { exitCode, found } = await verified(site);
      expect([exitCode, found.next]).toEqual([6, json()['next']]);
      expect(found.answer.to_do.map(({ who, command }) => [who, command])).toEqual([
        ['importer', null],
        ['importer', 'dataimport push transactions t.csv -j 1 --json'],
      ]);
      expect(found.rows).toMatchObject({ read: 3, created: 1, rejected: 2 });
      expect((await site.cli(...typed(found.next))).exitCode).toBe(4);
    }
    await site.reseed(IMPORTED);
    expect((await site.cli(...typed((await verified(site)).found.next))).exitCode).toBe(0);
    const { exitCode, found } = await verified(site);
    expect([exitCode, found.answer.everything_arrived, found.next]).toEqual([0, true, null]);
    const [{ control_totals: totals, ...part }] = found.parts as [(typeof found.parts)[number]];
    expect([part.rows.created, part.accounts_total, part.accounts_unfinished, part.groups]).toEqual([
      3,
      2,
      0,
      [],
    ]);
    expect(totals).toEqual([{ type: 'CREDIT', currency: null, count: 3, read: '12.10', accepted: '12.10' }]);
  });
});

test('says what of the records was compared where nothing but the answers was', async () => {
  const site = await migration(
    IMPORTED.replace(
      'state: imported',
      'state: imported, open_statement: {from: 2026-02-15, to: 2026-12-31}',
    ),
  );
  site.csv('t.csv', HEADER, GOOD);
  await site.cli('push', 'transactions', 't.csv');
  const line =
    "\ncompared: transaction_id, transaction_date, amount, type, reference, where the platform's answers repeat them; no other field is compared; 1 date was moved\n";
  expect((await site.cli('verify', 'transactions', 't.csv')).stdout).toContain(line);
  const withLedger = await site.cli('verify', 'transactions', 't.csv', '--ledger', site.url);
  expect(withLedger.stdout).not.toContain('\ncompared: ');
});

describe('the page', () => {
  test('is written beside the terminal, escaped, with a policy that lets nothing in, and not without --html', async () => {
    const site = await migration(SEED);
    const name = '<script>alert(1)<:script> & "t".csv';
    site.csv(name, HEADER, GOOD);
    await site.cli('push', 'transactions', name);
    expect((await site.cli('verify')).stdout).not.toContain('page:');
    const { stdout } = await site.cli('verify', '--html', 'page.html');
    expect(stdout).toMatch(/\nEverything arrived: 1 of 1 record\.\nwritten: page\.html\n$/);
    const page = await verifiedPage(site);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;:script&gt; &amp; &quot;t&quot;.csv');
    expect(page).not.toMatch(/<script|<link|<img|https?:\/\/(?!127\.0\.0\.1|www\.w3\.org)/);
    expect(page).toContain('default-src &#39;none&#39;; style-src &#39;sha256-');
  });

  test('says that a local platform is a rehearsal, and of another one what its answers prove', async () => {
    const { site } = await partialSite();
    const { found } = await verified(site);
    const away = found.parts.map((part) => ({
      ...part,
      journals: part.journals.map((each) => ({ ...each, is_local: false })),
    }));
    const [rehearsal, night] = [verificationPage(found), verificationPage({ ...found, parts: away })];
    expect(rehearsal).toContain('<h1>REHEARSAL: Import of transactions');
    expect(rehearsal).toContain('This was a rehearsal');
    expect(night).toContain('A record has arrived when an answer of the platform has accepted it.');
    expect(night).not.toMatch(/rehearsal/i);
  });

  test('has no value of a cell, and no text of the platform that may have one, without --show-values', async () => {
    const site = await migration(IMPORTED);
    site.csv('t.csv', HEADER, GOOD, REFUSED, INVALID);
    const words = 'Closed for 1003.';
    await site.faults(
      `transactions accept status=400 body='{"non_field_errors": ["${words}"]}' account=1003`,
    );
    await site.cli(...PUSH);
    const both = async (...flags: string[]) => [
      (await verified(site, ...flags)).stdout,
      await verifiedPage(site, ...flags),
    ];
    for (const text of await both())
      // A hash may have any digits.
      for (const value of ['1003', '1001', 't-9', 't-1'])
        expect(text.replaceAll(/[0-9a-f]{32,}/g, '')).not.toContain(value);
    for (const text of await both('--show-values')) expect(text).toContain(words);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordingProxy } from '../harness/recording-proxy.ts';
import { runCli } from '../support/cli-io.ts';
import { NOTES, note, seedWith, TRANSACTIONS, transaction } from '../support/cohort-site.ts';
import { migration } from '../support/migration.ts';

const COHORT = `version: 1
supplier: ACME
resources:
  notes: { files: [n.csv] }
  transactions: { files: [t.csv] }
checks:
  accounts: [{ with: transactions, need: notes, severity: warning }]
`;

const WARNINGS = /^.* warning .*$/gm;

/** Runs a command line, and returns what standard error had when the first request arrived, and at the end. */
async function warned(...argv: readonly string[]) {
  const site = await migration(seedWith('imported', 'imported'));
  site.csv('n.csv', NOTES, note(1001, 'first'));
  site.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1', '0.00'), transaction(1002, 't-2'));
  writeFileSync(join(site.cwd, 'night.yaml'), COHORT);
  const proxy = await recordingProxy();
  onTestFinished(() => proxy.close());
  proxy.upstreamPort = Number(new URL(site.url).port);
  const io = site.io({ env: { DATAIMPORT_BASE_URL: proxy.url } });
  let early: string | undefined;
  proxy.onPhase = () => void (early ??= io.printed.stderr);
  const ended = await runCli(argv, io);
  return { early: early!.match(WARNINGS), whole: ended.stderr.match(WARNINGS), exitCode: ended.exitCode };
}

test.each([
  ['push', ['push', 'transactions', 't.csv'], ['zero_amount']],
  ['push with --json', ['push', 'transactions', 't.csv', '--json'], ['zero_amount']],
  ['migrate', ['migrate', 'night.yaml'], ['zero_amount', 'cohort_check_failed']],
])('%s prints each warning once, before the first request', async (_, argv, codes) => {
  const { early, whole, exitCode } = await warned(...argv);
  expect(exitCode).toBe(0);
  expect(early).toEqual(codes.map((code) => expect.stringContaining(` warning ${code}`) as string));
  expect(whole).toEqual(early);
});

test('the warnings of two checks between files are both shown', async () => {
  const site = await migration(seedWith('imported', 'imported'));
  site.csv('n.csv', NOTES, note(1001, 'first'));
  site.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1'), transaction(1002, 't-2'));
  site.csv('totals.csv', 'Account,Total', '1001,999', '1002,-999.00');
  const totals =
    '{ of: transactions, equal: { file: totals.csv, account: Account, total: Total }, severity: warning }';
  writeFileSync(join(site.cwd, 'night.yaml'), `${COHORT}  totals: [${totals}]\n`);
  const { stderr, stdout } = await site.cli('migrate', 'night.yaml', '--dry-run', '--show-values');
  const lines = `${stderr}${stdout}`.match(WARNINGS)!.filter((line) => line.includes('cohort_check_failed'));
  expect(lines).toEqual([
    expect.stringContaining('has transactions and no notes'),
    expect.stringMatching(/do not add up to the total of totals\.csv: .*, not 999 \(and 1 more row\)/),
  ]);
});

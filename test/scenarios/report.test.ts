import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { migrationReport, type MigrationReport } from '../../src/cli/report/page/migration-report.ts';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const INVALID = 'ACME,1001,t-2,2026-02-30,CREDIT,3.00';
const RUNS = join('.dataimport', 'journal');

const PUSH = ['push', 'transactions', 't.csv', '--skip-invalid', '--on-reject', 'skip', '--json'];

/** A site with a run of three rows: one created, one refused, one invalid. */
async function partialSite(): Promise<{ readonly site: Migration; readonly run: string }> {
  const site = await migration(SEED);
  site.csv('t.csv', HEADER, GOOD, REFUSED, INVALID);
  const { json } = await site.cli(...PUSH);
  return { site, run: String(json()['run']) };
}

async function reported(site: Migration, ...argv: readonly string[]) {
  const { exitCode, json } = await site.cli('report', ...argv, '--json');
  return { exitCode, report: migrationReport.parse(json()) };
}

const pageOf = (site: Migration, file: string): string => readFileSync(join(site.cwd, file), 'utf8');

describe('the report of a run', () => {
  test('says first what did not arrive, and who has to type what, and has the counts, the accounts by what arrived, and the times', async () => {
    const { site, run } = await partialSite();
    const { exitCode, report } = await reported(site, run);
    expect(exitCode).toBe(6);
    expect(report.answer).toEqual({
      everything_arrived: false,
      sentence:
        'Not everything arrived: 2 of 3 records did not (1 refused by the platform, 1 invalid in the file).',
      records: 3,
      arrived: 1,
      to_do: [
        {
          who: 'supplier',
          what: 'Correct 1 invalid row of t.csv; the report names the lines. Then the command is run again with the corrected file.',
          command: null,
          run,
          rows: 1,
        },
        {
          who: 'importer',
          what: 'Remove the cause of 1 refusal of t.csv; the report names it.',
          command: null,
          run,
          rows: 1,
        },
        {
          who: 'importer',
          what: 'Run the command of t.csv again: 1 record is left.',
          command: `dataimport ${PUSH.join(' ')}`,
          run,
          rows: 1,
        },
      ],
    });
    // The counts and sums are those of `runs show`.
    const shown = (await site.cli('runs', 'show', run, '--json')).json();
    const [part] = report.parts;
    expect(part!.rows).toEqual(shown['rows']);
    expect(part!.control_totals).toEqual(shown['control_totals']);
    expect(part!.runs[0]!.chain_head).toBe((shown['chain'] as { head: string }).head);
    expect([part!.accounts_total, part!.unfinished_accounts_total]).toEqual([2, 1]);
    expect(part!.unfinished_accounts).toMatchObject([
      { file: 't.csv', line: 3, records: 1, arrived: 0, rejected: 1, external_account_number: null },
    ]);
    expect(part!.groups.map(({ code, who, first_lines: lines }) => [code, who, lines])).toEqual([
      ['account_not_found', 'importer', [3]],
      ['invalid', 'supplier', [4]],
    ]);
    const { first_request_at: begun, last_answer_at: ended } = report.sending!;
    expect(begun <= ended).toBe(true);
  });

  test('ends with 6 when nothing but an invalid row is left', async () => {
    const site = await migration(IMPORTED);
    site.csv('t.csv', HEADER, GOOD, INVALID);
    await site.cli(...PUSH);
    const { exitCode, report } = await reported(site, RUNS);
    expect([exitCode, report.rows]).toMatchObject([6, { read: 2, created: 1, invalid: 1 }]);
  });

  test('lists the rows that were left out by their cause', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, GOOD, INVALID);
    await site.cli('push', 'transactions', 't.csv', '--max-records', '1');
    const { exitCode, report } = await reported(site, RUNS);
    expect(exitCode).toBe(0);
    expect(report.answer).toMatchObject({ everything_arrived: true, records: 1, arrived: 1, to_do: [] });
    expect(report.parts[0]!.left_out).toEqual([{ reason: 'window', place: null, count: 1 }]);
  });

  test('counts the account of a repeated note as complete, because its one record arrived', async () => {
    const site = await migration(IMPORTED);
    const note = 'ACME,1001,hello,2026-01-01T10:00:00Z';
    site.csv('n.csv', 'import_supplier,external_account_number,body,created_at', note, note);
    const { json } = await site.cli('push', 'notes', 'n.csv', '--json');
    const { exitCode, report } = await reported(site, String(json()['run']));
    const [part] = report.parts;
    expect([exitCode, part!.rows.created, part!.unfinished_accounts]).toEqual([0, 2, []]);
  });

  test('of an unfinished run names the command that continues it', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, GOOD, REFUSED);
    const { json } = await site.cli('push', 'transactions', 't.csv', '-j', '1', '--json');
    const { exitCode, report } = await reported(site, RUNS);
    expect(exitCode).toBe(4);
    expect(report.exit).toMatchObject({ name: 'REFUSED', resumable: true });
    const line = 'dataimport push transactions t.csv -j 1 --json';
    expect(json()['next']).toBe(line);
    expect(report.answer.to_do).toMatchObject([
      { who: 'importer', command: null },
      { who: 'importer', command: line },
    ]);
    await site.reseed(IMPORTED);
    expect((await site.cli(...line.split(' ').slice(1))).exitCode).toBe(0);
    expect((await reported(site, RUNS)).report.answer.everything_arrived).toBe(true);
  });
});

describe('a report over several runs', () => {
  test('counts a record that was refused and sent again once, as the last command left it', async () => {
    const { site, run } = await partialSite();
    await site.reseed(IMPORTED);
    await site.cli(...PUSH);
    const { report } = await reported(site, run);
    const [part] = report.parts;
    expect(part!.rows).toMatchObject({ read: 3, created: 2, rejected: 0, invalid: 1 });
    expect(part!.control_totals).toEqual([
      { type: 'CREDIT', currency: null, count: 2, read: '11.10', accepted: '11.10' },
    ]);
    expect([part!.accounts_total, part!.unfinished_accounts_total]).toEqual([2, 0]);
    expect(part!.runs.map((each) => each.run)).toEqual([run]);
    expect(part!.groups.map(({ code }) => code)).toEqual(['invalid']);
    expect(report.answer.to_do.map(({ who }) => who)).toEqual(['supplier']);
    expect((await reported(site, RUNS)).report.rows).toEqual(report.rows);
  });

  test('counts a record that is refused again in vain once, and names what to do', async () => {
    const { site, run } = await partialSite();
    await site.cli(...PUSH);
    const { report } = await reported(site, run);
    expect(report.rows).toMatchObject({ read: 3, created: 1, rejected: 1, invalid: 1 });
    expect(report.parts[0]!.groups.map(({ code, count }) => [code, count])).toEqual([
      ['account_not_found', 1],
      ['invalid', 1],
    ]);
  });

  test('counts the newest version of a file, with what an earlier one brought there, and names the other', async () => {
    const { site, run } = await partialSite();
    await site.reseed(IMPORTED);
    site.csv('t.csv', HEADER, GOOD, REFUSED, INVALID.replace('2026-02-30', '2026-02-28'));
    expect((await site.cli(...PUSH)).exitCode).toBe(0);
    const { exitCode, report } = await reported(site, RUNS);
    expect(exitCode).toBe(0);
    expect(report.answer).toMatchObject({
      sentence: 'Everything arrived: 3 of 3 records.',
      arrived: 3,
      to_do: [],
    });
    expect(report.rows).toMatchObject({ read: 3, created: 3 });
    expect(report.notes).toEqual([
      expect.stringMatching(
        `^The run ${run} is not counted, because \\S+ is the run of a later version of its files\\.$`,
      ),
    ]);
    await site.cli('report', RUNS, '--html', 'r.html', '--junit', 'r.xml');
    expect(pageOf(site, 'r.html')).toContain('Created');
    const junit = pageOf(site, 'r.xml');
    expect(junit).toContain('every record arrived');
    expect(junit).not.toContain('<failure');
  });

  test('adds shards up to the report of the whole file', async () => {
    const site = await migration(IMPORTED);
    site.csv('t.csv', HEADER, GOOD, REFUSED, INVALID);
    const push = ['push', 'transactions', 't.csv', '--skip-invalid'];
    for (const shard of ['1/2', '2/2']) await site.cli(...push, '--shard', shard);
    const { report } = await reported(site, RUNS);
    await site.cli(...push, '--run-dir', 'whole');
    const whole = (await reported(site, 'whole')).report;
    const [part, wholePart] = [report.parts[0]!, whole.parts[0]!];
    expect(report.parts).toHaveLength(1);
    expect(part.runs.map(({ shard }) => shard)).toEqual(['1/2', '2/2']);
    // The whole file was sent second, so its rows were there.
    const { created, ...others } = part.rows;
    expect({ ...others, existing: created }).toEqual({ ...wholePart.rows, created: undefined });
    expect(part.control_totals).toEqual(wholePart.control_totals);
    expect(part.accounts_total).toBe(wholePart.accounts_total);
    expect(part.groups).toEqual(wholePart.groups);
    expect(report.answer.to_do.map(({ who }) => who)).toEqual(['supplier']);
  });

  test('refuses a missing shard, and two runs of the same rows', async () => {
    const site = await migration(IMPORTED);
    site.csv('t.csv', HEADER, GOOD, REFUSED);
    await site.cli('push', 'transactions', 't.csv', '--shard', '1/2');
    expect((await site.cli('report', RUNS)).stderr).toContain('shards_differ');
    for (const folder of ['one', 'two'])
      await site.cli('push', 'transactions', 't.csv', '--run-dir', folder, '--json');
    const twice = await site.cli('report', 'one', 'two');
    expect(twice.exitCode).toBe(2);
    expect(twice.stderr).toContain('each row is counted once');
  });

  test('has a part for each resource, in the order of a migration', async () => {
    const { site } = await partialSite();
    site.csv('n.csv', 'import_supplier,external_account_number,body', 'ACME,1001,hello');
    await site.cli('push', 'notes', 'n.csv');
    const { report } = await reported(site, RUNS);
    expect(report.parts.map(({ resource }) => resource)).toEqual(['notes', 'transactions']);
    expect(report.rows).toMatchObject({ read: 4, created: 2, rejected: 1, invalid: 1 });
  });
});

describe('the page', () => {
  test('is written beside the terminal, escaped, with a policy that lets nothing in', async () => {
    const site = await migration(SEED);
    const name = '<script>alert(1)</script> & "t".csv';
    site.csv(name.replace('/', ':'), HEADER, GOOD);
    const { json } = await site.cli('push', 'transactions', name.replace('/', ':'), '--json');
    const run = String(json()['run']);
    const { stdout } = await site.cli('report', run);
    expect(stdout).toBe(
      `Everything arrived: 1 of 1 record.\nplatform: ${site.url}\nreport: report-${run}.html\n`,
    );
    const page = pageOf(site, `report-${run}.html`);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;:script&gt; &amp; &quot;t&quot;.csv');
    expect(page).not.toMatch(/<script|<link|<img|https?:\/\/(?!127\.0\.0\.1|www\.w3\.org)/);
    expect(page).toContain('default-src &#39;none&#39;; style-src &#39;sha256-');
  });

  test('has no value of a cell without --show-values', async () => {
    const { site, run } = await partialSite();
    const both = async (...flags: string[]) => {
      const { stdout } = await site.cli('report', run, '--html', 'r.html', '--json', ...flags);
      return [stdout, pageOf(site, 'r.html')];
    };
    for (const text of await both())
      for (const value of ['1003', '1001', 't-9', 't-1']) expect(text).not.toContain(value);
    for (const text of await both('--show-values')) expect(text).toContain('1003');
  });

  test('needs a file, and `schema report` describes the document', async () => {
    const { site, run } = await partialSite();
    const refused = await site.cli('report', run, '--html', '-', '--json');
    expect(refused.exitCode).toBe(2);
    expect(JSON.stringify(refused.json())).toContain('- means standard output, and this takes a file');
    const schema = (await site.cli('schema', 'report')).json();
    const validate = new Ajv2020({ strict: false }).compile(schema);
    const document = (await site.cli('report', run, '--json')).json();
    expect(validate(document) ? [] : validate.errors).toEqual([]);
    const { answer: _, ...without } = document as unknown as MigrationReport;
    expect(validate(without)).toBe(false);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MigrationReport } from '../../src/cli/report/page/migration-report.ts';
import {
  instruction,
  INSTRUCTIONS,
  note,
  NOTES,
  runsOf,
  seedWith,
  site,
  statement,
  STATEMENTS,
} from '../support/cohort-site.ts';
import type { Migration } from '../support/migration.ts';

const COHORT = `
version: 1
supplier: ACME
on_reject: skip
resources:
  statements: { files: [s.csv] }
`;
const ROWS = [statement(1001, 's-1'), statement(1002, 's-2')];

async function night(fault?: string): Promise<Migration> {
  const made = await site(seedWith('imported', 'imported'), COHORT);
  made.csv('s.csv', STATEMENTS, ...ROWS);
  if (fault !== undefined) await made.faults(fault);
  await made.cliIn({ maxWaits: 9, chance: 0.5 }, 'migrate', 'night.yaml');
  await made.faults();
  return made;
}

const reported = async (made: Migration, ...words: readonly string[]) => {
  const { exitCode, json, stderr } = await made.cli('report', ...words, '--json');
  return { exitCode, stderr, report: json() as unknown as MigrationReport };
};

/** The ledger of the platform in a file, with one amount changed. */
async function changedLedger(made: Migration): Promise<string> {
  const text = await (await fetch(`${made.url}/_local/ledger`)).text();
  writeFileSync(
    join(made.cwd, 'ledger.ndjson'),
    text.replace('"gross_amount":"110"', '"gross_amount":"111"'),
  );
  return 'ledger.ndjson';
}

describe('the report of the morning', () => {
  test('compares the files of the cohort, however it is named, and nothing for runs that are named alone', async () => {
    const made = await night();
    for (const words of [[], ['night'], ['night.yaml']]) {
      const { exitCode, report } = await reported(made, ...words);
      expect(exitCode, words.join()).toBe(0);
      expect(report.answer.sentence, words.join()).toBe('Everything arrived: 2 of 2 records.');
      expect(report.parts[0]!.compared, words.join()).toEqual({ with: ['runs'], differences: 0 });
    }
    expect((await reported(made, ...runsOf(made))).report.parts[0]!.compared).toBeNull();
    const refused = await made.cli('report', ...runsOf(made), '--ledger', made.url);
    expect([refused.exitCode, refused.stderr]).toMatchObject([
      2,
      expect.stringContaining('--ledger compares files'),
    ]);
  });

  test('finds a ledger that differs, in its sentence, its exit code and its next command', async () => {
    const made = await night();
    const ledger = await changedLedger(made);
    const { exitCode, report } = await reported(made, 'night', '--ledger', ledger);
    expect(exitCode).toBe(11);
    expect(report.answer).toMatchObject({
      everything_arrived: false,
      sentence:
        'The files differ from what is there in 1 record: this does not prove that everything arrived.',
      to_do: [{ who: 'importer', rows: 1, command: 'dataimport verify night.yaml --ledger ledger.ndjson' }],
    });
    expect((await reported(made, 'night')).exitCode).toBe(0);
  });

  test('settles rows to verify that the ledger proves', async () => {
    const made = await night('statements after-commit reset nth=1');
    expect((await reported(made, 'night')).exitCode).toBe(6);
    const { exitCode, report } = await reported(made, 'night', '--ledger', made.url);
    expect([exitCode, report.rows]).toMatchObject([0, { created: 1, existing: 1, verify: 0 }]);
  });

  test('counts no refused row as a difference, because its outcome says so', async () => {
    const made = await site(
      seedWith('imported', 'staged'),
      COHORT.replace('on_reject: skip', 'on_reject: skip\nwait_for_accounts: 1s'),
    );
    made.csv('s.csv', STATEMENTS, statement(1001, 's-1'), statement(1001, 's-1').replace('s-1', 's-3'));
    await made.faults('statements accept status=400 nth=1');
    await made.cliIn({ maxWaits: 20, chance: 0.5 }, 'migrate', 'night.yaml');
    await made.faults();
    const { exitCode, report } = await reported(made, 'night', '--ledger', made.url);
    expect(report.parts[0]!.compared?.differences).toBe(0);
    expect(exitCode).not.toBe(11);
    expect(report.answer.everything_arrived).toBe(false);
  });

  test('finds a record that is missing behind a refused one that is there', async () => {
    const made = await site(
      seedWith('imported', 'imported', 'imported'),
      COHORT.replace('statements: { files: [s.csv] }', 'payment-instructions: { files: [i.csv] }'),
    );
    made.csv(
      'i.csv',
      INSTRUCTIONS,
      instruction(1001, 'pi_1'),
      instruction(1002, 'pi_2'),
      instruction(1003, 'pi_9'),
    );
    await made.cli('migrate', 'night.yaml');
    const lines = (await (await fetch(`${made.url}/_local/ledger`)).text()).trimEnd().split('\n');
    const swapped = lines.map((line) => line.replace('"pi_1"', '"pi_9"').replace('"1001"', '"1003"'));
    for (const [ledger, differences, exit] of [
      [lines, 0, 6],
      [swapped, 1, 11],
    ] as const) {
      writeFileSync(join(made.cwd, 'ledger.ndjson'), ledger.join('\n'));
      const words = ['--ledger', 'ledger.ndjson'];
      const { exitCode, report } = await reported(made, 'night', ...words);
      expect(report.rows).toMatchObject({ created: 2, rejected: 1 });
      expect([exitCode, report.parts[0]!.compared?.differences]).toEqual([exit, differences]);
      expect((await made.cli('verify', 'night.yaml', ...words)).exitCode).toBe(exit);
    }
  });

  test('says that files have changed since they were sent, and ends with 5, and is made for a file that was sent and has not changed', async () => {
    const made = await night();
    expect((await reported(made, 's.csv')).report.parts[0]!.runs[0]!.run).toBe(runsOf(made)[0]);
    made.csv('s.csv', STATEMENTS, ...ROWS, statement(1001, 's-4'));
    const { exitCode, report } = await reported(made, 'night');
    expect(exitCode).toBe(5);
    expect(report.answer.sentence).toBe(
      'All 2 records of the last run arrived, but the files have changed since.',
    );
    expect(report.answer.to_do).toMatchObject([
      { what: 'The files of statements have changed since they were sent. Run the command again.' },
    ]);
    expect((await made.cli('report', 's.csv')).stderr).toContain('source_changed');
    writeFileSync(join(made.cwd, 'other.csv'), readFileSync(join(made.cwd, 's.csv')));
    expect((await made.cli('report', 'other.csv')).stderr).toContain('run_not_found');
  });

  test('asks the platform again for the notes and transactions of a cohort, and finds those that it has lost', async () => {
    const made = await site(seedWith('imported', 'imported'));
    await made.cli('migrate', 'night.yaml');
    const asked = await reported(made, 'night', '--ask-again');
    expect([asked.exitCode, (await made.ledger()).length]).toEqual([0, 7]);
    for (const part of asked.report.parts)
      expect(part.compared).toEqual({ with: ['runs', 'the platform, asked again'], differences: 0 });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${made.url}/_local/reset`, { method: 'POST', headers, body: '{}' });
    const lost = await reported(made, 'night', '--ask-again');
    expect([lost.exitCode, lost.report.parts.map(({ compared }) => compared?.differences)]).toEqual([
      11,
      [4, 3],
    ]);
  });

  test('ends with 5 when nothing was sent of a resource of the cohort', async () => {
    const made = await night();
    made.csv('n1.csv', NOTES, note(1001, 'first'));
    writeFileSync(join(made.cwd, 'night.yaml'), `${COHORT}  notes: { files: [n1.csv] }\n`);
    const { exitCode, report } = await reported(made, 'night');
    expect([exitCode, report.unsent_resources]).toEqual([5, ['notes']]);
    expect(report.answer).toMatchObject({
      everything_arrived: false,
      sentence: 'All 2 records of the last run arrived, but nothing was sent of the files of notes.',
      to_do: [{ what: 'Nothing of the files of notes was sent. Run the command again.' }],
    });
  });

  test('compares the files of pushes with a ledger, and ends with one exit code', async () => {
    const made = await site(seedWith('imported', 'imported'));
    made.csv('june.csv', STATEMENTS, ROWS[0]!);
    made.csv('july.csv', STATEMENTS, ROWS[1]!);
    for (const file of ['june.csv', 'july.csv'])
      expect((await made.cli('push', 'statements', file, '--supplier', 'ACME')).exitCode).toBe(0);
    expect((await reported(made)).report.parts[0]!.compared).toEqual({ with: ['runs'], differences: 0 });
    const files = ['june.csv', 'july.csv'];
    const { exitCode, report } = await reported(made, ...files, '--ledger', made.url);
    expect(exitCode).toBe(0);
    expect(report.parts.map(({ compared }) => compared)).toEqual(
      files.map(() => ({ with: ['runs', made.url], differences: 0 })),
    );
    const differing = await reported(made, ...files, '--ledger', await changedLedger(made));
    expect(differing.exitCode).toBe(11);
    const found = differing.report.parts.map(({ runs, compared }) => [
      runs[0]!.sources[0]!.name,
      compared?.differences,
    ]);
    expect(Object.fromEntries(found)).toEqual({ 'june.csv': 1, 'july.csv': 0 });
    const { command } = differing.report.answer.to_do[0]!;
    expect(command).toBe('dataimport verify statements june.csv --supplier ACME --ledger ledger.ndjson');
    expect((await made.cli(...command!.split(' ').slice(1))).exitCode).toBe(11);
  });

  test('says nothing of a rehearsal once the address of another platform is set', async () => {
    const made = await night();
    made.csv('t.csv', STATEMENTS, statement(1001, 's-9'));
    await made.cli('push', 'statements', 't.csv', '--supplier', 'ACME');
    const [run] = runsOf(made);
    const live = ['--base-url', 'https://live.example'];
    for (const words of [[], ['night'], ['night.yaml'], ['t.csv']]) {
      const { exitCode, stdout, stderr } = await made.cli('report', ...words, ...live);
      expect([exitCode, stdout, stderr], words.join()).toEqual([
        2,
        '',
        expect.stringMatching(/run_to_verify_missing no run of .* to https:\/\/live\.example is in /),
      ]);
    }
    expect((await reported(made, run!, ...live)).exitCode).toBe(0);
  });

  test('is about the command that was typed last, which may have read nothing anew, or about the one that is named', async () => {
    const made = await site(seedWith('imported', 'imported'));
    made.csv('june.csv', STATEMENTS, ROWS[0]!);
    made.csv('july.csv', STATEMENTS, ROWS[1]!);
    const last = async (...words: readonly string[]) =>
      (await reported(made, ...words)).report.parts.map(({ runs }) => runs[0]!.sources[0]!.name);
    for (const [index, file] of ['june.csv', 'july.csv', 'june.csv'].entries()) {
      const later = { nowMs: Date.UTC(2026, 10, 21, index) };
      await made.cliIn(later, 'push', 'statements', file, '--supplier', 'ACME');
      expect(await last()).toEqual([file]);
    }
    const { runs } = (await made.cli('runs', '--json')).json() as { runs: readonly { run: string }[] };
    const named = [];
    for (const { run } of runs) named.push(...(await last(run)));
    expect(named).toEqual(['june.csv', 'july.csv', 'june.csv']);
  });
});

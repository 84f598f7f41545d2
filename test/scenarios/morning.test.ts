import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { instruction, INSTRUCTIONS, seedWith, site, statement, STATEMENTS } from '../support/cohort-site.ts';
import type { Migration } from '../support/migration.ts';
import { typed } from '../support/next-command.ts';
import { verified } from '../support/verified.ts';

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

/** The differences that were found, of each part. */
const differences = ({ found }: Awaited<ReturnType<typeof verified>>): readonly (number | undefined)[] =>
  found.parts.map(({ comparisons }) => comparisons[0]?.errors_total);

/** The ledger of the platform in a file, with one amount changed. */
async function changedLedger(made: Migration): Promise<string> {
  const text = await (await fetch(`${made.url}/_local/ledger`)).text();
  writeFileSync(
    join(made.cwd, 'ledger.ndjson'),
    text.replace('"gross_amount":"110"', '"gross_amount":"111"'),
  );
  return 'ledger.ndjson';
}

describe('verify in the morning', () => {
  test('finds a ledger that differs, in its sentence, its exit code and its next command', async () => {
    const made = await night();
    const { exitCode, found } = await verified(made, '--ledger', await changedLedger(made));
    expect(exitCode).toBe(11);
    expect(found.answer).toMatchObject({
      everything_arrived: false,
      sentence:
        'The files differ from what is there in 1 record: this does not prove that everything arrived.',
      to_do: [{ who: 'importer', rows: 1, command: 'dataimport explain record_differs' }],
    });
    expect((await made.cli(...typed(found.next))).exitCode).toBe(0);
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
    for (const [ledger, count, exit] of [
      [lines, 0, 6],
      [swapped, 1, 11],
    ] as const) {
      writeFileSync(join(made.cwd, 'ledger.ndjson'), ledger.join('\n'));
      const compared = await verified(made, 'night.yaml', '--ledger', 'ledger.ndjson');
      expect(compared.found.rows).toMatchObject({ created: 2, rejected: 1 });
      expect([compared.exitCode, differences(compared)]).toEqual([exit, [count]]);
    }
  });

  test('says what has changed in files since they were sent, ends with 5, and knows their rows under another name', async () => {
    const made = await night();
    const other = (name: string): void =>
      writeFileSync(join(made.cwd, name), readFileSync(join(made.cwd, 's.csv')));
    const named = async (name: string) => {
      const { exitCode, found } = await verified(made, 'statements', name, '--supplier', 'ACME');
      return [exitCode, found.parts[0]!.changed_since, found.next];
    };
    other('same.csv');
    expect(await named('same.csv')).toEqual([0, null, null]);
    made.csv('s.csv', STATEMENTS, ...ROWS, statement(1001, 's-4'));
    other('more.csv');
    const { exitCode, found } = await verified(made);
    expect([exitCode, found.answer.sentence, found.next]).toEqual([
      5,
      'Not everything arrived: 1 of 3 records did not (1 not sent).',
      'dataimport migrate night.yaml',
    ]);
    expect(found.parts[0]!.changed_since).toEqual({
      at: expect.stringMatching(/^2026-11-21T/) as string,
      rows: 2,
      differing: 0,
      new: 1,
      gone: 0,
    });
    // The command of the other file was never typed.
    expect(await named('more.csv')).toEqual([5, null, 'dataimport push statements more.csv --supplier ACME']);
  });

  test('says nothing of a rehearsal once the address of another platform is set', async () => {
    const made = await night();
    const live = ['--base-url', 'https://live.example'];
    for (const words of [[], ['night.yaml'], ['statements', 's.csv', '--supplier', 'ACME']])
      expect(await made.cli('verify', ...words, ...live), words.join()).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining(
          'run_to_verify_missing no statements were sent to https://live.example from ',
        ) as string,
      });
  });

  test('is about the command that was typed last, which may have read nothing anew', async () => {
    const made = await site(seedWith('imported', 'imported'));
    made.csv('june.csv', STATEMENTS, ROWS[0]!);
    made.csv('july.csv', STATEMENTS, ROWS[1]!);
    for (const [index, file] of ['june.csv', 'july.csv', 'june.csv'].entries()) {
      const later = { nowMs: Date.UTC(2026, 10, 21, index) };
      await made.cliIn(later, 'push', 'statements', file, '--supplier', 'ACME');
      const { parts } = (await verified(made)).found;
      expect(parts.flatMap(({ files }) => files.map(({ name }) => name))).toEqual([file]);
    }
  });
});

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runDocument, type RunDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { nextOf, typed } from '../support/next-command.ts';
import { IMPORTED } from '../support/refused-account.ts';
import { verified, verifiedPage } from '../support/verified.ts';

const HEADER =
  'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,gross_amount';
const ROWS = [
  'ACME,1001,s-1,2025-01-01,2025-03-31,100',
  'ACME,1001,s-2,2025-04-01,2025-06-30,200',
  'ACME,1003,s-3,2025-01-01,2025-03-31,300',
] as const;
const INSTRUCTIONS = 'import_supplier,external_account_number,vendor,reference,type';

const documentOf = (result: { json(): unknown }): RunDocument => runDocument.parse(result.json());

const idsOf = async (site: Migration): Promise<readonly string[]> =>
  (await site.ledger()).map(({ data }) => String(data['statement_id'])).toSorted();

async function push(site: Migration, rows: readonly string[], ...flags: readonly string[]) {
  site.csv('s.csv', HEADER, ...rows);
  return documentOf(await site.cli('push', 'statements', 's.csv', '--json', '-j', '1', ...flags));
}

/** Types the command that lists the unresolved rows, and returns the list with the beginning of the command that settles them. */
async function listed(site: Migration, next: string | null) {
  const [, , name] = /^dataimport runs show (\S+) --unresolved --csv (unresolved-\1\.csv)$/.exec(next!)!;
  const file = join(site.cwd, name!);
  const { stdout, exitCode } = await site.cli(...typed(next));
  // It ends as the run did.
  expect([3, 4, 5, 6]).toContain(exitCode);
  const [, confirm] = /^ {2}(dataimport .*) --arrived --by ada$/m.exec(stdout)!;
  const [header, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return { confirm: typed(confirm!), header: header!, rows, file };
}

/** A push that loses answers. */
async function doubtful(fault: string) {
  const site = await migration(IMPORTED);
  await site.faults(fault);
  site.csv('s.csv', HEADER, ...ROWS);
  const argv = ['push', 'statements', 's.csv', '--batch-size', '1', '-j', '1', '--json'];
  const document = documentOf(await site.cliIn({ chance: 0.5, maxWaits: 9 }, ...argv));
  await site.faults();
  return { site, argv, document };
}

test.each([
  ['a lost answer', 'statements before-commit reset nth=1', 1],
  ['a 500', 'statements before-commit status=500 nth=1', 1],
  ['a 429', 'statements before-commit status=429 nth=1', 0],
])(
  'a statement that is taken again after %s is looked for as often as it may be there twice',
  async (_, fault, rows) => {
    const { site, document } = await doubtful(fault);
    expect(document.exit.code).toBe(0);
    const warned = document.problems.filter(({ code }) => code === 'sent_again');
    expect(warned).toHaveLength(rows);
    const { to_do: steps } = (await verified(site)).found.answer;
    expect(
      steps.map(({ rows: count, what }) => [count, what.includes('sent again after a lost answer or a 500')]),
    ).toEqual(rows === 0 ? [] : [[rows, true]]);
    const proven = (await verified(site, '--ledger', site.url)).found;
    expect([proven.answer.to_do, proven.parts[0]!.groups, proven.exit.code]).toEqual([[], [], 0]);
  },
);

/** A platform that has a statement that another tool, or a folder that is lost, has sent. */
async function withForeign() {
  const site = await migration(IMPORTED);
  await push(site, [ROWS[0]]);
  rmSync(join(site.cwd, '.dataimport'), { recursive: true });
  return site;
}

describe('a statement that the platform has from elsewhere', () => {
  test('stops the push, and goes on once a person has confirmed it', async () => {
    const site = await withForeign();
    const stopped = await push(site, ROWS);
    expect(stopped).toMatchObject({
      exit: { code: 4 },
      rows: { rejected: 1, not_sent: 2 },
      problems: [{ code: 'historical_statement_already_exists', line: 2 }],
    });
    const { confirm, rows } = await listed(site, stopped.next);
    expect(rows).toEqual(['ACME,1001,s-1,,2025-01-01,100,s.csv,2,rejected']);
    const confirmed = await site.cli(...confirm, '--arrived', '--by', 'A. Lead');
    const rest = documentOf(await site.cli(...typed(nextOf(confirmed.stdout)), '--json'));
    expect(rest).toMatchObject({
      exit: { code: 0 },
      rows: { read: 3, created: 2, confirmed: 1 },
      problems: [],
      next: null,
    });
    expect(await idsOf(site)).toEqual(['s-1', 's-2', 's-3']);
    expect((await site.cli('verify')).stdout).toContain(
      'Everything arrived: 3 of 3 records, of which 1 confirmed by hand.',
    );
  });

  test('set aside keeps no other row waiting, and is the one step of verify, which says who compares it', async () => {
    const site = await withForeign();
    const skipped = await push(site, ROWS, '--on-reject', 'skip');
    expect(skipped).toMatchObject({ exit: { code: 6 }, rows: { created: 2, rejected: 1 } });
    expect((await verified(site)).found.answer.to_do).toMatchObject([
      {
        who: 'importer',
        what: expect.stringMatching(/^Compare 1 record .* confirms the rows/),
        command: skipped.next,
      },
    ]);
    expect((await listed(site, skipped.next)).rows).toHaveLength(1);
  });

  test('counts apart with --on-existing accept, in the push and in verify', async () => {
    const site = await withForeign();
    // The same command without the flag is refused.
    expect((await push(site, ROWS)).exit.code).toBe(4);
    const accepted = await push(site, ROWS, '--on-existing', 'accept');
    expect(accepted).toMatchObject({
      exit: { code: 0 },
      rows: { created: 2, existing: 0, uncompared: 1 },
      problems: [],
      next: null,
    });
    const { exitCode, found } = await verified(site);
    expect([exitCode, found.rows, found.answer.sentence]).toMatchObject([
      0,
      { uncompared: 1 },
      'Everything arrived: 3 of 3 records, of which 1 accepted as there without having been compared.',
    ]);
    // Nothing is asked again, and the next version finds it there.
    expect((await push(site, ROWS)).rows).toEqual(accepted.rows);
    const more = await push(site, [...ROWS, ROWS[2].replace('s-3', 's-4').replace(/2025-0/g, '2024-0')]);
    expect(more).toMatchObject({ exit: { code: 0 }, rows: { created: 3, uncompared: 1 } });
    expect(await idsOf(site)).toEqual(['s-1', 's-2', 's-3', 's-4']);
  });

  test('is never said to have the content of a row that was only accepted, when the row changes', async () => {
    const site = await withForeign();
    const before = await push(site, ROWS, '--on-existing', 'accept');
    const corrected = ROWS.map((row) => row.replace(/00$/, '50'));
    const changed = await push(site, corrected, '--on-existing', 'accept');
    expect(changed).toMatchObject({
      exit: { code: 3 },
      rows: { read: 3, invalid: 3 },
      problems: [
        {
          code: 'record_changed',
          line: 2,
          detail: expect.stringContaining(
            `differs from s.csv:2 of the reading ${before.run!}, which was accepted as there`,
          ),
        },
        // The platform got these two rows from the earlier version.
        { code: 'record_changed', line: 3 },
        { code: 'record_changed', line: 4 },
      ],
    });
    const { confirm, header, rows, file } = await listed(site, changed.next);
    expect(rows[0]).toBe('ACME,1001,s-1,,2025-01-01,150,s.csv,2,changed');
    writeFileSync(file, `${header}\n${rows[0]}\n`);
    expect((await site.cli(...confirm, '--arrived', '--by', 'A. Lead')).exitCode).toBe(0);
    const more = await push(site, [corrected[0]!, ROWS[1], ROWS[2]]);
    expect(more).toMatchObject({
      exit: { code: 0 },
      rows: { read: 3, created: 2, confirmed: 1 },
      problems: [],
    });
  });

  /** The same of a payment instruction, in a file with another one. */
  async function withForeignInstruction(other: string) {
    const site = await migration(IMPORTED);
    const argv = ['push', 'payment-instructions', 'i.csv', '--json', '-j', '1'];
    site.csv('i.csv', INSTRUCTIONS, 'ACME,1001,STRIPE,pi_1,CARD');
    expect((await site.cli(...argv)).exitCode).toBe(0);
    rmSync(join(site.cwd, '.dataimport'), { recursive: true });
    site.csv('i.csv', INSTRUCTIONS, 'ACME,1001,STRIPE,pi_1,CARD', `ACME,1003,STRIPE,${other},CARD`);
    return { site, argv };
  }

  test('that is a payment instruction is confirmed alike', async () => {
    const { site, argv } = await withForeignInstruction('pi_2');
    const refused = documentOf(await site.cli(...argv));
    expect(refused).toMatchObject({
      exit: { code: 4 },
      problems: [{ code: 'payment_instruction_already_active', line: 2 }],
    });
    const { confirm } = await listed(site, refused.next);
    expect((await site.cli(...confirm, '--arrived', '--by', 'A. Lead')).exitCode).toBe(0);
    expect(documentOf(await site.cli(...argv)).rows).toMatchObject({ created: 1, confirmed: 1 });
  });

  test('that is a payment instruction is accepted by the same command with --on-existing accept, and another refusal is not sent again', async () => {
    const { site, argv } = await withForeignInstruction('pi_none');
    const skip = [...argv, '--on-reject', 'skip'];
    expect(documentOf(await site.cli(...skip)).rows).toMatchObject({ rejected: 2 });
    const before = (await site.ledger()).length;
    const accepted = documentOf(await site.cli(...skip, '--on-existing', 'accept'));
    expect(accepted).toMatchObject({
      exit: { code: 6 },
      rows: { uncompared: 1, rejected: 1 },
      requests: { total: 3 },
    });
    expect((await site.ledger()).length).toBe(before);
  });
});

describe('a statement whose answer was lost', () => {
  test('is to verify, a list of the rows can be handed over, and it stays so without a verdict and a name and by a list of other rows', async () => {
    const { site, argv, document } = await doubtful('statements after-commit reset nth=1');
    expect(document).toMatchObject({ exit: { code: 6 }, rows: { created: 2, verify: 1 } });
    // The same command finds nothing new.
    const again = documentOf(await site.cli(...argv));
    expect(again).toMatchObject({ rows: document.rows, next: document.next });
    const { confirm, header, rows, file } = await listed(site, document.next);
    expect(header).toBe('import_supplier,account,id,type,date,amount,file,line,outcome');
    expect(rows).toEqual(['ACME,1001,s-1,,2025-01-01,100,s.csv,2,verify']);
    // An earlier list may be on its way to somebody.
    expect((await site.cli(...typed(document.next))).exitCode).toBe(2);
    // Without a verdict and a name, and by a list of other rows, nothing is settled.
    const refused = async (words: readonly string[], reason: string): Promise<string> => {
      const { exitCode, stderr } = await site.cli(...words);
      expect([exitCode, stderr], words.join(' ')).toEqual([2, expect.stringContaining(reason)]);
      return stderr;
    };
    for (const [flags, reason] of [
      [['--arrived'], '--by'],
      [['--arrived', '--by', ' '], '--by needs a name'],
      [['--by', 'A. Lead'], 'give --arrived or --missing'],
      [['--arrived', '--missing', '--by', 'A. Lead'], 'give --arrived or --missing'],
    ] as const)
      await refused(['runs', 'confirm', document.run!, ...flags], reason);
    for (const [from, to, reason] of [
      [',2,verify', ',9,verify', 'no such row has to be settled'],
      ['s-1', 's-7', 'no such row has to be settled'],
    ] as const) {
      writeFileSync(file, `${[header, ...rows.map((row) => row.replace(from, to))].join('\n')}\n`);
      expect(await refused([...confirm, '--arrived', '--by', 'A. Lead'], reason)).toContain('usage');
    }
    expect(documentOf(await site.cli('runs', 'show', document.run!, '--json')).rows).toMatchObject({
      verify: 1,
    });
  });

  test('has arrived by the word of a person, which a ledger proves or contradicts', async () => {
    const { site, argv, document } = await doubtful('statements after-commit reset nth=1');
    const words = ['--arrived', '--by', 'A. Lead', '--json'];
    const confirmed = await site.cli('runs', 'confirm', document.run!, ...words);
    expect(confirmed.json()).toMatchObject({
      exit: { code: 0 },
      run: document.run,
      verdict: 'arrived',
      by: 'A. Lead',
      rows: 1,
      next: `dataimport ${argv.join(' ')}`,
    });
    for (const command of [['resume'], argv])
      expect(documentOf(await site.cli(...command))).toMatchObject({
        exit: { code: 0 },
        rows: { created: 2, confirmed: 1, verify: 0 },
        problems: [],
        next: null,
      });
    expect(await idsOf(site)).toEqual(['s-1', 's-2', 's-3']);
    const { found } = await verified(site);
    expect(found).toMatchObject({
      exit: { code: 0 },
      answer: { sentence: 'Everything arrived: 3 of 3 records, of which 1 confirmed by hand.' },
      parts: [{ decisions: [{ by: 'A. Lead', what: '1 row confirmed as arrived' }] }],
    });
    // The ledger proves what nobody had compared.
    expect((await verified(site, '--ledger', site.url)).found).toMatchObject({
      exit: { code: 0 },
      parts: [{ comparisons: [{ errors_total: 0 }] }],
    });
    const ledger = await (await fetch(`${site.url}/_local/ledger`)).text();
    const others = ledger.split('\n').filter((line) => !line.includes('"s-1"'));
    writeFileSync(join(site.cwd, 'ledger.ndjson'), others.join('\n'));
    expect((await verified(site, '--ledger', 'ledger.ndjson')).found).toMatchObject({
      exit: { code: 11 },
      parts: [{ comparisons: [{ by_code: { record_missing: 1 } }] }],
    });
  });

  test('is sent again when it is missing', async () => {
    const { site, argv } = await doubtful('statements after-commit reset nth=1');
    await site.cli('runs', 'confirm', '--missing', '--by', 'A. Lead');
    // The run is open again, and no process died.
    const opened = await verified(site);
    expect([opened.exitCode, opened.found.rows]).toMatchObject([5, { not_sent: 1 }]);
    // The person was wrong: the platform says so, and has it once.
    const again = await site.cli('resume');
    expect(documentOf(again)).toMatchObject({ exit: { code: 4 }, rows: { created: 2, rejected: 1 } });
    expect(await idsOf(site)).toEqual(['s-1', 's-2', 's-3']);
    const accepted = await site.cli(...argv, '--on-existing', 'accept');
    expect(documentOf(accepted)).toMatchObject({ exit: { code: 0 }, rows: { created: 2, uncompared: 1 } });
  });

  test('is settled row by row with --rows', async () => {
    const { site, argv, document } = await doubtful('statements after-commit reset times=2');
    const { confirm, header, rows, file } = await listed(site, document.next);
    expect(rows.length).toBeGreaterThan(1);
    const run = document.run!;
    writeFileSync(file, `${[header, rows[0]].join('\n')}\n`);
    expect((await site.cli(...confirm, '--arrived', '--by', 'A. Lead')).stdout).toContain(
      '1 row counted as arrived',
    );
    expect(documentOf(await site.cli('runs', 'show', run, '--json')).rows).toMatchObject({
      confirmed: 1,
      verify: rows.length - 1,
    });
    writeFileSync(file, `${[header, ...rows.slice(1)].join('\n')}\n`);
    await site.cli(...confirm, '--arrived', '--by', 'B. Other');
    expect(documentOf(await site.cli(...argv))).toMatchObject({
      exit: { code: 0 },
      rows: { confirmed: rows.length },
    });
  });

  test('stays to verify in another version, and the word of a person counts for both', async () => {
    const { site, argv, document } = await doubtful('statements after-commit reset nth=1');
    site.csv('s.csv', HEADER, ...ROWS, 'ACME,1003,s-4,2025-04-01,2025-06-30,400');
    const second = documentOf(await site.cli(...argv));
    expect(second).toMatchObject({ exit: { code: 6 }, rows: { created: 3, verify: 1 } });
    expect(second.run).not.toBe(document.run);
    const { confirm } = await listed(site, second.next);
    await site.cli(...confirm, '--arrived', '--by', 'A. Lead');
    expect(documentOf(await site.cli(...argv))).toMatchObject({
      exit: { code: 0 },
      rows: { created: 3, confirmed: 1 },
    });
    site.csv('s.csv', HEADER, ...ROWS);
    const back = documentOf(await site.cli(...argv));
    expect(back.rows).toMatchObject({ read: 3, created: 2, confirmed: 1 });
    expect(await idsOf(site)).toEqual(['s-1', 's-2', 's-3', 's-4']);
  });
});

describe('a row without an answer', () => {
  test.each([
    ['--arrived', { created: 1, confirmed: 1 }, 1],
    ['--missing', { created: 2 }, 2],
  ])('that a person settles with %s keeps its account no longer waiting', async (verdict, rows, sent) => {
    const site = await migration(IMPORTED);
    site.csv('s.csv', HEADER, ROWS[0], ROWS[2]);
    const argv = ['push', 'statements', 's.csv', '--batch-size', '1', '--retry-for', '1s', '--json'];
    // One request that always fails.
    await site.faults('statements before-commit status=500 account=1001');
    const failing = documentOf(await site.cliIn({ chance: 0.5, maxWaits: 9 }, ...argv));
    expect(failing).toMatchObject({ exit: { code: 5 }, rows: { created: 1, unknown: 1 } });
    const { confirm, rows: listedRows } = await listed(
      site,
      `dataimport runs show ${failing.run!} --unresolved --csv unresolved-${failing.run!}.csv`,
    );
    expect(listedRows).toEqual(['ACME,1001,s-1,,2025-01-01,100,s.csv,2,unknown']);
    await site.faults();
    expect((await site.cli(...confirm, verdict, '--by', 'A. Lead')).exitCode).toBe(0);
    expect(documentOf(await site.cli(...argv))).toMatchObject({ exit: { code: 0 }, rows });
    expect(await idsOf(site)).toHaveLength(sent);
  });

  test('is in doubt still when its neighbour is settled', async () => {
    const site = await migration(IMPORTED);
    site.csv('s.csv', HEADER, ...ROWS.slice(0, 2));
    await site.faults('statements before-commit status=500');
    const argv = ['push', 'statements', 's.csv', '--retry-for', '1s', '--json'];
    const { run } = documentOf(await site.cliIn({ chance: 0.5, maxWaits: 9 }, ...argv));
    const list = `dataimport runs show ${run} --unresolved --csv unresolved-${run}.csv`;
    const { confirm, header, rows, file } = await listed(site, list);
    expect(rows).toHaveLength(2);
    writeFileSync(file, `${header}\n${rows[0]}\n`);
    await site.cli(...confirm, '--arrived', '--by', 'A. Lead');
    const shown = documentOf(await site.cli('runs', 'show', run!, '--json'));
    expect(shown.rows).toMatchObject({ confirmed: 1, unknown: 1 });
  });
});

describe('a record that a person has confirmed with other content', () => {
  const changed = ROWS[0].replace(/,100$/, ',150');

  /** The first statement is confirmed with other content. `file`: the file of the other content. */
  async function confirmed(site: Migration, file: string) {
    site.csv(file, HEADER, changed);
    const conflict = documentOf(await site.cli('push', 'statements', file, '--json'));
    expect(conflict.problems[0]).toMatchObject({ code: 'record_changed' });
    const { confirm } = await listed(site, conflict.next);
    expect((await site.cli(...confirm, '--arrived', '--by', 'A. Lead')).exitCode).toBe(0);
  }

  test.each(['s.csv', 'other.csv'])(
    'is an error in an earlier version that had its row (%s)',
    async (file) => {
      const site = await migration(IMPORTED);
      await push(site, [ROWS[0]]);
      const both = [ROWS[0], ROWS[1]];
      expect((await push(site, both)).rows).toMatchObject({ created: 2 });
      await confirmed(site, file);
      for (let times = 0; times < 2; times++) {
        const back = await push(site, both);
        expect(back).toMatchObject({ exit: { code: 3 }, rows: { read: 2, invalid: 1 } });
        expect(back.problems).toMatchObject([{ code: 'record_changed', line: 2 }]);
      }
      // The version that sent the record itself knows it, too.
      expect(await push(site, [ROWS[0]])).toMatchObject({ exit: { code: 3 }, rows: { invalid: 1 } });
      expect(await idsOf(site)).toEqual(['s-1', 's-2']);
    },
  );
});

describe('a row that a person has confirmed', () => {
  const TRANSACTIONS = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
  const row = (account: string, id: string, amount: string) =>
    `ACME,${account},${id},2026-01-02,CHARGE,${amount}`;

  test('is named in the later versions', async () => {
    const site = await migration(IMPORTED);
    const files: Record<string, readonly string[]> = {};
    const pushed = async (name: string, ...rows: readonly string[]) => {
      files[name] = rows;
      for (const [file, content] of Object.entries(files)) site.csv(file, TRANSACTIONS, ...content);
      return documentOf(await site.cli('push', 'transactions', ...Object.keys(files), '--json'));
    };
    await pushed('t.csv', row('1001', 't-1', '10.00'), row('1001', 't-2', '3.00'));
    const changed = await pushed('t.csv', row('1001', 't-1', '11.00'), row('1001', 't-2', '3.00'));
    const { confirm } = await listed(site, changed.next);
    await site.cli(...confirm, '--arrived', '--by', 'A. Lead');
    for (const content of [
      [row('1001', 't-9', '1.00')],
      [row('1001', 't-9', '1.00'), row('1003', 't-9', '1.00')],
    ]) {
      const next = await pushed('u.csv', ...content);
      expect(next.exit.code).toBe(0);
      const { exitCode, found } = await verified(site);
      expect([exitCode, found.rows.confirmed]).toEqual([0, 1]);
      expect(await verifiedPage(site)).toContain('1 row confirmed as arrived, by A. Lead, 2026-11-21');
    }
  });
});

test('a record that a person says is missing is sent by the next step of a run that had sent nothing, or asked for again by the earlier version, which stays replaced', async () => {
  const site = await migration(IMPORTED);
  await push(site, [ROWS[0]]);
  expect((await push(site, ROWS)).rows).toMatchObject({ created: 3 });
  const after = await push(site, [ROWS[0].replace(/,100$/, ',150'), ROWS[1], ROWS[2]]);
  expect([after.exit.code, after.problems[0]!.code]).toEqual([3, 'record_changed']);
  const { confirm } = await listed(site, after.next);
  expect((await site.cli(...confirm, '--missing', '--by', 'A. Lead')).exitCode).toBe(0);
  const shown = await site.cli('runs', 'show', after.run!);
  const next = 'dataimport push statements s.csv --json -j 1';
  expect([shown.exitCode, nextOf(shown.stdout)]).toEqual([5, next]);
  const list = (await site.cli('runs')).stdout;
  expect(list).toContain('replaced by 20261121-000000-push-statements-3\n');
  const back = await push(site, ROWS, '--on-existing', 'accept');
  expect(back).toMatchObject({ exit: { code: 0 }, rows: { read: 3, uncompared: 1, created: 2 } });
});

test('a refused row whose record arrived from another file on another account is not missing, because it would be sent twice, and takes the place of both once confirmed', async () => {
  const header = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
  const row = (account: string) => `ACME,${account},t-2,2026-02-01,CREDIT,2.00`;

  const site = await migration(IMPORTED);
  const send = (file: string) => site.cli('push', 'transactions', file, '--on-reject', 'skip', '--json');
  site.csv('t.csv', header, 'ACME,1001,t-1,2026-02-01,CREDIT,1.00', row('1009'));
  // The refused row is corrected in a file of its own.
  site.csv('fix.csv', header, row('1003'));
  expect((await send('t.csv')).exitCode).toBe(6);
  expect((await send('fix.csv')).exitCode).toBe(0);
  const { confirm } = await listed(site, documentOf(await send('t.csv')).next);
  const { exitCode, stderr } = await site.cli(...confirm, '--missing', '--by', 'ada');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('usage')]);
  expect((await site.cli(...confirm, '--arrived', '--by', 'ada')).exitCode).toBe(0);
  expect(documentOf(await send('t.csv')).rows).toMatchObject({ read: 2, created: 1, confirmed: 1 });
  expect(await site.ledger()).toHaveLength(2);
});

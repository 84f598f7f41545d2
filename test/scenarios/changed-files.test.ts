import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runDocument, type RunDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { nextOf, typed } from '../support/next-command.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const FIRST = [
  'ACME,1001,t-1,2026-02-01,CREDIT,10.10',
  'ACME,1003,t-2,2026-02-02,PAYMENT,20.20',
  'ACME,1001,t-3,2026-02-03,CREDIT,30.30',
] as const;
const NEW = 'ACME,1003,t-4,2026-02-04,CREDIT,40.40';
const CHANGED = FIRST.map((row) => row.replace('20.20', '20.21'));
const MOVED = FIRST.map((row) => row.replace('1003,t-2', '1001,t-2'));

const documentOf = (result: { json(): unknown }): RunDocument => runDocument.parse(result.json());

/** Pushes rows as a file with the name `t.csv`. */
async function push(site: Migration, rows: readonly string[], ...flags: readonly string[]) {
  site.csv('t.csv', HEADER, ...rows);
  return pushAs(site, 't.csv', ...flags);
}

async function pushAs(site: Migration, name: string, ...flags: readonly string[]): Promise<RunDocument> {
  const pushed = await site.cli('push', 'transactions', name, '--json', ...flags);
  const document = documentOf(pushed);
  expect({ stderr: pushed.stderr, exitCode: pushed.exitCode }).toMatchObject({
    exitCode: document.exit.code,
  });
  return document;
}

/** A platform that has all records of the first version of a file. */
async function first() {
  const site = await migration(IMPORTED);
  const { run } = await push(site, FIRST);
  return { site, run: run! };
}

const idsOf = async (site: Migration): Promise<readonly string[]> =>
  (await site.ledger()).map(({ data }) => String(data['transaction_id'])).toSorted();

describe('another version of a file', () => {
  test.each([
    ['in the file of before', []],
    ['in another file', [FIRST[0]]],
  ])('does not bring a row back to the account that refused it, %s', async (_, more) => {
    const site = await migration(SEED);
    expect((await push(site, [REFUSED])).exit.code).toBe(4);
    expect((await push(site, [REFUSED.replace('1003', '1001')])).rows.created).toBe(1);
    await site.reseed(IMPORTED);
    const { exit, problems } = await push(site, [REFUSED, ...more]);
    expect({ exit, problems }).toMatchObject({
      exit: { code: 3 },
      problems: [{ code: 'record_moved', line: 2 }],
    });
    expect(await idsOf(site)).toEqual(['t-9']);
  });

  test('is sent as far as it is new, and proven and summed up as a whole', async () => {
    const { site } = await first();
    const { exit, rows, requests, control_totals: totals } = await push(site, [NEW, ...FIRST]);
    expect({ exit, rows, requests }).toMatchObject({
      exit: { code: 0 },
      rows: { read: 4, created: 4, existing: 0, sent_before: 0 },
      requests: { total: 3 },
    });
    expect(await idsOf(site)).toEqual(['t-1', 't-2', 't-3', 't-4']);
    expect(totals).toMatchObject([
      { type: 'CREDIT', count: 3, read: '80.80', accepted: '80.80' },
      { type: 'PAYMENT', count: 1, read: '20.20', accepted: '20.20' },
    ]);
    const verified = await site.cli('verify', 'transactions', 't.csv', '--ledger', site.url);
    expect(verified.exitCode).toBe(0);
    expect(verified.stdout).toContain('Everything arrived: 4 of 4 records.');
    // A third version knows what two have sent before.
    const third = await push(site, [...FIRST, NEW, 'ACME,1001,t-5,2026-02-05,CREDIT,50.50']);
    expect(third).toMatchObject({ rows: { created: 5 }, problems: [] });
  });

  test('has not changed when only its bytes have: another order, other columns, other zeros', async () => {
    const { site, run } = await first();
    site.csv(
      't.csv',
      'amount,transaction_id,import_supplier,external_account_number,transaction_date,type',
      '30.3,t-3,ACME,1001,2026-02-03,CREDIT',
      '20.2,t-2,ACME,1003,2026-02-02,PAYMENT',
      '10.10,t-1,ACME,1001,2026-02-01,CREDIT',
    );
    const second = await pushAs(site, 't.csv');
    expect(second).toMatchObject({
      exit: { code: 0 },
      rows: { created: 3 },
      requests: { total: 2 },
      problems: [],
    });
    expect(second.run).not.toBe(run);
  });

  test('corrects a wrong cell that --skip-invalid left out', async () => {
    const site = await migration(IMPORTED);
    const wrong = [FIRST[0], FIRST[1].replace('20.20', '20,20'), FIRST[2]];
    expect(await push(site, wrong)).toMatchObject({
      run: null,
      exit: { code: 3 },
      next: 'correct the invalid rows in their file, then: dataimport push transactions t.csv --json',
    });
    const part = await push(site, wrong, '--skip-invalid');
    expect(part).toMatchObject({ exit: { code: 6 }, rows: { created: 2, invalid: 1 } });
    site.csv('t.csv', HEADER, ...FIRST);
    const again = documentOf(await site.cli(...typed(part.next)));
    expect(again).toMatchObject({ exit: { code: 0 }, rows: { created: 3 } });
    expect(await idsOf(site)).toEqual(['t-1', 't-2', 't-3']);
    // Another wrong cell does not hide that the others have arrived.
    expect(await push(site, [...FIRST, NEW.replace('40.40', '40,40')])).toMatchObject({
      exit: { code: 3 },
      rows: { sent_before: 3, not_sent: 0, invalid: 1 },
      control_totals: [{ accepted: '40.40' }, { accepted: '20.20' }],
    });
  });

  test('is put back to an earlier one', async () => {
    const site = await migration(SEED);
    const earlier = await push(site, FIRST, '--on-reject', 'skip');
    expect(earlier.rows).toMatchObject({ created: 2, rejected: 1 });
    await push(site, [FIRST[0], FIRST[2], FIRST[0].replace('t-1', 't-5')], '--on-reject', 'skip');
    await site.reseed(IMPORTED);
    const back = await push(site, FIRST);
    expect(back).toMatchObject({ exit: { code: 0 }, rows: { created: 3 } });
    expect(back.problems).toMatchObject([{ code: 'record_vanished', severity: 'warning' }]);
    expect(await idsOf(site)).toEqual(['t-1', 't-2', 't-3', 't-5']);
  });
});

describe('a record that another version has otherwise', () => {
  test('is set aside by --skip-invalid and counts as invalid, and is no conflict any more once the row is as it was', async () => {
    const { site } = await first();
    const { exit, rows } = await push(site, [NEW, ...CHANGED], '--skip-invalid');
    expect({ exit, rows }).toMatchObject({
      exit: { code: 6 },
      rows: { read: 4, created: 3, invalid: 1 },
    });
    // Without --skip-invalid the changed row stays an error each time, also once all other rows have arrived.
    for (let times = 0; times < 2; times++) {
      const { exit: refused, problems } = await push(site, [NEW, ...CHANGED]);
      expect([refused.code, problems.map(({ code }) => code)]).toEqual([3, ['record_changed']]);
    }
    const back = await push(site, [...FIRST, NEW]);
    expect(back).toMatchObject({ exit: { code: 0 }, rows: { created: 4 }, problems: [] });
  });

  test.each([
    ['changed', CHANGED],
    ['moved', MOVED],
  ])('is named with both lines, and confirmed once the operator has corrected it: %s', async (kind, rows) => {
    const { site, run } = await first();
    const stopped = await push(site, [NEW, ...rows]);
    expect(stopped).toMatchObject({
      exit: { code: 3 },
      rows: { created: 2, invalid: 1, not_sent: 1 },
      problems: [
        {
          code: `record_${kind}`,
          line: 4,
          severity: 'error',
          detail: expect.stringContaining(`t.csv:3 of the reading ${run}`) as string,
        },
      ],
    });
    expect(await idsOf(site)).toHaveLength(3);
    const listed = await site.cli(...typed(stopped.next));
    const name = `unresolved-${stopped.run!}.csv`;
    expect(listed.stdout).toContain(`unresolved: 1 row in ${name}; compare the list with the platform`);
    // The list is made once, and its note says what is next.
    expect(nextOf(listed.stdout)).toBeNull();
    const list = readFileSync(join(site.cwd, name), 'utf8').trimEnd().split('\n');
    const [account, amount] = kind === 'changed' ? ['1003', '20.21'] : ['1001', '20.20'];
    expect(list).toEqual([
      'import_supplier,account,id,type,date,amount,file,line,outcome',
      `ACME,${account},t-2,PAYMENT,2026-02-02,${amount},t.csv,4,${kind}`,
    ]);
    const [, confirm] = /^ {2}(dataimport .* --arrived --by) ada$/m.exec(listed.stdout)!;
    const confirmed = await site.cli(...typed(confirm!), 'A. Lead');
    expect(confirmed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('1 row counted as arrived, confirmed by A. Lead'),
    });
    // The command that is printed sends the rest.
    const rest = await site.cli(...typed(nextOf(confirmed.stdout)), '--json');
    expect(documentOf(rest)).toMatchObject({
      exit: { code: 0 },
      rows: { read: 4, created: 3, confirmed: 1 },
      problems: [],
    });
    // What is confirmed is known to the next version, too.
    const more = await push(site, [NEW, ...rows, NEW.replace('t-4', 't-5')]);
    expect(more).toMatchObject({ exit: { code: 0 }, rows: { created: 4, confirmed: 1 }, problems: [] });
    expect((await site.cli('verify')).stdout).toContain(
      'Everything arrived: 5 of 5 records, of which 1 confirmed by hand.',
    );
  });

  test.each([
    ['100', '10', '100.0'],
    ['100', '1000', '100.00'],
    ['1000.50', '1000.05', '1000.5'],
    ['-20', '-2', '-20.00'],
  ])('has another amount than %s when it has %s, and not when it has %s', async (amount, other, same) => {
    const site = await migration(IMPORTED);
    const rowWith = (text: string) => [FIRST[0].replace('10.10', text)];
    await push(site, rowWith(amount));
    expect(await push(site, rowWith(same))).toMatchObject({ exit: { code: 0 }, problems: [] });
    expect(await push(site, rowWith(other))).toMatchObject({
      exit: { code: 3 },
      problems: [{ code: 'record_changed', line: 2 }],
    });
  });

  test('is sent when a person says that it is missing', async () => {
    const site = await migration(IMPORTED, [], true);
    await push(site, FIRST);
    await site.cli('admin', 'reset');
    const stopped = await push(site, CHANGED);
    await site.cli(...typed(stopped.next));
    const confirm = ['--rows', `unresolved-${stopped.run!}.csv`, '--missing', '--by', 'A. Lead'];
    const confirmed = await site.cli('runs', 'confirm', stopped.run!, ...confirm);
    expect(confirmed.exitCode).toBe(0);
    const again = documentOf(await site.cli(...typed(nextOf(confirmed.stdout)), '--json'));
    expect(again).toMatchObject({ exit: { code: 0 }, rows: { created: 3, invalid: 0 } });
    expect(await idsOf(site)).toEqual(['t-2']);
  });

  test('has moved to an account of another shard', async () => {
    const { site } = await first();
    // The account 1001 belongs to the second shard, and 1003 to the first.
    const second = await push(site, MOVED, '--shard', '2/2');
    expect(second).toMatchObject({ exit: { code: 3 }, problems: [{ code: 'record_moved', line: 3 }] });
    const other = await push(site, MOVED, '--shard', '1/2');
    // Its row is in the other shard, so it has not vanished.
    expect(other).toMatchObject({ exit: { code: 0 }, problems: [] });
    expect(await idsOf(site)).toHaveLength(3);
  });

  /** Confirms the rows of a push that stopped, as its messages say. */
  async function confirmed(site: Migration, { next, run }: RunDocument) {
    await site.cli(...typed(next));
    const rows = /--csv (\S+)$/.exec(next!)![1]!;
    const confirm = ['runs', 'confirm', run!, '--rows', rows, '--arrived', '--by', 'A. Lead'];
    expect((await site.cli(...confirm)).exitCode).toBe(0);
  }

  test('has not vanished from the shard of its old account once a person has confirmed it', async () => {
    const site = await migration(IMPORTED);
    for (const shard of ['1/2', '2/2']) await push(site, FIRST, '--shard', shard);
    const stopped = await push(site, MOVED, '--shard', '2/2');
    await push(site, MOVED, '--shard', '1/2');
    await confirmed(site, stopped);
    for (const shard of ['1/2', '2/2', '1/2'])
      expect(await push(site, MOVED, '--shard', shard)).toMatchObject({ exit: { code: 0 }, problems: [] });
  });

  test('is not sent to a third account, to which its row moves once a person has confirmed it', async () => {
    const third = IMPORTED.replace('accounts:', `$&\n  - ${accountOf('1002')}`);
    const site = await migration(third);
    await push(site, FIRST);
    await confirmed(site, await push(site, MOVED));
    const again = MOVED.map((row) => row.replace('1001,t-2', '1002,t-2'));
    expect(await push(site, again)).toMatchObject({
      exit: { code: 3 },
      problems: [{ code: 'record_moved' }],
    });
    expect(await idsOf(site)).toHaveLength(3);
  });
});

test.each([
  ['was on one other account, and is gone from there', ['1003'], ['1001'], 3],
  ['was on another account with other content', ['1003'], ['1001 20.21'], 0],
  ['is on another account still', ['1003'], ['1003', '1001'], 0],
  ['is in another new row, too', ['1003'], ['1001', '1002'], 0],
  ['was on two other accounts', ['1003', '1001'], ['1002'], 0],
])('a row counts as moved or as new, because its id %s', async (_, before, after, code) => {
  const site = await migration(IMPORTED.replace('accounts:', `$&\n  - ${accountOf('1002')}`));
  const rowOf = (place: string): string => {
    const [account, amount = '20.20'] = place.split(' ');
    return `ACME,${account},t-2,2026-02-02,PAYMENT,${amount}`;
  };
  expect((await push(site, before.map(rowOf))).rows.created).toBe(before.length);
  const { exit, rows, problems } = await push(site, after.map(rowOf));
  const [moved, created] = code === 0 ? [0, after.length] : [1, 0];
  expect([exit.code, rows.created, rows.invalid]).toEqual([code, created, moved]);
  expect(problems.filter((each) => each.code === 'record_moved')).toHaveLength(moved);
  const added = after.filter((place) => !before.includes(place)).length - moved;
  expect(await idsOf(site)).toHaveLength(before.length + added);
});

const accountOf = (number: string): string =>
  `{import_supplier: ACME, external_account_number: "${number}", state: imported}`;

describe('a record that no row is any more', () => {
  test('is a warning with its old line when it arrived', async () => {
    const { site, run } = await first();
    const { exit, problems } = await push(site, [FIRST[0], NEW]);
    expect(exit.code).toBe(0);
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([
      ['record_vanished', 'warning'],
      ['record_vanished', 'warning'],
    ]);
    const places = problems.map(({ detail }) => /\S+:\d+ of the reading \S+/.exec(detail)![0]).toSorted();
    expect(places).toEqual([3, 4].map((line) => `t.csv:${line} of the reading ${run}`));
  });

  test('is a warning of the file that had it', async () => {
    const site = await migration(IMPORTED);
    site.csv('a.csv', HEADER, FIRST[0]);
    site.csv('b.csv', HEADER, FIRST[1], FIRST[2]);
    const command = ['push', 'transactions', 'a.csv', 'b.csv', '--json'];
    await site.cli(...command);
    site.csv('b.csv', HEADER, FIRST[1]);
    const { problems } = documentOf(await site.cli(...command));
    expect(problems).toMatchObject([{ code: 'record_vanished', file: 'b.csv' }]);
  });

  test('is not wanted any more when it did not arrive', async () => {
    const site = await migration(SEED);
    const refused = await push(site, FIRST, '--on-reject', 'skip');
    expect(refused.rows).toMatchObject({ created: 2, rejected: 1 });
    const second = await push(site, [FIRST[0], FIRST[2]]);
    expect(second).toMatchObject({
      exit: { code: 0 },
      rows: { created: 2, rejected: 0 },
      problems: [],
    });
    // The file is the wish, so an account that is imported later changes nothing.
    await site.reseed(IMPORTED);
    expect((await site.cli('push', 'transactions', 't.csv')).exitCode).toBe(0);
    expect(await idsOf(site)).toEqual(['t-1', 't-3']);
    // Whoever wants it after all puts it back.
    expect((await push(site, FIRST)).rows).toMatchObject({ created: 3 });
    expect(await idsOf(site)).toEqual(['t-1', 't-2', 't-3']);
  });
});

describe('the choices of an earlier command', () => {
  const WRONG = NEW.replace(/,[^,]*$/, ',ten');

  /** A run that has left a wrong cell out, and was refused a row whose account was late. */
  async function left() {
    const site = await migration(SEED);
    const part = await push(site, [GOOD, REFUSED, WRONG], '--skip-invalid', '--on-reject', 'skip');
    expect(part.rows).toMatchObject({ created: 1, rejected: 1, invalid: 1 });
    await site.reseed(IMPORTED);
    return { site, run: part.run! };
  }

  test('are not those of the same command without them', async () => {
    const { site, run } = await left();
    const whole = await pushAs(site, 't.csv');
    expect(whole).toMatchObject({ run, exit: { code: 3 }, rows: { created: 1, invalid: 1 } });
    expect(whole.next).toBe(
      'correct the invalid rows in their file, then: dataimport push transactions t.csv --json',
    );
    expect((await site.cli('runs', 'show', run)).stdout).toContain(`next: ${whole.next}`);
    expect(await idsOf(site)).toHaveLength(1);
  });

  test('are those of `resume`', async () => {
    const { site, run } = await left();
    const resumed = documentOf(await site.cli('resume', '--json'));
    expect(resumed).toMatchObject({ run, exit: { code: 6 }, rows: { created: 2, invalid: 1 } });
  });
});

describe('a file under another name', () => {
  test('replaces none: nothing vanishes because July is pushed after June, and no row of a file is sent again under another name', async () => {
    const { site, run } = await first();
    site.csv('july.csv', HEADER, NEW.replace('t-4', 't-5'));
    const july = await pushAs(site, 'july.csv');
    expect(july).toMatchObject({ rows: { created: 1 }, problems: [] });
    site.csv('copy.csv', HEADER, ...FIRST);
    expect(await pushAs(site, 'copy.csv')).toMatchObject({ run, exit: { code: 0 }, rows: { created: 3 } });
    site.csv('some.csv', HEADER, NEW, FIRST[1]);
    expect((await pushAs(site, 'some.csv')).rows).toMatchObject({ created: 2 });
    expect(await idsOf(site)).toEqual(['t-1', 't-2', 't-3', 't-4', 't-5']);
  });

  test.each([
    ['both.csv', 'other.csv'],
    ['other.csv', 'both.csv'],
  ])(
    'and of another supplier does not send a row again that a file of two suppliers has: %s, then %s',
    async (...files) => {
      const seed = IMPORTED.replace('[ACME]', '[ACME, OTHER]')
        .replace('suppliers: [{', 'suppliers: [{code: OTHER, name: O, status: Ongoing}, {')
        .replace('accounts:', `$&\n  - ${accountOf('2001').replace('ACME', 'OTHER')}`);
      const site = await migration(seed);
      const [shared, alone] = [FIRST[0], NEW].map((row) => row.replace(/^ACME,\d+/, 'OTHER,2001'));
      site.csv('both.csv', HEADER, FIRST[0], shared!);
      site.csv('other.csv', HEADER, shared!, alone!);
      for (const [before, file] of files.entries())
        expect((await pushAs(site, file)).rows).toMatchObject({ created: 2 - before, sent_before: before });
      expect(await site.ledger()).toHaveLength(3);
    },
  );

  test('says that it has a record otherwise', async () => {
    const { site } = await first();
    site.csv('other.csv', HEADER, CHANGED[1]!);
    const { exit, problems } = await pushAs(site, 'other.csv');
    expect([exit.code, problems]).toMatchObject([3, [{ code: 'record_changed', file: 'other.csv' }]]);
    expect(await idsOf(site)).toHaveLength(3);
  });
});

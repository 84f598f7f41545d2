import { describe, expect, test } from 'vitest';
import type { MappingPlan } from '../../../../src/cli/mapping/mapping-plan.ts';
import type { StagedRecord, StagingRun } from '../../../../src/cli/push/ports/staging.ts';
import { valueTextOf } from '../../../../src/cli/push/stage/stage-record.ts';
import { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { failure, warning } from '../../../../src/core/problem.ts';
import { Decimal } from '../../../../src/core/values/decimal.ts';
import { UnreadableNumber } from '../../../../src/core/values/exact-json.ts';
import { csvOf, row, stagedRun, type StagedRunOptions } from '../../../support/push-staged-run.ts';

/** A run whose staging notes what it is told. */
async function staged(resource: Resource, csv: string, options: StagedRunOptions = {}) {
  const told = { ofOthers: [] as StagedRecord[], invalid: [] as unknown[], filtered: [] as unknown[] };
  const into: StagedRunOptions['into'] = (header) => {
    const run = RunFile.scratch(header);
    const staging = run.staging();
    const noting: StagingRun = {
      ...staging,
      noteOfOtherShard: (record) => void told.ofOthers.push(record),
      appendInvalid(position, amount) {
        told.invalid.push([position.firstLine, amount]);
        staging.appendInvalid(position, amount);
      },
      appendFiltered(position, cause) {
        told.filtered.push([position.firstLine, cause.kind, cause.place]);
        staging.appendFiltered(position, cause);
      },
    };
    run.staging = () => noting;
    return run;
  };
  const { run, end } = await stagedRun(resource, csv, { limits: null, into, ...options });
  return { ...told, rows: run.report().rows, problems: run.report().problems, end: end.kind };
}

const t = (account: string, id: string, cells = {}) => ({ ...row.transactions(account, id), ...cells });

describe('a row of another shard', () => {
  const CSV = csvOf([
    t('A', '1'),
    t('B', '2', { amount: '007.50' }),
    t('B', '3', { amount: 'much' }),
    t('A', '4'),
  ]);
  const inShard = (account: string): boolean => account === 'A';
  /** The account number is only known of the whole record. */
  const late = (plan: MappingPlan): MappingPlan => ({ ...plan, accountNumberIn: () => undefined });
  const FILTERED = [
    [3, 'shard', ''],
    [4, 'shard', ''],
  ];

  test('is left out without a record and counted in the checks of the mapping', async () => {
    const seen: unknown[] = [];
    const plan = (made: MappingPlan): MappingPlan => ({
      ...made,
      passOver: (rows) => void seen.push(['passed over', rows[0].firstLine]),
      candidateOf: (rows, isTrial) => {
        seen.push([rows[0].firstLine, isTrial]);
        return made.candidateOf(rows, isTrial);
      },
    });
    const { filtered, ofOthers, rows, problems } = await staged('transactions', CSV, { inShard, plan });
    expect(seen).toEqual([
      [2, undefined],
      ['passed over', 3],
      ['passed over', 4],
      [5, undefined],
    ]);
    expect([filtered, ofOthers, problems]).toEqual([FILTERED, [], []]);
    expect(rows).toMatchObject({ read: 4, not_sent: 2, filtered: 2, invalid: 0 });
  });

  test.each<readonly [string, StagedRunOptions, readonly unknown[]]>([
    [
      'at once',
      {},
      [
        [3, true],
        [4, true],
      ],
    ],
    [
      'as a record',
      { plan: late },
      [
        [3, undefined],
        [3, true],
        [4, undefined],
        [4, true],
      ],
    ],
  ])('is noted %s for the history if it is valid', async (_, options, expected) => {
    const trials: unknown[] = [];
    const plan = (made: MappingPlan): MappingPlan => {
      const base = options.plan?.(made) ?? made;
      return {
        ...base,
        candidateOf: (rows, isTrial) => {
          if ([3, 4].includes(rows[0].firstLine)) trials.push([rows[0].firstLine, isTrial]);
          return base.candidateOf(rows, isTrial);
        },
      };
    };
    const { filtered, ofOthers, problems } = await staged('transactions', CSV, {
      inShard,
      seesOtherShards: true,
      plan,
    });
    expect([filtered, problems]).toEqual([FILTERED, []]);
    expect(trials).toEqual(expected);
    expect(ofOthers).toMatchObject([
      {
        position: { source: 1, firstLine: 3 },
        account: { external_account_number: 'B' },
        id: '2',
        type: 'CHARGE',
        amount: '7.50',
        valueText: '{"transaction_id":"2","transaction_date":"2026-01-05","amount":7.5,"type":"CHARGE"}',
      },
    ]);
    expect(ofOthers[0]!.payload()).toBe(
      '{"transaction_id":"2","transaction_date":"2026-01-05","amount":7.50,"type":"CHARGE"}',
    );
  });

  test('is left out as a record, without a check, when no one looks at other shards', async () => {
    const { filtered, ofOthers, problems, rows } = await staged('transactions', CSV, { inShard, plan: late });
    expect([filtered, ofOthers, problems]).toEqual([FILTERED, [], []]);
    expect(rows).toMatchObject({ not_sent: 2, filtered: 2, invalid: 0 });
  });

  test('counts among the rows with an account number', async () => {
    // Half of the rows of this shard lack it, and a fifth of all rows.
    const rows = [
      ...['A', '', '', 'A', ''].map((account, at) => row.notes(account, String(at))),
      ...Array.from({ length: 10 }, (_, at) => row.notes('B', `b${at}`)),
    ];
    const codes = async (own: StagedRunOptions['inShard'] | undefined) =>
      new Set(
        (await staged('notes', csvOf(rows), { inShard: own ?? null })).problems.map(({ code }) => code),
      );
    expect(await codes(inShard)).toEqual(new Set(['required']));
    const some = await staged('notes', csvOf(rows.slice(0, 5)), { inShard });
    expect(some.problems.map(({ code }) => code)).toContain('account_in_first_row_only');
  });
});

describe('the amount of an invalid row', () => {
  const amountOf = async (resource: Resource, cells: object, options: StagedRunOptions = {}) =>
    (await staged(resource, csvOf([{ ...row[resource]('A', '1'), ...cells }]), options)).invalid;
  const withProblem =
    (problem: ReturnType<typeof failure>) =>
    (plan: MappingPlan): MappingPlan => ({
      ...plan,
      candidateOf: (rows) => {
        const candidate = plan.candidateOf(rows);
        return { ...candidate, problems: [...candidate.problems, { problem, cell: null }] };
      },
    });

  test.each<readonly [string, Resource, object, string | null]>([
    ['is counted when another cell is wrong', 'transactions', { type: 'FEE', amount: '010.50' }, '10.50'],
    ['is counted of statements', 'statements', { bill_period_to_date: 'x', gross_amount: '1234' }, '1234'],
    ['is none when it cannot be read', 'transactions', { amount: 'much' }, null],
    ['is none when it breaks a rule', 'transactions', { amount: '1.23456789' }, null],
    ['is none when it is missing', 'transactions', { amount: '' }, null],
    ['is none where records have none', 'payment-instructions', { vendor: '' }, null],
  ])('%s', async (_, resource, cells, expected) => {
    expect(await amountOf(resource, cells)).toEqual([[2, expected]]);
  });

  test('is counted beside a warning about it, and not beside an error', async () => {
    const wrong = { type: 'FEE' };
    const warned = withProblem(warning('leading_zeros', ['amount']));
    expect(await amountOf('transactions', wrong, { plan: warned })).toEqual([[2, '10.10']]);
    const failed = withProblem(failure('invalid', ['amount']));
    expect(await amountOf('transactions', {}, { plan: failed })).toEqual([[2, null]]);
  });
});

describe('the text by which two records are compared', () => {
  test.each<readonly [string, Resource, Readonly<Record<string, unknown>>, string]>([
    [
      'decimals without zeros at their end',
      'transactions',
      { amount: Decimal.of('10.50') },
      '{"amount":10.5}',
    ],
    [
      'instants in UTC',
      'notes',
      { created_at: '2024-01-01T01:00:00.000+01:00' },
      '{"created_at":"2024-01-01T00:00:00Z"}',
    ],
    [
      'both instants of a note',
      'notes',
      { created_at: '2024-01-01T00:00:00+00:00', unpin_at: '2024-01-02T02:00:00+02:00' },
      '{"created_at":"2024-01-01T00:00:00Z","unpin_at":"2024-01-02T00:00:00Z"}',
    ],
    [
      'days and unreadable times as they are',
      'notes',
      { created_at: 'Tuesday', unpin_at: 5 },
      '{"created_at":"Tuesday","unpin_at":5}',
    ],
    [
      'an instant in another field as it is',
      'notes',
      { body: '2024-01-01T01:00:00+01:00' },
      '{"body":"2024-01-01T01:00:00+01:00"}',
    ],
    [
      'characters that JSON escapes',
      'notes',
      { body: 'a"b\\c\nd\ud800' },
      '{"body":"a\\"b\\\\c\\nd\\ud800"}',
    ],
    [
      'lists and objects, without what is left out',
      'notes',
      { a: [1, { b: null, c: undefined }], d: undefined, e: true },
      '{"a":[1,{"b":null}],"e":true}',
    ],
    ['numbers that nobody can read', 'notes', { a: new UnreadableNumber('1e999') }, '{"a":1e999}'],
    ['no field', 'notes', {}, '{}'],
  ])('has %s', (_, resource, record, expected) => {
    expect(valueTextOf(resource, record)).toBe(expected);
  });

  test('leaves the record itself as it is', () => {
    const record = { created_at: '2024-01-01T01:00:00+01:00' };
    valueTextOf('notes', record);
    expect(record).toEqual({ created_at: '2024-01-01T01:00:00+01:00' });
  });
});

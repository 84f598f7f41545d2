import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueTextOf } from '../../../../src/cli/push/stage/stage-record.ts';
import { RecordTallies } from '../../../../src/cli/push/stage/record-tallies.ts';
import type { StagedRecord, WholeFile } from '../../../../src/cli/push/ports/staging.ts';
import { Reading } from '../../../../src/cli/journal/reading.ts';
import { Decimal } from '../../../../src/core/values/decimal.ts';
import { DESCRIPTORS, type Resource } from '../../../../src/core/contract/resources.ts';
import { TODAY } from '../../../support/push-records.ts';
import { headerOf } from '../../../support/push-staged-run.ts';

/** Texts of identifiers that are often equal, often alike, and sometimes neither. */
const identifier = fc.oneof(
  fc.integer({ min: 0, max: 999 }).map((number) => String(number).padStart(4, '0')),
  fc.constantFrom('7', '07', '007', 'A-7', 'a-7', 'A-07', 'B-7-1', 'É', 'e\u0301', 'é', '-', 'x'),
  fc.string({ minLength: 1, maxLength: 12 }),
);

const day = fc.constantFrom('2024-02-29', '2025-12-31', '1970-01-01', '1899-12-30', '0204-05-06');
const moment = fc.constantFrom('2024-02-29T10:00:00Z', '2025-12-31T23:59:59.5+01:00', '1970-01-01T00:00:00Z');
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 4 });
const decimal = (text: string): Decimal => Decimal.of(text);

const RECORDS = {
  notes: fc.record({
    body: identifier,
    created_at: maybe(moment),
    unpin_at: maybe(moment),
    is_pinned: maybe(fc.boolean()),
  }),
  transactions: fc.record({
    transaction_id: identifier,
    transaction_date: day,
    type: fc.constantFrom('CHARGE', 'CREDIT'),
    payment_type: maybe(fc.constant('DIRECT_CREDIT')),
    amount: fc.constantFrom('0.00', '-1.5', '12.34', '-0.01', '99').map(decimal),
  }),
  statements: fc.record({
    statement_id: identifier,
    bill_period_from_date: day,
    bill_period_to_date: day,
    issued_date: maybe(day),
    gross_amount: fc.constantFrom('0', '-100', '300', '12345', '999999999999999').map(decimal),
    statement_path: maybe(fc.oneof(identifier, fc.constant('a.pdf'))),
  }),
  'payment-instructions': fc.record({ reference: maybe(identifier), type: fc.constantFrom('CARD', 'DEBIT') }),
} as const satisfies Record<Resource, fc.Arbitrary<object>>;

/** Optional fields that most records have. */
const REGULAR: Readonly<Record<Resource, readonly string[]>> = {
  notes: ['created_at', 'unpin_at', 'is_pinned', 'document_paths'],
  transactions: ['payment_type', 'line_items'],
  statements: [],
  'payment-instructions': [],
};

const accounts = fc.record({
  import_supplier: fc.constantFrom('ACME', 'OTHER'),
  external_account_number: identifier,
});

/** The records of a file, as staging makes them. */
function recordsOf(resource: Resource): fc.Arbitrary<readonly (readonly [StagedRecord, object])[]> {
  const { identity, idField, typeField, amount } = DESCRIPTORS[resource];
  return fc
    .array(fc.tuple(accounts, RECORDS[resource] as fc.Arbitrary<Readonly<Record<string, unknown>>>), {
      maxLength: 8,
    })
    .map((all) =>
      all.map(([account, made], index) => {
        const record = Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined));
        const staged: StagedRecord = {
          position: {
            // Files are read one after the other.
            source: index * 2 < all.length ? 1 : 2,
            firstLine: index + 2,
            lastLine: index + 2,
            byteStart: 0,
            byteEnd: 1,
          },
          parts: [],
          account,
          payload: () => JSON.stringify(record),
          valueText: valueTextOf(resource, record),
          identity: identity(record as never),
          id: idField && ((record[idField] as string | undefined) ?? null),
          type: typeField && (record[typeField] as string),
          amount: amount && (record[amount.field] as Decimal).text,
        };
        return [staged, record] as const;
      }),
    );
}

/** All that the rules between rows ask. */
function answersOf(resource: Resource, questions: WholeFile): unknown {
  const { dates, idField, plausibility } = DESCRIPTORS[resource];
  const repetitions = questions.repetitions();
  const numbered = idField === null ? (['account'] as const) : (['account', 'id'] as const);
  return {
    harmless: repetitions.laterNotes(),
    repeated: repetitions.page(0, 100),
    colliding: [questions.collidingIds(), questions.collidingAccounts(), questions.idsOnSeveralAccounts()],
    lengths: numbered.map((field) =>
      questions
        .numberLengths(field)
        .map((each) => [
          each,
          questions.numbersBelow(field, each.shape, each.digits),
          each.zeroLed > 0 ? questions.numbersWithAndWithoutZeros(field, each.shape) : undefined,
        ]),
    ),
    dates: dates.map(({ field }) => [questions.dateGroups(field), questions.splitSeconds(field)]),
    missing: REGULAR[resource].map((field) => questions.missingValues(field)),
    paths:
      plausibility.some((check) => check === 'statement_path_shared') &&
      questions.sharedTexts('statement_path'),
    gross: resource === 'statements' && questions.grossAmounts(),
    signs: resource === 'transactions' && questions.signedAmounts(),
  };
}

test.each(['notes', 'transactions', 'statements', 'payment-instructions'] as const)(
  'counts of %s answer as the queries do, whenever they are enough',
  (resource) => {
    let enough = 0;
    fc.assert(
      fc.property(recordsOf(resource), (records) => {
        const run = Reading.scratch(
          headerOf(
            resource,
            {},
            [1, 2].map(() => ({ bytes: 1, sha256: '0'.repeat(64) })),
          ),
        );
        try {
          const staging = run.staging();
          const tallies = new RecordTallies({ resource, check: { today: TODAY } }, staging.repeatedHashes());
          for (const [staged, record] of records) {
            staging.appendRecord(staged);
            tallies.add(staged, record);
          }
          if (!tallies.areEnough()) return;
          enough++;
          expect(answersOf(resource, tallies)).toEqual(answersOf(resource, staging));
        } finally {
          run.close();
        }
      }),
      { numRuns: 40 },
    );
    expect(enough).toBeGreaterThan(20);
  },
);

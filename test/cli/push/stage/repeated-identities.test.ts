import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueTextOf } from '../../../../src/cli/push/stage/stage-record.ts';
import { RepeatedIdentities } from '../../../../src/cli/push/stage/repeated-identities.ts';
import type { StagedRecord, StagingRun } from '../../../../src/cli/push/ports/staging.ts';
import { scratchReading } from '../../../../src/cli/journal/reading.ts';
import { Decimal } from '../../../../src/core/values/decimal.ts';
import { DESCRIPTORS, type Resource } from '../../../../src/core/contract/resources.ts';
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
          valueText: () => valueTextOf(resource, record),
          identity: identity(record as never),
          id: idField && ((record[idField] as string | undefined) ?? null),
          type: typeField && (record[typeField] as string),
          amount: amount && (record[amount.field] as Decimal).text,
        };
        return [staged, record] as const;
      }),
    );
}

/** What the queries of a run file find of identifiers that repeat or are alike. */
function foundIn(resource: Resource, run: StagingRun): readonly unknown[] {
  const repetitions = run.repetitions();
  const shared = resource === 'statements' ? run.sharedTexts('statement_path') : undefined;
  const found = [
    repetitions.laterNotes(),
    run.collidingIds(),
    run.collidingAccounts(),
    run.idsOnSeveralAccounts(),
    shared,
    ...repetitions.page(0, 100),
  ];
  return found.filter((each) => each !== undefined);
}

test.each(['notes', 'transactions', 'statements', 'payment-instructions'] as const)(
  'the queries find nothing in records of %s of which nothing repeats',
  (resource) => {
    let apart = 0;
    fc.assert(
      fc.property(recordsOf(resource), (records) => {
        const run = scratchReading(
          headerOf(
            resource,
            {},
            [1, 2].map(() => ({ bytes: 1, sha256: '0'.repeat(64) })),
          ),
        );
        try {
          const staging = run.staging();
          const repeated = new RepeatedIdentities(resource, staging.repeatedHashes());
          for (const [staged, record] of records) {
            staging.appendRecord(staged);
            repeated.add(staged, record);
          }
          if (repeated.hasAny()) return;
          apart++;
          expect(foundIn(resource, staging)).toEqual([]);
        } finally {
          run.close();
        }
      }),
      { numRuns: 40 },
    );
    expect(apart).toBeGreaterThan(20);
  },
);

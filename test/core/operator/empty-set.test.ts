import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planByHeader } from '../../../src/cli/mapping/compile/plan-by-header.ts';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { narrowedDescriptors } from '../../../src/core/operator/narrow.ts';
import { readContract } from '../../../src/core/operator/contract-file.ts';
import { RULE_CODES } from '../../../src/core/error-codes/platform-codes.ts';
import { checkRecord } from '../../../src/core/rules/record.ts';
import { parseExactJson } from '../../../src/core/values/exact-json.ts';
import { OPERATOR_DOCUMENTS, operatorFile } from '../../support/operator-document.ts';
import { operatorOracle, type OperatorOracle } from '../../support/operator-oracle.ts';
import { recordsNear } from '../../support/operator-records.ts';
import { projectRoot } from '../../support/source-tree.ts';

const today = '2026-11-22';

/** Records for each resource; by hand 20,000 were tried, too. */
const RECORDS = 400;

describe.each(OPERATOR_DOCUMENTS)('%s, %s', (folder, name, contractName) => {
  const oracle = operatorOracle(folder, name);
  const contract = readContract(contractName, operatorFile(folder, contractName));
  const file = narrowedDescriptors(contract, 'file');
  const wire = narrowedDescriptors(contract, 'wire');

  test.each(RESOURCES)('no record of %s passes the check and is refused by the document', (resource) => {
    let passed = 0;
    fc.assert(
      fc.property(recordsNear(oracle, resource), (candidate) => {
        const { record } = checkRecord(resource, candidate, { today, descriptors: file });
        if (!record) return;
        passed++;
        expect(refusals(oracle, resource, record), JSON.stringify(record)).toEqual([]);
      }),
      { numRuns: RECORDS, seed: 1 },
    );
    // Otherwise the property says nothing.
    expect(passed).toBeGreaterThan(RECORDS / 20);
  });

  test.each(RESOURCES)(
    'a platform under the contract refuses of %s what the document refuses, and no more',
    (resource) => {
      fc.assert(
        fc.property(recordsNear(oracle, resource), (candidate) => {
          // The form of a request: as the file's check would send it, or as it is.
          const sent = checkRecord(resource, candidate, { today, descriptors: file }).record ?? candidate;
          const body = parseExactJson(JSON.stringify(sent));
          const refused = refusals(oracle, resource, sent);
          const { record, problems } = checkRecord(resource, body, { today, descriptors: wire });
          if (refused.length > 0) expect(record, `${JSON.stringify(sent)} ${refused.join()}`).toBeUndefined();
          else if (!record) {
            const codes = problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
            expect(
              codes.filter((code) => !mayBeStricter(code)),
              JSON.stringify(sent),
            ).toEqual([]);
          }
        }),
        { numRuns: RECORDS, seed: 2 },
      );
    },
  );

  test.each(RESOURCES)('no row of %s in the quickstart passes and is refused', (resource) => {
    const rows = parse(readFileSync(join(projectRoot, 'fixtures/quickstart', `${resource}.csv`)), {
      bom: true,
      relax_column_count: true,
    }) as string[][];
    const { plan } = planByHeader(resource, rows[0]!, 'ACME', file);
    let passed = 0;
    for (const cells of rows.slice(1)) {
      const { record: candidate } = plan.candidateOf([{ cells, firstLine: 1 } as never]);
      const { record } = checkRecord(resource, candidate, { today: '2027-12-31', descriptors: file });
      if (!record) continue;
      passed++;
      expect(refusals(oracle, resource, record), JSON.stringify(record)).toEqual([]);
    }
    expect(passed).toBeGreaterThan(20);
  });
});

test('without the narrower rules records would pass that the document refuses', () => {
  const oracle = operatorOracle('halmere', 'openapi.yaml');
  const charge = { transaction_id: 'T', transaction_date: '2026-01-01', type: 'CHARGE', amount: '1.00' };
  const { record } = checkRecord('transactions', charge, { today });
  expect(refusals(oracle, 'transactions', record!)).toEqual([
    " must have required property 'reason'",
    '/amount must be string',
  ]);
});

function refusals(oracle: OperatorOracle, resource: Resource, record: object): readonly string[] {
  return oracle.refusals(resource, JSON.parse(JSON.stringify(record)) as Record<string, unknown>);
}

/** What the interface forbids although an operator would take it, and rules between fields, which no schema can say. */
const STRICTER: ReadonlySet<string> = new Set([
  'blank',
  'invalid',
  'max_decimal_places',
  'max_whole_digits',
  'min_value',
  'null',
  'required',
]);

function mayBeStricter(code: string): boolean {
  return STRICTER.has(code) || Object.hasOwn(RULE_CODES, code);
}

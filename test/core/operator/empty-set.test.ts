import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planByHeader } from '../../../src/cli/mapping/compile/plan-by-header.ts';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { narrowedDescriptors } from '../../../src/core/operator/narrow.ts';
import { readContract } from '../../../src/core/operator/contract-file.ts';
import { checkRecord } from '../../../src/core/rules/record.ts';
import { OPERATOR_DOCUMENTS, operatorFile } from '../../support/operator-document.ts';
import type { OperatorOracle } from '../../support/operator-oracle.ts';
import { operatorJudge } from '../../support/operator-property.ts';
import { recordsNear } from '../../support/operator-records.ts';
import { projectRoot } from '../../support/source-tree.ts';

const today = '2026-11-22';

/** Records for each resource. `npm run campaign -- contract` tries 20,000. */
const RECORDS = 200;

describe.each(OPERATOR_DOCUMENTS)('%s, %s', (...document) => {
  const { oracle, judge } = operatorJudge(document, today);
  const contract = readContract(document[2], operatorFile(document[0], document[2]));
  const file = narrowedDescriptors(contract, 'file');

  test.each(RESOURCES)(
    'no record of %s passes the check and is refused by the document, and a platform refuses no more than it',
    (resource) => {
      const candidates = fc.sample(recordsNear(oracle, resource), { numRuns: RECORDS, seed: 1 });
      const judged = candidates.map((candidate) => judge(resource, candidate));
      expect(judged.flatMap(({ check }) => check)).toEqual([]);
      expect(judged.flatMap(({ serve }) => serve)).toEqual([]);
      // Otherwise the property says nothing.
      expect(judged.filter(({ isPassed }) => isPassed).length).toBeGreaterThan(RECORDS / 20);
    },
  );

  test.each(RESOURCES)('no row of %s in the quickstart passes and is refused', (resource) => {
    const rows = parse(readFileSync(join(projectRoot, 'fixtures/quickstart', `${resource}.csv`)), {
      bom: true,
      relax_column_count: true,
    }) as string[][];
    const { plan } = planByHeader(resource, rows[0]!, 'ACME', { descriptors: file });
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

function refusals(oracle: OperatorOracle, resource: Resource, record: object): readonly string[] {
  return oracle.refusals(resource, JSON.parse(JSON.stringify(record)) as Record<string, unknown>);
}

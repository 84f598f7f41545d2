import * as fc from 'fast-check';
import { RESOURCES } from '../../../src/core/contract/resources.ts';
import { OPERATOR_DOCUMENTS } from '../../support/operator-document.ts';
import { operatorJudge } from '../../support/operator-property.ts';
import { recordsNear } from '../../support/operator-records.ts';
import { violation } from '../invariants/violation.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';

const TODAY = '2026-11-22';

/**
 * Judges `count` records of each resource by each made-up operator's document, with a validator of JSON Schema, and by its
 * contract. No record may pass the check and be refused by the document.
 */
export function contractCampaign({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  for (const document of OPERATOR_DOCUMENTS) {
    const { oracle, judge } = operatorJudge(document, TODAY);
    for (const resource of RESOURCES) {
      const scenario = `${document[0]} ${document[1]} ${resource}`;
      for (const candidate of fc.sample(recordsNear(oracle, resource), { numRuns: count, seed })) {
        const { isPassed, check, serve } = judge(resource, candidate);
        counts.add('records');
        counts.add(isPassed ? 'passed' : 'refused');
        events.add(`${scenario}: ${isPassed ? 'passed' : 'refused'}`);
        for (const says of [...check, ...serve])
          violations.push({ ...violation('I17', says), scenario: `${scenario} seed ${seed}` });
      }
    }
  }
  const seconds = (performance.now() - started) / 1000;
  return Promise.resolve({
    campaign: 'contract',
    counts: counts.counts,
    events: events.counts,
    violations,
    seconds,
  });
}

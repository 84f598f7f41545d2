import type { Candidate } from '../mapping/mapping-plan.ts';
import type { StageSource } from '../push/stage-job.ts';

/** The candidate of every row of a source by itself, whatever its shard and whatever rows belong together. */
export async function* candidatesIn({ items, mapping }: StageSource): AsyncGenerator<Candidate> {
  let plan: ReturnType<typeof mapping>['plan'] | undefined;
  for await (const list of items)
    for (const item of list) {
      if (item.kind === 'header') ({ plan } = mapping(item.names, item.elements));
      if (item.kind === 'row' && plan) yield plan.candidateOf([item.row], true);
    }
}

import type { StageSource } from '../push/stage-job.ts';
import type { RunSources } from './sources.ts';

/** Rows that are looked through for a supplier. Another row without one is invalid. */
const MOST_ROWS = 1_000;

/** The import supplier of the first row that has one; empty when none of the first rows has one. The files are read from their beginning for it. */
export async function firstSupplier(sources: Pick<RunSources, 'jobAgain'>): Promise<string> {
  for (const source of (await sources.jobAgain()).sources) {
    const found = await supplierIn(source);
    if (found !== undefined) return found;
  }
  return '';
}

async function supplierIn({ items, mapping }: StageSource): Promise<string | undefined> {
  let plan: ReturnType<StageSource['mapping']>['plan'] | undefined;
  let rows = 0;
  for await (const list of items)
    for (const item of list) {
      if (item.kind === 'header') ({ plan } = mapping(item.names, item.elements));
      if (item.kind !== 'row' || !plan) continue;
      const supplier = plan.candidateOf([item.row], true).account.import_supplier;
      if (typeof supplier === 'string' && supplier !== '') return supplier;
      if (++rows >= MOST_ROWS) return undefined;
    }
  return undefined;
}

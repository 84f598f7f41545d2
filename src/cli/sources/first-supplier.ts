import { candidatesIn } from './candidates.ts';
import type { RunSources } from './sources.ts';

/** Rows that are looked through for a supplier. Another row without one is invalid. */
const MOST_ROWS = 1_000;

/** The import supplier of the first row that has one; empty when none of the first rows has one. The files are read from their beginning for it. */
export async function firstSupplier(sources: Pick<RunSources, 'jobAgain'>): Promise<string> {
  for (const source of (await sources.jobAgain()).sources) {
    let rows = 0;
    for await (const { account } of candidatesIn(source)) {
      const supplier = account.import_supplier;
      if (typeof supplier === 'string' && supplier !== '') return supplier;
      if (++rows >= MOST_ROWS) break;
    }
  }
  return '';
}

import { warning } from '../../../core/problem.ts';
import { NO_CELL } from '../column-map.ts';
import type { CellProblem, RecordRows } from '../mapping-plan.ts';
import { MOST_ORPHANS } from './field-steps.ts';
import type { LookupOrphans } from './level.ts';

/** Texts of a lookup that a message lists. */
const SHOWN_ORPHANS = 20;

/** Counts the texts that the lookup tables of a mapping do not have. */
export function* orphanWarnings(
  orphans: readonly LookupOrphans[],
  showValues: boolean,
): Generator<CellProblem> {
  for (const { path, column, texts, rows } of orphans) {
    if (rows === 0) continue;
    const shown = [...texts].slice(0, SHOWN_ORPHANS).map(([text, count]) => `\`${text}\` (${count})`);
    const facts = {
      different: `${texts.size}${texts.size >= MOST_ORPHANS ? ' or more' : ''}`,
      count: rows,
      values: showValues ? `: ${shown.join(', ')}${texts.size > shown.length ? ' …' : ''}` : '',
    };
    const cell = column && { ...NO_CELL, column: column.index + 1, header: column.header };
    yield { problem: warning('lookup_orphans', path, facts), cell: cell ?? NO_CELL };
  }
}

/** Oddities of the rows of the records of a file. They are known once all rows were seen. */
export type RowOddities = { see(rows: RecordRows): void; warnings(): Iterable<CellProblem> };

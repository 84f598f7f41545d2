import { warning } from '../../../core/problem.ts';
import { NO_CELL } from '../column-map.ts';
import type { CellProblem, RecordRows } from '../mapping-plan.ts';
import { MOST_ORPHANS } from './field-steps.ts';
import { countLine, type LineTally, type LookupOrphans } from './level.ts';

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
    const different = `${texts.size}${texts.size >= MOST_ORPHANS ? ' or more' : ''}`;
    const values = showValues ? `: ${shown.join(', ')}${texts.size > shown.length ? ' …' : ''}` : '';
    const facts = {
      what: `texts that are not in the lookup table: ${different}, in so many rows: ${rows}${values}`,
      todo: 'Add them to the table, or check that it belongs to this file. --show-values lists them.',
    };
    const cell = column && { ...NO_CELL, column: column.index + 1, header: column.header };
    yield { problem: warning('lookup_missing', path, facts), cell: cell ?? NO_CELL };
  }
}

/** Rows of a record that are equal in every cell, as a join makes them that finds a row twice. */
export function equalRows(): RowOddities {
  const found = new Map<string, LineTally>();
  return {
    see(rows) {
      if (rows.length > 1 && new Set(rows.map(({ cells }) => cells.join('\0'))).size < rows.length)
        countLine(found, '', rows[0].firstLine);
    },
    *warnings() {
      for (const { count, line } of found.values())
        yield { problem: warning('rows_equal_in_record', [], { count }), cell: { ...NO_CELL, line } };
    },
  };
}

/** Oddities of the rows of the records of a file. They are known once all rows were seen. */
export type RowOddities = { see(rows: RecordRows): void; warnings(): Iterable<CellProblem> };

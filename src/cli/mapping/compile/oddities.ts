import { warning } from '../../../core/problem.ts';
import { NO_CELL } from '../column-map.ts';
import type { CellProblem, RecordRows } from '../mapping-plan.ts';
import type { MappingDocument } from '../language/mapping.ts';
import type { Columns } from './columns.ts';
import type { SourceSpec } from '../language/source.ts';
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
    const facts = {
      different: `${texts.size}${texts.size >= MOST_ORPHANS ? ' or more' : ''}`,
      count: rows,
      values: showValues ? `: ${shown.join(', ')}${texts.size > shown.length ? ' …' : ''}` : '',
    };
    const cell = column && { ...NO_CELL, column: column.index + 1, header: column.header };
    yield { problem: warning('lookup_orphans', path, facts), cell: cell ?? NO_CELL };
  }
}

/** Characters of rows that `source.fixed` skips. They may be a part of the value beside them. */
export function fixedGaps({ fixed = [] }: SourceSpec): RowOddities {
  const found = new Map<number, LineTally>();
  return {
    see(rows) {
      for (const { filledGaps, firstLine } of rows)
        for (const place of filledGaps ?? []) countLine(found, place, firstLine);
    },
    *warnings() {
      for (const [place, { count, line }] of found) {
        const from = fixed.slice(0, place).reduce((sum, { width, skip }) => sum + (width ?? skip!), 1);
        const to = from + fixed[place]!.skip! - 1;
        yield {
          problem: warning('skipped_place_filled', [], { from, to, count }),
          cell: { ...NO_CELL, line },
        };
      }
    },
  };
}

/** Oddities of the rows of the records of a file. They are known once all rows were seen. */
export type RowOddities = { see(rows: RecordRows): void; warnings(): Iterable<CellProblem> };

/** Columns without a name, such as a spreadsheet leaves at the end. They are odd only when a row has something in them. */
export function blankColumns({ names }: Columns, { ignore = [] }: MappingDocument): RowOddities {
  const isIgnored = ignore === 'all' || ignore.includes('');
  const blank = names.flatMap((name, index) => (name.trim() === '' && !isIgnored ? [index] : []));
  const found = new Map<number, number>();
  return {
    see(rows) {
      for (const index of blank) {
        if (found.has(index)) continue;
        const row = rows.find(({ cells }) => (cells[index] ?? '').trim() !== '');
        if (row) found.set(index, row.firstLine);
      }
    },
    *warnings() {
      for (const [index, line] of found)
        yield {
          problem: warning('column_unused', []),
          cell: { ...NO_CELL, line, column: index + 1, header: names[index]! },
        };
    },
  };
}

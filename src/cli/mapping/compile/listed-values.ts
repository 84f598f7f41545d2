import { warning, type Path, type Problem } from '../../../core/problem.ts';
import { LOST_VALUE } from '../../csv/lost-values.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { NO_CELL } from '../column-map.ts';
import { conditionLists, type ConditionList } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import type { CellProblem } from '../mapping-plan.ts';
import { boundColumn, sourceCell, type Level } from './level.ts';
import { countNear, nearTexts, type NearTally } from './near-values.ts';

/** Fewer rows than this need not have every text that a condition lists. */
const LEAST = 20;

interface ListedText {
  readonly path: Path;
  readonly list: ConditionList;
  /** How many rows have it in the column. */
  count: number;
}

/** The texts that the conditions of a mapping list for one column, each with its first place. */
type ListedColumn = Map<string, ListedText>;

/** The texts that conditions list, and which of them the files of a mapping have. */
export class ListedValues {
  private readonly columns = new Map<string, ListedColumn>();
  private readonly mapping: Mapping;
  private rows = 0;

  constructor(mapping: Mapping) {
    this.mapping = mapping;
    for (const list of conditionLists(mapping.document)) {
      // Conditions on the rows of a second file, or on objects of a list, are about other columns of such names.
      if (list.path.includes('join') || list.path.includes('each')) continue;
      list.list.forEach(({ column, in: wanted, not_in: unwanted }, at) => {
        if (column === undefined) return;
        const listed: ListedColumn = this.columns.get(column) ?? new Map();
        this.columns.set(column, listed);
        (wanted ?? unwanted ?? []).forEach((text, index) => {
          const path = [...list.path, at, wanted ? 'in' : 'not_in', index];
          if (!listed.has(text)) listed.set(text, { path, list, count: 0 });
        });
      });
    }
  }

  /** The rows of one file, whether or not the filter leaves them out. */
  of(level: Level): ListedValuesOfFile {
    const readers = [...this.columns].flatMap(([name, listed]) => {
      if (listed.size === 0 || !level.columns.names.includes(name)) return [];
      const column = boundColumn(level, name);
      // Null: what a spreadsheet shows for a lost value.
      const near = new Map<string | null, NearTally>();
      return [{ column, listed, near, read: sourceCell(level, column), nearTo: nearTexts(listed) }];
    });
    return {
      see: (row, isLeftOut) => {
        this.rows++;
        for (const { read, listed, near, nearTo } of readers) {
          const text = read(row.cells);
          if (text === undefined) continue;
          const known = listed.get(text);
          const meant = known ? undefined : LOST_VALUE.test(text) ? null : nearTo(text);
          if (known) known.count++;
          else if (meant !== undefined) countNear(near, meant, { text, line: row.firstLine, isLeftOut });
        }
      },
      warnings: (showValues) =>
        readers.flatMap(({ column: { index, header }, listed, near }) =>
          [...near].map(([meant, tally]) => ({
            problem: this.problemOf(meant, listed, { tally, showValues }),
            cell: { ...NO_CELL, line: tally.line, column: index + 1, header },
          })),
        ),
    };
  }

  private problemOf(
    meant: string | null,
    listed: ListedColumn,
    { tally: { count, leftOut, text }, showValues }: { tally: NearTally; showValues: boolean },
  ): Problem {
    const left_out = leftOut === 0 ? '' : `; the filter leaves out ${leftOut} of them`;
    if (meant === null) return warning('condition_value_unclear', [], { count, left_out });
    const { file, line, column } = this.mapping.positionOf(listed.get(meant)!.path);
    return warning('value_nearly_listed', [], {
      count,
      left_out,
      place: `${file}:${line}:${column}`,
      values: showValues ? `: \`${text}\` for \`${meant}\`` : '',
    });
  }

  /** Texts that no row has. `isReported`: nothing more needs to be said about a list of conditions. */
  *missing(isReported: (list: ConditionList) => boolean): Generator<CellProblem> {
    if (this.rows < LEAST) return;
    for (const [header, listed] of this.columns)
      for (const [text, { path, list, count }] of listed) {
        if (count > 0 || isReported(list)) continue;
        const { file, line, column } = this.mapping.positionOf(path);
        yield {
          problem: warning('condition_doubtful', [], {
            found: `lists \`${text}\`, which no row has in \`${header}\``,
            count: this.rows,
          }),
          cell: { file, line, column, header },
        };
      }
  }
}

interface ListedValuesOfFile {
  see(row: SourceRow, isLeftOut: boolean): void;
  /** Values that differ from a listed text only in spelling. */
  warnings(showValues: boolean): readonly CellProblem[];
}

import { warning, type Path, type Problem } from '../../../core/problem.ts';
import { LOST_VALUE } from '../../csv/lost-values.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { NO_CELL, type RecordCell } from '../column-map.ts';
import type { ConditionSpec } from '../language/conditions.ts';
import { conditionLists, type ConditionList } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import type { CellProblem } from '../mapping-plan.ts';
import type { CellText } from './columns.ts';
import { boundColumn, sourceCell, type Level } from './level.ts';
import { countNear, nearTexts, type NearTally } from './near-values.ts';
import { lineOf, type Scope } from './scope.ts';

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

/** A column of a file, or of the objects of a list, whose cells are compared with listed texts. */
interface ComparedColumn {
  readonly cell: RecordCell;
  readonly read: CellText;
  readonly listed: ListedColumn;
  readonly nearTo: (text: string) => string | undefined;
  /** By the text that was meant; null for what a spreadsheet shows for a lost value. */
  readonly near: Map<string | null, NearTally>;
}

/** The texts that conditions list, and which of them the files of a mapping have. */
export class ListedValues {
  private readonly lists: readonly ConditionList[];
  private readonly columns = new Map<string, ListedColumn>();
  private readonly mapping: Mapping;
  private rows = 0;

  constructor(mapping: Mapping) {
    this.mapping = mapping;
    this.lists = conditionLists(mapping.document);
    for (const list of this.lists)
      // Conditions on the rows of a second file, or on objects of a list, are about other columns of such names.
      if (!list.path.includes('join') && !list.path.includes('each')) addListed(this.columns, list);
  }

  /** The cells of one file. `level`: of its rows. */
  of(level: Pick<Level, 'columns' | 'source' | 'use'>): ListedValuesOfFile {
    const { names } = level.columns;
    const ofRows = comparedColumns(
      [...this.columns].filter(([name]) => names.includes(name)),
      level,
    );
    const ofItems: ComparedColumn[] = [];
    return {
      see: (row, isLeftOut) => {
        this.rows++;
        for (const column of ofRows) compare(column, row.cells, { line: row.firstLine, isLeftOut });
      },
      watchItems: (conditions, { columns, source, use }) => {
        const list = this.lists.find((each) => each.list === conditions);
        if (!list || (columns.file === null && columns.list === null)) return undefined;
        const watched = comparedColumns(addListed(new Map(), list), { columns, source, use });
        ofItems.push(...watched);
        return (scope) => {
          for (const column of watched)
            compare(column, scope.cells, { line: lineOf(scope), isLeftOut: false });
        };
      },
      warnings: (showValues) =>
        [...ofRows, ...ofItems].flatMap(({ cell, listed, near }) =>
          [...near].map(([meant, tally]) => ({
            problem: this.problemOf(meant, listed, { tally, showValues }),
            cell: { ...cell, line: tally.line },
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
  /** Looks at the cells that the conditions on items look at; undefined for conditions on the rows of the file itself. */
  watchItems(list: readonly ConditionSpec[], level: Level): ((scope: Scope) => void) | undefined;
  /** Values that differ from a listed text only in spelling, and lost values. */
  warnings(showValues: boolean): readonly CellProblem[];
}

/** Adds the texts of a list of conditions by their columns. */
function addListed(columns: Map<string, ListedColumn>, list: ConditionList): Map<string, ListedColumn> {
  list.list.forEach(({ column, in: wanted, not_in: unwanted }, at) => {
    const texts = wanted ?? unwanted ?? [];
    if (column === undefined || texts.length === 0) return;
    const listed: ListedColumn = columns.get(column) ?? new Map();
    columns.set(column, listed);
    texts.forEach((text, index) => {
      const path = [...list.path, at, wanted ? 'in' : 'not_in', index];
      if (!listed.has(text)) listed.set(text, { path, list, count: 0 });
    });
  });
  return columns;
}

function comparedColumns(
  columns: Iterable<readonly [string, ListedColumn]>,
  level: Pick<Level, 'columns' | 'source' | 'use'>,
): readonly ComparedColumn[] {
  return [...columns].map(([name, listed]) => {
    const column = boundColumn(level, name);
    const cell = { ...NO_CELL, file: level.columns.file, column: column.index + 1, header: column.header };
    return { cell, read: sourceCell(level, column), listed, nearTo: nearTexts(listed), near: new Map() };
  });
}

function compare(
  { read, listed, near, nearTo }: ComparedColumn,
  cells: readonly string[],
  place: { readonly line: number; readonly isLeftOut: boolean },
): void {
  const text = read(cells);
  if (text === undefined) return;
  const known = listed.get(text);
  const meant = known ? undefined : LOST_VALUE.test(text) ? null : nearTo(text);
  if (known) known.count++;
  else if (meant !== undefined) countNear(near, meant, { text, ...place });
}

import { warning, type Path } from '../../../core/problem.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { NO_CELL } from '../column-map.ts';
import { conditionLists, type ConditionList } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import type { CellProblem } from '../mapping-plan.ts';
import { boundColumn, sourceCell, type Level } from './level.ts';
import { allowedTexts, countNear, spelling, SPELLING, unlistedTexts, type NearTally } from './near-values.ts';
import { LISTED, leftOutFact, unclearValues } from './unclear-values.ts';

/** Fewer rows than this need not have every text that a condition lists. */
const LEAST = 20;

/** Different texts of a column that are remembered, so that memory stays bounded. */
const MOST_TEXTS = 1_000;

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
      return [{ column, listed, read: sourceCell(level, column), nearTo: nearTexts(listed) }];
    });
    const near = readers.map(() => new Map<string, NearTally>());
    const others = readers.map(({ column }) =>
      unlistedTexts(allowedTexts(this.mapping.document, column.header)),
    );
    const unclear = unclearValues(this.mapping);
    return {
      see: (row, isLeftOut) => {
        this.rows++;
        readers.forEach(({ column, read, listed, nearTo }, at) => {
          const text = read(row.cells);
          const known = listed.get(text ?? '');
          if (known) known.count++;
          const meant = known || text === undefined ? undefined : nearTo(text);
          if (meant !== undefined)
            countNear(near[at]!, meant, { text: text!, line: row.firstLine, isLeftOut });
          else {
            if (!known && text !== undefined) others[at]!.see({ text, line: row.firstLine, isLeftOut });
            unclear.see(column, known ? LISTED : text, { line: row.firstLine, isLeftOut });
          }
        });
      },
      warnings: (showValues) => [
        ...readers.flatMap(({ column: { index, header }, listed }, at) => {
          const problemOf = (meant: string, difference: string, tally: NearTally): CellProblem => {
            const { count, leftOut, line, text } = tally;
            const { file, line: mapLine, column } = this.mapping.positionOf(listed.get(meant)!.path);
            const facts = {
              difference,
              count,
              left_out: leftOutFact(leftOut),
              place: `${file}:${mapLine}:${column}`,
              values: showValues ? `: \`${text}\` for \`${meant}\`` : '',
            };
            return {
              problem: warning('value_nearly_listed', [], facts),
              cell: { ...NO_CELL, line, column: index + 1, header },
            };
          };
          return [
            ...[...near[at]!].map(([meant, tally]) => problemOf(meant, SPELLING, tally)),
            ...others[at]!.mistyped(listed, this.rows).map(([meant, tally]) =>
              problemOf(meant, 'one letter', tally),
            ),
          ];
        }),
        ...unclear.warnings(),
      ],
    };
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
  /** Values that differ from a listed text only in spelling, or by one typing error. */
  warnings(showValues: boolean): readonly CellProblem[];
}

/** Finds the listed text that a text of the file differs from only in spelling; undefined when there is none. */
export function nearTexts(listed: ReadonlyMap<string, unknown>): (text: string) => string | undefined {
  // Most files need none of them, and a table may have a million texts.
  let bySpelling: ReadonlyMap<string, string> | undefined;
  const known = new Map<string, string | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    bySpelling ??= new Map([...listed.keys()].map((each) => [spelling(each), each]));
    const meant = bySpelling.get(spelling(text));
    if (known.size < MOST_TEXTS) known.set(text, meant);
    return meant;
  };
}

import { warning } from '../../../core/problem.ts';
import type { ConditionSpec } from '../language/conditions.ts';
import { conditionLists } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import type { CellProblem } from '../mapping-plan.ts';
import { boundColumn, countLine, sourceCell, type Level, type LineTally } from './level.ts';
import { nearTexts } from './near-values.ts';
import { lineOf, type Scope } from './scope.ts';

/** Values of one column of a second file, or of the objects of a list, that are nearly a listed text. */
interface NearValues {
  readonly cell: { readonly file: string | null; readonly column: number; readonly header: string };
  readonly place: string;
  readonly counts: Map<string, LineTally>;
}

/** Looks for texts that conditions inside of `join` and `each` list, in the cells that these conditions look at. */
export class ListedInItems {
  private readonly mapping: Mapping;
  private readonly found: NearValues[] = [];

  constructor(mapping: Mapping) {
    this.mapping = mapping;
  }

  /** Looks at the cells of a list of conditions; undefined for conditions on the rows of the file itself. */
  watch(list: readonly ConditionSpec[], level: Level): ((scope: Scope) => void) | undefined {
    if (level.columns.file === null && level.columns.list === null) return undefined;
    const known = conditionLists(this.mapping.document).find((each) => each.list === list);
    const watched = list.flatMap(({ column, in: wanted, not_in: unwanted }, at) => {
      const texts = wanted ?? unwanted;
      if (column === undefined || texts === undefined || !known) return [];
      const bound = boundColumn(level, column);
      const position = this.mapping.positionOf([...known.path, at]);
      const near: NearValues = {
        cell: { file: level.columns.file, column: bound.index + 1, header: bound.header },
        place: `${position.file}:${position.line}:${position.column}`,
        counts: new Map(),
      };
      this.found.push(near);
      const listed = new Map(texts.map((text) => [text, true]));
      return [{ read: sourceCell(level, bound), listed, nearTo: nearTexts(listed), near }];
    });
    if (watched.length === 0) return undefined;
    return (scope) => {
      for (const { read, listed, nearTo, near } of watched) {
        const text = read(scope.cells);
        if (text === undefined || listed.has(text) || nearTo(text) === undefined) continue;
        countLine(near.counts, text, lineOf(scope));
      }
    };
  }

  *warnings(showValues: boolean): Generator<CellProblem> {
    for (const { cell, place, counts } of this.found)
      for (const [text, { count, line }] of counts) {
        const facts = {
          count,
          place,
          left_out: '',
          values: showValues ? `: \`${text}\`` : '',
        };
        yield { problem: warning('value_nearly_listed', [], facts), cell: { ...cell, line } };
      }
  }
}

import { sum, type Decimal } from '../../core/values/decimal.ts';
import {
  UNREADABLE,
  type CompiledField,
  type MakeValue,
  type ReadText,
  type RunSteps,
} from './compiled-field.ts';
import type { Scope } from './scope.ts';

/** What is added up: the cells of one row, and the number that they come to. */
interface RowAmount {
  readonly readers: readonly ReadText[];
  readonly amount: MakeValue;
  /** The steps that the sum takes. */
  readonly finish: RunSteps<Decimal>;
}

/** The exact sum over the rows of a record; rows without a value count as nothing, and when none has one there is none. */
export function rowSum({ readers, amount, finish }: RowAmount): CompiledField {
  return {
    readers: readers.map((read) => (scope) => firstText(read, rowsOf(scope))),
    make(scope) {
      const amounts = rowsOf(scope).flatMap((row) => amount(row) ?? []);
      if (amounts.includes(UNREADABLE)) return UNREADABLE;
      return amounts.length === 0 ? undefined : finish(sum(amounts as Decimal[]), scope);
    },
  };
}

/** The scope as it looks from each row of the record. */
function rowsOf(scope: Scope): readonly Scope[] {
  const [first, ...later] = scope.record.rows;
  return [
    { ...scope, cells: first.cells },
    ...later.map(({ cells, firstLine }) => ({ ...scope, cells, line: firstLine })),
  ];
}

function firstText(read: ReadText, scopes: readonly Scope[]): string | undefined {
  for (const scope of scopes) {
    const text = read(scope);
    if (text !== undefined) return text;
  }
  return undefined;
}

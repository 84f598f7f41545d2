import type { ColumnProfile, NumberMarks } from '../column/profiled-column.ts';
import { decided, open, valuesOf, type Draft, type NumberKeys } from './draft.ts';
import { shownName } from './draft-text.ts';

/** How a column writes its numbers. `plain`: whole numbers without marks. `unfit`: not all values are numbers. */
export type NumberDraft =
  | Draft<NumberKeys>
  | { readonly kind: 'plain' }
  | { readonly kind: 'unfit'; readonly because: string };

/** Values that must point to one decimal mark. A single value may be a typo. */
const ENOUGH = 2;

export function numberDraft(column: ColumnProfile): NumberDraft {
  const values = valuesOf(column);
  const { numbers } = column;
  const name = shownName(column.name);
  if (!numbers || numbers.count < values) {
    return {
      kind: 'unfit',
      because: `only ${numbers?.count ?? 0} of ${values} values of ${name} are numbers`,
    };
  }
  if (values < ENOUGH) return { kind: 'unfit', because: `${name} has ${values} values, too few to tell` };
  if (numbers.integers === numbers.count) return { kind: 'plain' };
  const complete = numbers.marks.filter(({ fits }) => fits === numbers.count);
  const choices = (complete.length > 0 ? complete : numbers.marks).map(keysOf);
  if (complete.length === 0)
    return open(choices, `no way to read numbers fits all ${values} values of ${name}`);
  if (new Set(complete.map(({ decimalMark }) => decimalMark)).size > 1)
    return open(
      choices,
      `what is the decimal mark in ${name}? No value decides it: all ${values} can be read with either`,
    );
  if (numbers.deciding < ENOUGH)
    return open(choices, `only one of ${values} values of ${name} decides its decimal mark`);
  const because = `all ${values} values of ${name} are read by it, and ${numbers.deciding} allow no other decimal mark`;
  return decided(choices[0]!, because);
}

function keysOf({ decimalMark, thousandsMark }: NumberMarks): NumberKeys {
  return { decimal_mark: decimalMark, ...(thousandsMark === null ? {} : { thousands_mark: thousandsMark }) };
}

/** Columns with numbers only, of which some have decimals or a sign. Such columns are amounts, not ids. */
export function amountColumns(columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  return columns.filter((column) => {
    const { numbers } = column;
    if (!numbers || numbers.count < valuesOf(column)) return false;
    return numbers.integers < numbers.count || numbers.signs.some(({ sign }) => sign !== 'none');
  });
}

/** The marks that all columns with decimals share; if these differ, the marks that the mapped columns share; else none. */
export function commonNumbers(
  columns: readonly ColumnProfile[],
  mapped: readonly ColumnProfile[],
): NumberKeys {
  const shared = sharedNumbers(columns) ?? sharedNumbers(mapped) ?? {};
  return shared.decimal_mark === '.' && shared.thousands_mark === undefined ? {} : shared;
}

function sharedNumbers(columns: readonly ColumnProfile[]): NumberKeys | undefined {
  const decided = columns
    .filter(({ numbers }) => numbers !== null && numbers.integers < numbers.count)
    .map(numberDraft)
    .flatMap((draft) => (draft.kind === 'decided' ? [draft.value] : []));
  const [first] = decided.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
  const isShared = decided.every(
    (keys) =>
      keys.decimal_mark === first!.decimal_mark &&
      (keys.thousands_mark === undefined || keys.thousands_mark === first!.thousands_mark),
  );
  return isShared ? first : undefined;
}

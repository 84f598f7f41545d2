import type { ColumnProfile } from '../column/column-profile.ts';
import type { NumberMarks } from '../column/numbers.ts';
import { decided, open, valuesOf, type Draft, type NumberKeys } from './draft.ts';
import { shownName } from './draft-text.ts';

/** How a column writes its numbers. `plain`: whole numbers without marks. `unfit`: not all values are numbers. */
export type NumberDraft =
  | Draft<NumberKeys>
  | { readonly kind: 'plain'; readonly value: NumberKeys; readonly because: string }
  | { readonly kind: 'unfit'; readonly because: string };

/** Values that must point to one decimal mark. A single value may be a typo. */
const ENOUGH = 2;

export function numberDraft(column: ColumnProfile): NumberDraft {
  const values = valuesOf(column);
  const { numbers } = column;
  const name = shownName(column.name);
  const unfit = (because: string): NumberDraft => ({ kind: 'unfit', because });
  if (!numbers || numbers.count < values)
    return unfit(`only ${numbers?.count ?? 0} of ${values} values of ${name} are numbers`);
  if (values < ENOUGH) return unfit(`${name} has ${values} values, too few to tell`);
  const { marks, count, deciding } = numbers;
  const replace: NumberKeys = numbers.replace.length === 0 ? {} : { replace: numbers.replace };
  const complete = marks.filter(({ fits }) => fits === count);
  const choices = (complete.length > 0 ? complete : marks).map((each) => ({ ...keysOf(each), ...replace }));
  if (numbers.integers === count)
    return { kind: 'plain', value: replace, because: `all ${values} values of ${name} are whole numbers` };
  if (complete.length === 0)
    return open(choices, `no way to read numbers fits all ${values} values of ${name}`);
  if (new Set(complete.map(({ decimalMark }) => decimalMark)).size > 1)
    return open(
      choices,
      `what is the decimal mark in ${name}? No value decides it: all ${values} can be read with either`,
    );
  if (deciding < ENOUGH)
    return open(choices, `only one of ${values} values of ${name} decides its decimal mark`);
  const because = `all ${values} values of ${name} are read by it, and ${deciding} allow no other decimal mark`;
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
  const { replace: _, ...shared } = sharedNumbers(columns) ?? sharedNumbers(mapped) ?? {};
  return shared.decimal_mark === '.' && shared.thousands_mark === undefined ? {} : shared;
}

function sharedNumbers(columns: readonly ColumnProfile[]): NumberKeys | undefined {
  const found = columns
    .filter(({ numbers }) => numbers !== null && numbers.integers < numbers.count)
    .map(numberDraft)
    .flatMap((draft) => (draft.kind === 'decided' ? [draft.value] : []));
  const [first] = found.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
  return found.every((keys) => isReadBy(keys, first!)) ? first : undefined;
}

/** Whether declared marks read the numbers of a column. A declared mark for thousands need not occur. */
export function isReadBy(own: NumberKeys, declared: NumberKeys): boolean {
  return (
    (own.decimal_mark ?? '.') === (declared.decimal_mark ?? '.') &&
    (own.thousands_mark === undefined || own.thousands_mark === declared.thousands_mark)
  );
}

import type { ColumnProfile } from '../column/column-profile.ts';
import type { NumberMarks } from '../column/numbers.ts';
import { decided, open, valuesOf, type Draft, type NumberKeys } from './draft.ts';
import { flowYaml, shownName } from './draft-text.ts';

/** Values that must point to one decimal mark. A single value may be a typo. */
const ENOUGH = 2;

/** How a column writes its numbers. Whole numbers without marks need no key. */
export function numberDraft(column: ColumnProfile): Draft<NumberKeys> {
  const values = valuesOf(column);
  const { numbers } = column;
  const name = shownName(column.name);
  if (!numbers || numbers.count < values)
    return open(
      [{}],
      `is ${name} a column of amounts? Only ${numbers?.count ?? 0} of its ${values} values are numbers`,
    );
  if (values < ENOUGH)
    return open([{}], `is ${name} a column of amounts? Its ${values} values are too few to tell`);
  const { marks, count, deciding, integers } = numbers;
  const replace: NumberKeys = numbers.replace.length === 0 ? {} : { replace: numbers.replace };
  if (integers === count) return decided(replace, `all ${values} values of ${name} are whole numbers`);
  const complete = marks.filter(({ fits }) => fits === count);
  const choices = (complete.length > 0 ? complete : marks).map((each) => ({ ...each.marks, ...replace }));
  if (complete.length === 0)
    return open(choices, `no way to read numbers fits all ${values} values of ${name}`);
  if (new Set(choices.map((each) => each.decimal_mark)).size > 1)
    return open(
      choices,
      `what is the decimal mark in ${name}? No value decides it: all ${values} can be read with either`,
    );
  if (deciding < ENOUGH)
    return open(choices, `only one of ${values} values of ${name} decides its decimal mark`);
  const { marks: best } = complete[0]!;
  const because = `${flowYaml(best)} reads all ${values} values of ${name}, and ${deciding} allow no other decimal mark`;
  return decided(choices[0]!, because);
}

/** Columns with numbers only, of which some have decimals or a sign. Such columns are amounts, not ids. */
export function amountColumns(columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  return columns.filter((column) => {
    const { numbers } = column;
    if (!numbers || numbers.count < valuesOf(column)) return false;
    return numbers.integers < numbers.count || numbers.signs.length > 0;
  });
}

/** The marks that all columns with decimals share; if these differ, the marks that the mapped columns share; else none. */
export function commonNumbers(
  columns: readonly ColumnProfile[],
  mapped: readonly ColumnProfile[],
): Partial<NumberMarks> {
  const shared = sharedMarks(columns) ?? sharedMarks(mapped) ?? {};
  return shared.decimal_mark === '.' && shared.thousands_mark === undefined ? {} : shared;
}

/** The marks that read the numbers of all columns whose marks are decided; undefined when there are none. */
export function sharedMarks(columns: readonly ColumnProfile[]): Partial<NumberMarks> | undefined {
  const found = columns
    .filter((column) => column.numbers && !numberDraft(column).isOpen)
    .flatMap(({ numbers }) => numbers!.marks.slice(0, 1).map(({ marks }) => marks));
  const [first] = found.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
  return found.every((marks) => isReadBy(marks, first!)) ? first : undefined;
}

/** Whether declared marks read the numbers of a column, which may have none. A declared mark for thousands need not occur. */
export function isReadBy(own: Partial<NumberMarks>, declared: Partial<NumberMarks>): boolean {
  return (
    (own.decimal_mark === undefined || own.decimal_mark === (declared.decimal_mark ?? '.')) &&
    (own.thousands_mark === undefined || own.thousands_mark === declared.thousands_mark)
  );
}

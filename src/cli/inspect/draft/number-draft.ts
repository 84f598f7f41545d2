import type { InspectedColumn } from '../inspection.ts';
import { shownName } from './draft-text.ts';

/** Keys of a mapping that say how numbers are written. */
export interface NumberKeys {
  readonly decimal_mark?: string;
  readonly thousands_mark?: string;
}

/** What is known of how a column writes its numbers: keys and their evidence, or why they are a question. */
export type NumberDraft =
  | { readonly kind: 'plain' }
  | { readonly kind: 'decided'; readonly keys: NumberKeys; readonly because: string }
  | { readonly kind: 'open'; readonly choices: readonly NumberKeys[]; readonly because: string }
  | { readonly kind: 'unfit'; readonly because: string };

/** Values that must point to one decimal mark before it is written down: one may be a slip. */
const ENOUGH = 2;

export function numberDraft(column: InspectedColumn): NumberDraft {
  const values = valuesOf(column);
  const { numbers, name } = column;
  if (!numbers || numbers.count < values) {
    return {
      kind: 'unfit',
      because: `only ${numbers?.count ?? 0} of ${values} values of ${shownName(name)} are numbers`,
    };
  }
  if (values < ENOUGH)
    return { kind: 'unfit', because: `${shownName(name)} has ${values} values, too few to tell` };
  if (numbers.integers === numbers.count) return { kind: 'plain' };
  const complete = numbers.marks.filter(({ fits }) => fits === numbers.count);
  const choices = (complete.length > 0 ? complete : numbers.marks).map(keysOf);
  if (complete.length === 0) {
    return {
      kind: 'open',
      choices,
      because: `no way to read numbers fits all ${values} values of ${shownName(name)}`,
    };
  }
  const marks = new Set(complete.map(({ decimalMark }) => decimalMark));
  if (marks.size > 1) {
    const because = `what is the decimal mark in ${shownName(name)}? No value decides it: all ${values} can be read with either`;
    return { kind: 'open', choices, because };
  }
  if (numbers.deciding < ENOUGH) {
    return {
      kind: 'open',
      choices,
      because: `only one of ${values} values of ${shownName(name)} decides its decimal mark`,
    };
  }
  const because = `all ${values} values of ${shownName(name)} are read by it, and ${numbers.deciding} allow no other decimal mark`;
  return { kind: 'decided', keys: choices[0]!, because };
}

/** Cells that are filled with something else than a word for nothing. */
export function valuesOf({ filled, nullTokens }: InspectedColumn): number {
  return filled - nullTokens.reduce((total, { count }) => total + count, 0);
}

function keysOf({
  decimalMark,
  thousandsMark,
}: {
  decimalMark: string;
  thousandsMark: string | null;
}): NumberKeys {
  return { decimal_mark: decimalMark, ...(thousandsMark === null ? {} : { thousands_mark: thousandsMark }) };
}

/** Columns with numbers only, of which some have decimals or a sign: amounts, not ids. */
export function amountColumns(columns: readonly InspectedColumn[]): readonly InspectedColumn[] {
  return columns.filter((column) => {
    const { numbers } = column;
    if (!numbers || numbers.count < valuesOf(column)) return false;
    return numbers.integers < numbers.count || numbers.signs.some(({ sign }) => sign !== 'none');
  });
}

/** The marks that all columns with decimals share; when they differ those that the mapped ones share, else none. */
export function commonNumbers(
  columns: readonly InspectedColumn[],
  mapped: readonly InspectedColumn[],
): NumberKeys {
  const shared = sharedNumbers(columns) ?? sharedNumbers(mapped) ?? {};
  return shared.decimal_mark === '.' && shared.thousands_mark === undefined ? {} : shared;
}

function sharedNumbers(columns: readonly InspectedColumn[]): NumberKeys | undefined {
  const decided = columns
    .filter(({ numbers }) => numbers !== null && numbers.integers < numbers.count)
    .map(numberDraft)
    .flatMap((draft) => (draft.kind === 'decided' ? [draft.keys] : []));
  const [first] = decided.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
  const isShared = decided.every(
    (keys) =>
      keys.decimal_mark === first!.decimal_mark &&
      (keys.thousands_mark === undefined || keys.thousands_mark === first!.thousands_mark),
  );
  return isShared ? first : undefined;
}

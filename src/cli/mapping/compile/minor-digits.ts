import { warning } from '../../../core/problem.ts';
import { isLeaf, visitFields } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import { NO_CELL, type RecordCell } from '../column-map.ts';
import type { CellProblem } from '../mapping-plan.ts';
import { mostDecimals } from './amount-decimals.ts';
import type { WrittenAmounts } from './level.ts';

/** A field that changes its amounts between major and minor units. */
interface ConvertedField {
  readonly place: RecordCell;
  readonly column: string | undefined;
  readonly unit: string;
  readonly digits: number;
}

/** The digits of the minor unit with which a mapping changes all of its amounts; undefined for none, or for several. */
export function minorDigitsIn(mapping: Mapping): number | undefined {
  const [digits, ...others] = new Set(convertedFields(mapping).map((field) => field.digits));
  return others.length > 0 ? undefined : digits;
}

/** Digits of the minor unit that the amounts do not have. */
export function* unusedDigits(
  mapping: Mapping,
  amounts: ReadonlyMap<string, WrittenAmounts>,
): Generator<CellProblem> {
  for (const { place, column, unit, digits } of convertedFields(mapping)) {
    const written = column === undefined ? undefined : amounts.get(column);
    const most = written && mostDecimals(written);
    if (unit === 'major' && most !== undefined && most < digits)
      yield {
        problem: warning('minor_digits_unused', [], { digits, column: column!, most }),
        cell: place,
      };
  }
}

function convertedFields({ document, positionOf }: Mapping): readonly ConvertedField[] {
  return [...visitFields(document)].filter(isLeaf).flatMap(({ spec, path, shape }) => {
    const { unit, minor_digits: digits = 2, column } = spec;
    if (unit === undefined || unit === (shape.facts.unit ?? 'major')) return [];
    const at = positionOf([...path, spec.minor_digits === undefined ? 'unit' : 'minor_digits']);
    return [{ place: { ...NO_CELL, file: at.file, line: at.line, column: at.column }, column, unit, digits }];
  });
}

import { failure, warning } from '../../core/problem.ts';
import type { Decimal } from '../../core/values/decimal.ts';
import { Flawed } from './flawed.ts';
import type { StepSpec } from './mapping-file/step-keys.ts';
import { exampleOf, numberReader, type NumberFormat } from './number-format.ts';

/** The number format that a field or a source has. */
export function numberFormatOf(spec: StepSpec): NumberFormat {
  return {
    decimalMark: spec.decimal_mark,
    thousandsMark: spec.thousands_mark ?? null,
    negative: spec.negative,
    positiveSuffixes: spec.positive_suffixes,
    negativeSuffixes: spec.negative_suffixes,
  };
}

/** The step from text to an exact decimal, with the warnings of a file that has no mapping (cell.ts). */
export function numberStep({
  spec,
  isFixedWidth,
}: {
  readonly spec: StepSpec;
  readonly isFixedWidth: boolean;
}): (text: string) => Decimal | Flawed {
  const format = numberFormatOf(spec);
  const read = numberReader(format);
  const example = exampleOf(format);
  // Numbers of a fixed width, and amounts without a point, are filled up with zeros: no sign of a mistake.
  const mayHaveZeros = isFixedWidth || spec.unit === 'minor';
  return (text) => {
    const amount = read(text);
    if (!amount) return new Flawed(failure('number_unreadable', [], { example }));
    if (amount.isZero && /[-(]/.test(text)) return new Flawed(warning('negative_zero', []), amount);
    if (!mayHaveZeros && /^[-(]?0\d/.test(text)) return new Flawed(warning('leading_zeros', []), amount);
    return amount;
  };
}

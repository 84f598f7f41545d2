import { failure, type Problem } from '../../core/problem.ts';
import { dateFormatNeeds, dateReader } from '../mapping/language/date-reader.ts';
import { numberStep } from '../mapping/language/number-format.ts';
import { stepSpecOf, type ColumnTypeSpec, type SourceSpec } from '../mapping/language/source.ts';
import { StepProblem } from '../mapping/language/step-problem.ts';

/** What the cells of a column are, and how they become values of SQL such as `-1234.50` and `2026-01-31`; null is no value. */
export interface ColumnType {
  readonly kind: 'text' | 'integer' | 'decimal' | 'date' | 'datetime';
  readonly isDeclared: boolean;
  /** What its format leaves open. */
  readonly needs: readonly Problem[];
  readonly read: (text: string) => string | null | StepProblem;
}

/** A column that the mapping does not declare. */
export const TEXT: ColumnType = { kind: 'text', isDeclared: false, needs: [], read: (text) => text };

/** Numbers that DuckDB's BIGINT and DECIMAL(38) always hold. */
const SHAPES = { integer: /^-?\d{1,18}$/, decimal: /^-?\d{1,20}(?:\.\d{1,18})?$/ };

/** The type that a mapping declares for a column. */
export function columnType(spec: ColumnTypeSpec, source: SourceSpec): ColumnType {
  if (spec === 'text') return { ...TEXT, isDeclared: true };
  const kind = typeof spec === 'string' ? spec : 'date' in spec ? 'date' : 'datetime';
  const own = typeof spec === 'string' ? {} : { format: Object.values(spec)[0] };
  const steps = stepSpecOf(source, own, kind);
  const isDate = kind === 'date' || kind === 'datetime';
  const read = isDate ? dateReader(kind, steps) : numberReaderOf(kind, source);
  const { trim, null_tokens: none } = steps;
  return {
    kind,
    isDeclared: true,
    needs: isDate ? dateFormatNeeds(kind, steps) : [],
    read(text) {
      const cell = trim ? text.trim() : text;
      return cell === '' || none.includes(cell) ? null : read(cell);
    },
  };
}

function numberReaderOf(
  kind: 'integer' | 'decimal',
  source: SourceSpec,
): (text: string) => string | StepProblem {
  const read = numberStep(stepSpecOf(source), true);
  return (text) => {
    const found = read(text);
    if (found instanceof StepProblem && found.value === undefined) return found;
    const value = String(found instanceof StepProblem ? found.value : found);
    const example = kind === 'integer' ? '1234' : '1234.56';
    return SHAPES[kind].test(value) ? value : new StepProblem(failure('number_unreadable', [], { example }));
  };
}

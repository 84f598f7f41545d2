import { attrOfPath, failure, type Path } from '../../../core/problem.ts';
import { alternativeOf } from '../column-map.ts';
import { alternativesOf, type FieldSpec, type ValueSpec } from '../language/field-spec.ts';
import { interfaceValue, lostKeyProblem } from '../language/interface-value.ts';
import { templatePieces, type TemplatePiece } from '../language/template.ts';
import { isList, lostFrom } from '../../csv/key-paths.ts';
import {
  alternative,
  firstOf,
  UNREADABLE,
  type CompiledAlternative,
  type CompiledField,
  type ReadText,
} from './compiled-field.ts';
import { fieldSteps, type FieldSteps, type TargetField } from './field-steps.ts';
import { noteFeed, type Level } from './level.ts';
import { report, rowScopes, type Scope } from './scope.ts';
import type { BoundColumn } from './columns.ts';
import { sum, type Decimal } from '../../../core/values/decimal.ts';
import { negated } from '../../../core/values/decimal-shift.ts';

export function valueField(spec: FieldSpec, target: TargetField, level: Level): CompiledField {
  const alternatives = alternativesOf(spec).map((each, index) =>
    valueAlternative(each, target, level, index),
  );
  return firstOf(alternatives, ({ path, origin, file, record, line }, index) =>
    record.parts.push({
      attr: attrOfPath([...path, ...target.path]),
      file,
      line: line ?? record.rows[0].firstLine,
      columns: attrOfPath(alternativeOf([...origin, ...target.path], index)),
    }),
  );
}

/** Compiles one alternative of a field whose value comes from a text. */
export function valueAlternative(
  spec: ValueSpec,
  target: TargetField,
  level: Level,
  index = 0,
): CompiledAlternative {
  const fed = alternativeOf(target.path, index);
  return alternative(valueOf(spec, target, level, fed), spec, { path: target.path, level });
}

/** @param fed the path in the column map */
function valueOf(spec: ValueSpec, target: TargetField, level: Level, fed: Path): CompiledField {
  const { column, constant, template, debit, credit, sum } = spec;
  if (constant !== undefined) {
    const value = interfaceValue(constant, target.facts.kind);
    return { make: () => value, readers: [] };
  }
  const steps = fieldSteps(spec, target, level);
  // Second files are no objects any more where columns are bound.
  const isWhole =
    target.facts.kind === 'json' &&
    template === undefined &&
    level.elements !== null &&
    level.columns.file === null;
  const bind = (name: string): BoundColumn => {
    // A column that is added up over the rows of a record may differ between them.
    const bound = level.columns.bind(name, sum ? 'row' : level.use, isWhole);
    noteFeed(level, bound, fed);
    return bound;
  };
  if (debit !== undefined) {
    const columns = { debit: bind(debit), credit: bind(credit!) };
    const amounts = amountsOfTwo(columns, steps);
    return sum ? rowSum(amounts, columns.debit, steps) : oneAmount(amounts, columns, steps);
  }
  if (template !== undefined) return templateField(template, { bind, level }, steps);
  const bound = bind(column!);
  if (sum) return rowSum(amountsOfColumn(bound, steps), bound, steps);
  const read = steps.readText(bound);
  const run = steps.run(bound);
  const mayBeList = target.kind !== 'json' && mayHaveList(level, bound);
  return {
    make(scope) {
      const text = read(scope);
      if (mayBeList && text !== undefined && isList(text)) {
        report(scope, target.path, bound, failure('list_unreadable', []));
        return UNREADABLE;
      }
      const lost = isWhole ? lostFrom(scope.cells, level.columns.names, column!) : undefined;
      if (lost !== undefined) {
        report(scope, target.path, bound, lostKeyProblem(lost));
        return UNREADABLE;
      }
      steps.note(bound, text, scope);
      return run(text, scope);
    },
    readers: [read],
  };
}

/** Whether a value of JSON Lines may be a list. The values inside of objects of lists were not looked at before. */
function mayHaveList({ elements, columns }: Level, { header }: BoundColumn): boolean {
  return columns.list !== null || (elements?.has(header) ?? false);
}

/** A template whose columns are all empty has no value. An empty column among others is an empty text. */
function templateField(
  template: string,
  { bind, level }: { bind: (name: string) => BoundColumn; level: Level },
  steps: FieldSteps,
): CompiledField {
  const pieces = templatePieces(template) as readonly TemplatePiece[];
  const columns = pieces.map((piece) => ('column' in piece ? bind(piece.column) : null));
  const reads = columns.map((column) => column && steps.readText(column));
  const run = steps.run(columns.find((column) => column !== null) ?? null);
  const lists = columns.flatMap((column, at) => (column && mayHaveList(level, column) ? [at] : []));
  return {
    readers: reads.filter((read) => read !== null),
    make(scope) {
      const texts = reads.map((read) => read?.(scope));
      if (texts.every((text) => text === undefined)) return undefined;
      const list = lists.find((at) => texts[at] !== undefined && isList(texts[at]));
      if (list !== undefined) {
        report(scope, steps.path, columns[list]!, failure('list_unreadable', []));
        return UNREADABLE;
      }
      columns.forEach((column, at) => column && steps.note(column, texts[at], scope));
      const filled = pieces.map((piece, at) => ('text' in piece ? piece.text : (texts[at] ?? ''))).join('');
      return run(steps.trim ? filled.trim() : filled, scope);
    },
  };
}

/** An amount, and the column that has it. */
type FoundAmount = { readonly column: BoundColumn; readonly value: Decimal };

/** Reads the amount of a row, before the steps that change numbers; undefined when no cell has a value. */
interface RowAmounts {
  readonly readers: readonly ReadText[];
  readonly amount: (scope: Scope) => FoundAmount | typeof UNREADABLE | undefined;
}

function amountsOfColumn(column: BoundColumn, steps: FieldSteps): RowAmounts {
  const read = steps.readText(column);
  const toNumber = steps.runToNumber(column);
  return {
    readers: [read],
    amount(scope) {
      const text = read(scope);
      steps.note(column, text, scope);
      const value = toNumber(text, scope);
      if (value === UNREADABLE) return UNREADABLE;
      return value === undefined ? undefined : { column, value: value as Decimal };
    },
  };
}

const FILL_ONE = {
  todo: 'Fill one of the two cells, because only one may differ from zero, or set ',
  key: '`when` for the field in the mapping file',
};

type TwoColumns = { readonly debit: BoundColumn; readonly credit: BoundColumn };

/** Debit minus credit: the amount of the one cell that has a value, a credit with its sign turned. A zero beside a value is no value. */
function amountsOfTwo({ debit, credit }: TwoColumns, steps: FieldSteps): RowAmounts {
  const [ofDebit, ofCredit] = [amountsOfColumn(debit, steps), amountsOfColumn(credit, steps)];
  return {
    readers: [...ofDebit.readers, ...ofCredit.readers],
    amount(scope) {
      const debited = ofDebit.amount(scope);
      const credited = ofCredit.amount(scope);
      if (debited === UNREADABLE || credited === UNREADABLE) return UNREADABLE;
      if (!credited || (debited && credited.value.isZero)) return debited;
      if (!debited || debited.value.isZero) return { column: credit, value: negated(credited.value) };
      const reason = `has a value, and so has the column \`${debit.header}\``;
      report(scope, steps.path, credit, failure('number_unreadable', [], { reason, ...FILL_ONE }));
      return UNREADABLE;
    },
  };
}

/** The amount of a row, which has to have one. */
function oneAmount(
  { readers, amount }: RowAmounts,
  { debit, credit }: TwoColumns,
  steps: FieldSteps,
): CompiledField {
  const [finishDebit, finishCredit] = [steps.runAmount(debit), steps.runAmount(credit)];
  return {
    readers,
    make(scope) {
      const found = amount(scope);
      if (found === UNREADABLE) return UNREADABLE;
      if (found) return (found.column === debit ? finishDebit : finishCredit)(found.value, scope);
      const reason = `has no value, and neither has the column \`${credit.header}\``;
      report(scope, steps.path, debit, failure('number_unreadable', [], { reason, ...FILL_ONE }));
      return UNREADABLE;
    },
  };
}

/** The exact sum over the rows of a record. Rows without a value are left out; undefined when all are. */
function rowSum({ readers, amount }: RowAmounts, column: BoundColumn, steps: FieldSteps): CompiledField {
  const finish = steps.runAmount(column);
  return {
    readers: readers.map((read) => (scope) => {
      for (const row of rowScopes(scope)) {
        const text = read(row);
        if (text !== undefined) return text;
      }
      return undefined;
    }),
    make(scope) {
      const found = rowScopes(scope).flatMap((row) => amount(row) ?? []);
      const values = found.flatMap((each) => (each === UNREADABLE ? [] : each.value));
      if (values.length < found.length) return UNREADABLE;
      return values.length === 0 ? undefined : finish(sum(values), scope);
    },
  };
}

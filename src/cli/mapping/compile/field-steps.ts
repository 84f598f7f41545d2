import type { FieldFacts } from '../../../core/contract/field.ts';
import type { Path } from '../../../core/problem.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { withNumbers } from '../../../core/values/exact-json.ts';
import { isObject, valueAt } from '../../csv/key-paths.ts';
import type { ValueSpec } from '../language/field-spec.ts';
import type { CellKind } from '../language/fields.ts';
import { jsonValue } from '../language/interface-value.ts';
import { isLookupFile } from '../language/lookup.ts';
import { stepSpecOf } from '../language/source.ts';
import { StepProblem } from '../language/step-problem.ts';
import type { Step, StepSpec } from '../language/steps.ts';
import { TRANSFORMS, type Transform } from '../language/transforms.ts';
import { AmountColumn, isMoney } from './amount-decimals.ts';
import { cellText, type BoundColumn } from './columns.ts';
import { UNREADABLE, type ReadText } from './compiled-field.ts';
import type { Level } from './level.ts';
import { lineOf, noteSourceCell, report, type Scope } from './scope.ts';

/** A field of the interface, and the path of its value. */
export interface TargetField {
  readonly path: Path;
  readonly facts: FieldFacts;
  /** `json` for a list in one cell. A field that takes any JSON has the facts of `json`, too. */
  readonly kind: CellKind;
}

/** Takes a value through steps. Reports their problems as problems of the field and of the cell. */
export type RunSteps<From> = (value: From | undefined, scope: Scope) => unknown;

export interface FieldSteps {
  readonly path: Path;
  /** Whether cells lose the white space at their ends. */
  readonly trim: boolean;
  readText(column: BoundColumn): ReadText;
  /** Notes the text of a cell, when the steps of the field could hide what is wrong with it. */
  note(column: BoundColumn, text: string | undefined, scope: Scope): void;
  /** Every step, from the text to the value of the field. */
  run(column: BoundColumn | null): RunSteps<string>;
  /** The steps up to the number, and the steps after it, for amounts that are made of several cells. */
  runToNumber(column: BoundColumn): RunSteps<string>;
  runAmount(column: BoundColumn): RunSteps<Decimal>;
}

/** A step of the table. It takes what the step before it gives, because the table has steps in such an order. */
type AnyStep = Step<unknown, unknown>;

/** Compiles the steps that a field asks for, in the order of the table. */
export function fieldSteps(own: ValueSpec, { path, facts, kind }: TargetField, level: Level): FieldSteps {
  const isTyped = level.typed?.has(own.column ?? '');
  const source = isTyped ? {} : level.source;
  const isUnmarked = level.typed && !isTyped && kind === 'decimal' && own.column !== undefined;
  if (isUnmarked && /(?:decimal|thousands)_mark"/.test(JSON.stringify(level.source)))
    level.found.unmarked.push(own.column!);
  const spec = stepSpecOf(source, own, kind);
  const field = { facts, isFixedWidth: level.source.fixed !== undefined };
  const steps = (phase: Transform['phase']): readonly AnyStep[] =>
    TRANSFORMS.filter((each) => each.phase === phase && each.kinds.includes(kind)).flatMap(
      (each) => (each.compile(spec, field, level.tables) as AnyStep | undefined) ?? [],
    );
  const values = kind === 'json' ? [(text: unknown) => jsonValue(text as string)] : steps('value');
  // A table has values as the interface writes them.
  const toValue = [...steps('text'), ...(own.lookup === undefined ? values : [])];
  const amount = steps('amount');
  const note = noteOf(own, { path, kind, level });
  const noteMoney =
    kind === 'decimal' && isMoney(path)
      ? moneyNoter({ path, facts }, { ...spec, debit: own.debit }, level)
      : undefined;
  // An amount that cannot be read is an error already.
  const noticing = (column: BoundColumn | null, run: RunSteps<unknown>): RunSteps<string> =>
    noteMoney && column
      ? (text, scope) => {
          const value = run(text, scope);
          if (value !== UNREADABLE) noteMoney(column, text, { scope, value });
          return value;
        }
      : run;
  // JSON Lines say themselves what is a text and what is an object.
  const isFree = facts.kind === 'json' && own.template === undefined;
  const valueIn = ({ cells }: Scope): unknown => valueAt(cells.object, own.column ?? '');
  return {
    path,
    trim: spec.trim,
    readText(column) {
      const read = cellText(column, spec);
      if (!isFree) return ({ cells }) => read(cells);
      // An object of JSON Lines has no text of its own.
      return (scope) => {
        const value = valueIn(scope);
        return isObject(value) ? JSON.stringify(withNumbers(value)) : read(scope.cells);
      };
    },
    note,
    run(column) {
      const run = noticing(column, runner([...toValue, ...amount], path, column));
      if (!isFree || !column) return run;
      const runText = runner(steps('text'), path, column);
      return (text, scope) => (typeof valueIn(scope) === 'string' ? runText : run)(text, scope);
    },
    runToNumber: (column) => noticing(column, runner(toValue, path, column)),
    runAmount: (column) => runner(amount, path, column),
  };
}

/** Fields of the record itself that are texts may be identifiers. Items of lists have none. */
function noteOf(
  own: ValueSpec,
  { path, kind, level }: Pick<TargetField, 'path' | 'kind'> & { level: Level },
): FieldSteps['note'] {
  const { template, replace, lookup, pad, case: letters } = own as ValueSpec & Record<string, unknown>;
  const isText = kind === 'text';
  const hides = [template, replace, lookup, ...(isText ? [pad, letters] : [])].some(
    (key) => key !== undefined,
  );
  if (!hides || kind === 'json' || kind === 'boolean' || (isText && level.outer !== null))
    return () => undefined;
  const role = isText ? 'name' : 'value';
  const isReplaced = replace !== undefined;
  // A table in the mapping that has the text says what the text means.
  const declared = lookup !== undefined && !isLookupFile(lookup) ? lookup : {};
  return (column, text, scope) => {
    if (text !== undefined && !Object.hasOwn(declared, text))
      noteSourceCell(scope, column, { path, role, text, isReplaced });
  };
}

/** Counts how the amounts of a column are written. */
function moneyNoter(
  { path, facts }: Pick<TargetField, 'path' | 'facts'>,
  { decimal_mark: mark, unit, debit, negate }: StepSpec & { debit?: string | undefined; negate?: boolean },
  { origin, found: { amounts }, columns: { file } }: Level,
): (column: BoundColumn, text: string | undefined, at: { scope: Scope; value: unknown }) => void {
  return (column, text, { scope, value }) => {
    if (text === undefined || scope.record.isTrial) return;
    const key = file === null ? column.header : `${file}:${column.header}`;
    let written = amounts.get(key);
    if (!written) {
      written = new AmountColumn([...origin, ...path], column.cell, {
        isUnitOpen: unit === undefined && facts.unit !== 'minor',
        isDebit: debit === column.header,
      });
      amounts.set(key, written);
    }
    if (!negate && value instanceof Decimal && value.text.startsWith('-')) written.negative++;
    written.note(text, mark, lineOf(scope));
  };
}

function runner(steps: readonly AnyStep[], path: Path, column: BoundColumn | null): RunSteps<unknown> {
  return (first, scope) => {
    let value = first;
    for (const step of steps) {
      if (value === undefined) return undefined;
      value = step(value);
      if (value instanceof StepProblem) {
        report(scope, path, column, value.problem);
        if (value.value === undefined) return UNREADABLE;
        value = value.value;
      }
    }
    return value;
  };
}

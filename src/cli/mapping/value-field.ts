import { failure, type Path } from '../../core/problem.ts';
import { textReader } from './cell-text.ts';
import {
  firstOf,
  UNREADABLE,
  type CompiledAlternative,
  type CompiledField,
  type FieldSteps,
  type MakeValue,
} from './compiled-field.ts';
import { allOf } from './condition.ts';
import { constantValue } from './constant.ts';
import { amountOfTwo, sumOfTwo } from './debit-credit.ts';
import type { FieldMaker } from './field-maker.ts';
import { fieldSteps, type FieldPlace } from './field-steps.ts';
import { alternativesOf } from './mapping-file/field-walk.ts';
import type { FieldSpec, ValueSpec } from './mapping-file/field-schema.ts';
import { rowSum } from './row-sums.ts';
import { report, type BoundColumn } from './scope.ts';
import { templatePieces, type TemplatePiece } from './template.ts';

/** Compiles a field that holds one value. */
export function valueField(spec: FieldSpec, place: FieldPlace, maker: FieldMaker): CompiledField {
  return firstOf(alternativesOf(spec).map((each) => valueAlternative(each, place, maker)));
}

/** Compiles one alternative of a field whose value comes from a text. */
export function valueAlternative(spec: ValueSpec, place: FieldPlace, maker: FieldMaker): CompiledAlternative {
  const { make, readers } = sourceOf(spec, place, maker);
  return {
    when: allOf(spec.when, maker),
    readers,
    make: settled(make, spec.required ? place.path : undefined),
  };
}

/** What could not be read is no value, and was told; what is missing is told where the mapping demands it. */
export function settled(make: MakeValue, demandedAt: Path | undefined): MakeValue {
  return (scope) => {
    const value = make(scope);
    if (value === undefined && demandedAt) report(scope, demandedAt, null, failure('required', []));
    return value === UNREADABLE ? undefined : value;
  };
}

function sourceOf(spec: ValueSpec, place: FieldPlace, maker: FieldMaker): CompiledField {
  const { column, constant, template, debit, credit, sum } = spec;
  if (constant !== undefined) {
    const value = constantValue(constant, place.facts);
    return { make: () => value, readers: [] };
  }
  const steps = fieldSteps(spec, place, maker);
  const bind = (name: string): BoundColumn => {
    // What is added up over the rows of a record may differ between them.
    const bound = sum ? maker.columns.bind(name, 'row') : maker.bind(name);
    maker.feeds(bound, place.path);
    return bound;
  };
  if (debit !== undefined && credit !== undefined) {
    const columns = { debit: bind(debit), credit: bind(credit) };
    return sum ? sumOfTwo(columns, place.path, steps) : amountOfTwo(columns, place.path, steps);
  }
  if (template !== undefined)
    return templateField(templatePieces(template) as readonly TemplatePiece[], bind, {
      steps,
      path: place.path,
    });
  const bound = bind(column!);
  const read = textReader(bound, steps.spec);
  if (sum) {
    const number = steps.runToNumber(place.path, bound);
    const finish = steps.runAmount(place.path, bound);
    return rowSum({ readers: [read], amount: (scope) => number(read(scope), scope), finish });
  }
  const run = steps.run(place.path, bound);
  return { make: (scope) => run(read(scope), scope), readers: [read] };
}

/** A template whose columns are all empty has no value; one that is empty among others is an empty text. */
function templateField(
  pieces: readonly TemplatePiece[],
  bind: (name: string) => BoundColumn,
  { steps, path }: { readonly steps: FieldSteps; readonly path: Path },
): CompiledField {
  const columns = pieces.map((piece) => ('column' in piece ? bind(piece.column) : null));
  const reads = columns.map((column) => column && textReader(column, steps.spec));
  const readers = reads.filter((read) => read !== null);
  const run = steps.run(path, columns.find((column) => column !== null) ?? null);
  return {
    readers,
    make(scope) {
      const texts = reads.map((read) => read?.(scope));
      if (texts.every((text) => text === undefined)) return undefined;
      const filled = pieces.map((piece, at) => ('text' in piece ? piece.text : (texts[at] ?? ''))).join('');
      return run(steps.spec.trim ? filled.trim() : filled, scope);
    },
  };
}

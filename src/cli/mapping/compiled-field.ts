import type { Path } from '../../core/problem.ts';
import type { Decimal } from '../../core/values/decimal.ts';
import type { ObjectShape } from './field-shape.ts';
import type { FieldSpec } from './mapping-file/field-schema.ts';
import type { BoundColumn, Scope } from './scope.ts';
import type { StepSpec } from './mapping-file/step-keys.ts';

/** What a field makes that could not be read: it was reported, and must not be reported as missing, too. */
export const UNREADABLE = Symbol('unreadable');

/** Makes the value of a field; undefined when it has none. */
export type MakeValue = (scope: Scope) => unknown;

/** Text of a cell, or of the cells of several rows, after the steps that every cell takes; undefined for no value. */
export type ReadText = (scope: Scope) => string | undefined;

/** A field that is ready to make values. */
export interface CompiledField {
  readonly make: MakeValue;
  /** The cells that feed it; an item of a list is left out when all of its cells are empty. */
  readonly readers: readonly ReadText[];
}

/** One way in which a field gets its value, and when it is taken. */
export interface CompiledAlternative extends CompiledField {
  readonly when: ((scope: Scope) => boolean) | undefined;
}

/** The first alternative whose condition holds. */
export function firstOf(alternatives: readonly CompiledAlternative[]): CompiledField {
  const [only] = alternatives;
  const readers = alternatives.flatMap((each) => each.readers);
  if (alternatives.length === 1 && only!.when === undefined) return { make: only!.make, readers };
  return {
    readers,
    make(scope) {
      for (const each of alternatives) if (!each.when || each.when(scope)) return each.make(scope);
      return undefined;
    },
  };
}

/** Takes a value through steps; reports what they object to, as a problem of the field and of the cell. */
export type RunSteps<From> = (value: From | undefined, scope: Scope) => unknown;

/** The steps of a field. */
export interface FieldSteps {
  readonly spec: StepSpec;
  /** Every step, from the text to what the field holds. */
  run(path: Path, column: BoundColumn | null): RunSteps<string>;
  /** Those up to the number, and those after it: for amounts that are made of two cells. */
  runToNumber(path: Path, column: BoundColumn): RunSteps<string>;
  runAmount(path: Path, column: BoundColumn): RunSteps<Decimal>;
}

/** An item of a list, or a record, with the number of slots that its fields need. */
export interface CompiledItem extends CompiledField {
  readonly slots: number;
}

/** Compiles the fields of an object. Handed on by those who compile lists, which objects have in them. */
export type CompileObject<Maker> = (
  specs: Readonly<Record<string, FieldSpec>>,
  shape: ObjectShape,
  maker: Maker,
) => CompiledItem;

import { failure, type Path } from '../../../core/problem.ts';
import type { ValueSpec } from '../language/field-spec.ts';
import { allOf } from './condition.ts';
import type { Level } from './level.ts';
import { report, type Scope } from './scope.ts';

/** The result of a field that could not be read. The problem was reported, and the field must not be reported as missing, too. */
export const UNREADABLE = Symbol('unreadable');

/** Makes the value of a field; undefined when it has none. */
export type MakeValue = (scope: Scope) => unknown;

/** Text of a cell, or of the cells of several rows, after the steps that every cell takes; undefined for no value. */
export type ReadText = (scope: Scope) => string | undefined;

/** A field that is ready to make values. */
export interface CompiledField {
  readonly make: MakeValue;
  /** The cells that feed it. An item of a list is left out when all of its cells are empty. */
  readonly readers: readonly ReadText[];
}

/** One way in which a field gets its value, and when it applies. */
export type CompiledAlternative = CompiledField & { readonly when: ((scope: Scope) => boolean) | undefined };

/** An alternative with its condition. Reports a missing value where the mapping requires one. */
export function alternative(
  { make, readers }: CompiledField,
  { when, required }: Pick<ValueSpec, 'when' | 'required'>,
  { path, level }: { path: Path; level: Level },
): CompiledAlternative {
  return {
    when: allOf(when, level),
    readers,
    make(scope) {
      const value = make(scope);
      if (value === undefined && required) report(scope, path, null, failure('required', []));
      return value === UNREADABLE ? undefined : value;
    },
  };
}

/** The first alternative whose condition holds. `noteLater` is told about one that is not the first of the field. */
export function firstOf(
  alternatives: readonly CompiledAlternative[],
  noteLater?: (scope: Scope, index: number) => void,
): CompiledField {
  const [first] = alternatives;
  const readers = alternatives.flatMap((each) => each.readers);
  if (first!.when === undefined) return { make: first!.make, readers };
  return {
    readers,
    make(scope) {
      const index = alternatives.findIndex(({ when }) => !when || when(scope));
      if (index < 0) return undefined;
      if (index > 0) noteLater?.(scope, index);
      return alternatives[index]!.make(scope);
    },
  };
}

/** An item or a record with several fields. */
export interface CompiledObject extends CompiledField {
  /** Makes one field without the others; undefined when it has no such field, or the field looks at others. */
  aloneField(name: string): MakeValue | undefined;
}

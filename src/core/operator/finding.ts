import type { Resource } from '../contract/resources.ts';
import type { Path } from '../problem.ts';
import { pointerOf } from './located.ts';
import { typesOf } from './value.ts';

/** What an import finds in a document, in the order in which it is shown. The first three are demands beyond the interface. */
export const FINDING_KINDS = [
  'added',
  'tightened',
  'changed',
  'names',
  'rules',
  'deprecates',
  'contradicts',
  'not_understood',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Where {
  readonly resource: Resource | null;
  /** Null for every type of the resource, and for a resource without types. */
  readonly type: string | null;
  /** Field names joined with points; `[]` for the items of a list. Empty for the record as a whole. */
  readonly field: string;
}

/** What a sentence is about. `types` is empty for all of them. */
export interface Told {
  readonly kind: string;
  readonly resource: Resource | null;
  readonly types: readonly string[];
  readonly field: string;
  /** A sentence about the field, without its name and without a stop. */
  readonly says: string;
}

/** One thing that a document says. */
export interface Finding extends Told {
  readonly kind: FindingKind;
  /** JSON pointer into the document. */
  readonly from: string;
  /** Whether every push would fail because of it, and no mapping can change that. */
  readonly failsAll?: true;
}

/** The name of a finding: `transactions.CHARGE.reason`. */
export function nameOf({ resource, types, field }: Pick<Told, 'resource' | 'types' | 'field'>): string {
  return [resource ?? '', types.join('|'), field].filter((part) => part !== '').join('.');
}

/** The place of a member of an object, or of an item of a list (`[]`). */
export function inside(where: Where, name: string): Where {
  const point = where.field === '' || name === '[]' ? '' : '.';
  return { ...where, field: `${where.field}${point}${name}` };
}

/**
 * The same of several types is one; what is said of every type names none.
 * @param placeOf where it is said: only what is said at the same place is the same
 */
export function merged<T extends Told>(
  told: readonly T[],
  placeOf: (one: T) => string = () => '',
): readonly T[] {
  const same = Map.groupBy(told, (one) =>
    JSON.stringify([one.kind, one.resource, one.field, one.says, placeOf(one)]),
  );
  return [...same.values()].map((each) => {
    const [first] = each as [T, ...T[]];
    const types = each.flatMap((one) => one.types);
    const every = first.resource === null ? [] : typesOf(first.resource);
    const isEvery = every.length > 0 && every.every((type) => types.includes(type));
    return { ...first, types: isEvery ? [] : types };
  });
}

/** Collects what is found. */
export class Findings {
  readonly #found: Finding[] = [];

  /** @param from the place in the document: its JSON pointer, or its path */
  add(
    kind: FindingKind,
    { type, ...where }: Where,
    says: string,
    from: string | Path,
    failsAll?: true,
  ): void {
    const pointer = typeof from === 'string' ? from : pointerOf(from);
    const types = type === null ? [] : [type];
    this.#found.push({ kind, ...where, types, says, from: pointer, ...(failsAll && { failsAll }) });
  }

  /** Something because of which the operator would refuse every request. */
  addRefusal(kind: 'contradicts' | 'not_understood', where: Where, says: string, from: string | Path): void {
    this.add(kind, where, `${says}: every request would be refused`, from, true);
  }

  /** In the order of kinds, with further findings. */
  all(further: readonly Finding[] = []): readonly Finding[] {
    const found = merged([...this.#found, ...further], ({ from }) => from);
    return FINDING_KINDS.flatMap((kind) => found.filter((finding) => finding.kind === kind));
  }
}

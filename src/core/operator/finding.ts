import type { Resource } from '../contract/resources.ts';
import type { Path } from '../problem.ts';

/** What an import finds in a document, in the order in which it is shown. */
export const FINDING_KINDS = [
  'adds',
  'tightens',
  'wire',
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

/** One thing that a document says. */
export interface Finding {
  readonly kind: FindingKind;
  readonly resource: Resource | null;
  /** The types that it is about; empty for all of them. */
  readonly types: readonly string[];
  readonly field: string;
  /** A sentence about the field, without its name and without a stop. */
  readonly says: string;
  /** JSON pointer into the document. */
  readonly from: string;
  /** For a contradiction that can be accepted: whether its name was, so that the document is followed. */
  readonly accepted?: boolean;
  /** Whether every push would fail because of it, and no mapping can change that. */
  readonly failsAll?: true;
}

/** The name of a finding, as `--accept` takes it: `transactions.CHARGE.reason`. */
export function nameOf({ resource, types, field }: Pick<Finding, 'resource' | 'types' | 'field'>): string {
  return [resource ?? '', types.join('|'), field].filter((part) => part !== '').join('.');
}

/** The place of a member of an object, or of an item of a list (`[]`). */
export function inside(where: Where, name: string): Where {
  const point = where.field === '' || name === '[]' ? '' : '.';
  return { ...where, field: `${where.field}${point}${name}` };
}

/** The JSON pointer of a path (RFC 6901). */
export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Collects what is found. The same thing found for several types is one finding. */
export class Findings {
  readonly #found = new Map<string, { finding: Finding; types: Set<string> | undefined }>();

  /** @param from the place in the document: its JSON pointer, or its path */
  add(kind: FindingKind, where: Where, says: string, from: string | Path, accepted?: boolean): void {
    this.#note({ kind, says, ...(accepted === undefined ? {} : { accepted }) }, where, from);
  }

  /** Something because of which the operator would refuse every request. */
  addRefusal(kind: 'contradicts' | 'not_understood', where: Where, says: string, from: string | Path): void {
    this.addFailure(kind, where, `${says}: every request would be refused`, from);
  }

  /** Something because of which every push would fail. */
  addFailure(
    kind: 'contradicts' | 'not_understood',
    where: Where,
    says: string,
    from: string | Path,
    accepted?: false,
  ): void {
    this.#note({ kind, says, failsAll: true, ...(accepted === false && { accepted }) }, where, from);
  }

  #note(
    facts: Omit<Finding, 'resource' | 'types' | 'field' | 'from'>,
    where: Where,
    place: string | Path,
  ): void {
    const { kind, says, ...rest } = facts;
    const from = typeof place === 'string' ? place : pointerOf(place);
    const key = JSON.stringify([kind, where.resource, where.field, says, from]);
    const before = this.#found.get(key);
    if (!before) {
      const finding: Finding = {
        kind,
        says,
        from,
        ...rest,
        resource: where.resource,
        types: [],
        field: where.field,
      };
      this.#found.set(key, { finding, types: where.type === null ? undefined : new Set([where.type]) });
    } else if (where.type === null) before.types = undefined;
    else before.types?.add(where.type);
  }

  /** In the order of kinds. `typesOf`: all types of a resource; a finding about each of them is about none in particular. */
  all(typesOf: (resource: Resource) => readonly string[]): readonly Finding[] {
    const found = [...this.#found.values()].map(({ finding, types }) => {
      const named = types ? [...types] : [];
      const every = finding.resource === null ? [] : typesOf(finding.resource);
      const isEvery = every.length > 0 && every.every((type) => named.includes(type));
      return { ...finding, types: isEvery ? [] : named };
    });
    return FINDING_KINDS.flatMap((kind) => found.filter((finding) => finding.kind === kind));
  }
}

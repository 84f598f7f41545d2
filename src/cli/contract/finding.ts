import { STATEMENT_KINDS, type Statement } from '../../core/operator/contract.ts';
import { typesOf } from '../../core/operator/narrow.ts';
import { pathTo } from './openapi/fields.ts';

/** What a sentence is about: of all types where it names none, and the record as a whole where its field is empty. */
export type Where = Pick<Statement, 'resource' | 'types' | 'field'>;

/** The name of a finding: `transactions.CHARGE.reason`. */
export function nameOf({ resource, types, field }: Where): string {
  return [resource ?? '', types.join('|'), field].filter((part) => part !== '').join('.');
}

/** The place of a member of an object, or of an item of a list (`[]`). */
export function inside(where: Where, name: string): Where {
  return { ...where, field: pathTo(where.field, name) };
}

/** Statements in the order of kinds. The same of several types is one, at its first place; what is said of every type names none. */
export function inOrder(all: readonly Statement[]): Statement[] {
  const same = Map.groupBy(all, (one) => JSON.stringify([one.kind, one.resource, one.field, one.says]));
  const merged = [...same.values()].map((each) => {
    const first = each[0]!;
    const types = each.flatMap((one) => one.types);
    const every = first.resource === null ? [] : typesOf(first.resource);
    const isEvery = every.length > 0 && every.every((type) => types.includes(type));
    return { ...first, types: isEvery ? [] : types };
  });
  return STATEMENT_KINDS.flatMap((kind) => merged.filter((each) => each.kind === kind));
}

/** Adds statements to a list. @param refusesAll whether the operator would refuse every request because of it */
export const noteIn =
  (all: Statement[]) =>
  (kind: Statement['kind'], where: Where, says: string, from: string, refusesAll = false): void => {
    const end = refusesAll ? ': every request would be refused' : '';
    all.push({ kind, ...where, says: says + end, from, ...(refusesAll && { refuses_all: true as const }) });
  };
export type Note = ReturnType<typeof noteIn>;

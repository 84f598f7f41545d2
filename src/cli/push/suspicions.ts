import type { AccountKey } from '../../core/contract/account.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { failure, warning, type Path, type Problem } from '../../core/problem.ts';
import { Decimal } from '../../core/values/decimal.ts';
import type { Candidate } from '../mapping/mapping-plan.ts';
import { identifierProblem } from './identifier-rules.ts';
import { implausibleDates, type DateBounds } from './plausible-dates.ts';
import { ID_FIELD } from './record-id.ts';
import { textDamage } from './text-damage.ts';

/** Longest id in characters, where the interface names no bound: more is a cell that has slipped. */
const MAX_ID_CHARACTERS = 255;

/** What the contract lets pass in one record and a person would not (docs/check.md). */
export function suspicionsOf(
  resource: Resource,
  { account, record }: Pick<Candidate, 'account' | 'record'>,
  bounds: DateBounds,
): readonly Problem[] {
  const fields = record as Readonly<Record<string, unknown>>;
  return [
    ...accountSuspicion(account),
    ...idSuspicion(resource, fields),
    ...textDamage(fields),
    ...implausibleDates(resource, fields, bounds),
    ...zeroAmount(resource, fields['amount']),
  ];
}

function accountSuspicion({ external_account_number: number }: AccountKey): readonly Problem[] {
  return identifierProblems(number, ['external_account_number']);
}

function idSuspicion(resource: Resource, fields: Readonly<Record<string, unknown>>): readonly Problem[] {
  const field = ID_FIELD[resource];
  if (field === null) return [];
  const [id, path] = [fields[field], [field]];
  const isTooLong =
    field !== 'reference' &&
    typeof id === 'string' &&
    id.length > MAX_ID_CHARACTERS &&
    [...id].length > MAX_ID_CHARACTERS;
  return isTooLong
    ? [failure('max_length', path, { limit: `${MAX_ID_CHARACTERS} characters` })]
    : identifierProblems(id, path);
}

/** A mapping may have found no text at all. */
function identifierProblems(value: unknown, path: Path): readonly Problem[] {
  const problem = typeof value === 'string' ? identifierProblem(value, path) : undefined;
  return problem ? [problem] : [];
}

function zeroAmount(resource: Resource, amount: unknown): readonly Problem[] {
  return resource === 'transactions' && amount instanceof Decimal && amount.isZero
    ? [warning('zero_amount', ['amount'])]
    : [];
}

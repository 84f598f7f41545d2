import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { decodeError } from '../../core/validation-error.ts';
import { isJsonObject, plainJson, type JsonObject } from '../../core/values/plain-json.ts';
import { BEHAVIOUR_CHOICES, decisionOf, type BehaviourChoices } from '../../server/options/behaviour.ts';
import { endpointOfExchange, type Exchange } from '../recording/exchange.ts';
import { tokenLifeIn } from '../recording/token-lives.ts';
import type { BehaviourFlags } from './behaviour-flags.ts';

/** What a recording shows of flags of `serve`: each value of a choice, and the limits, in bytes and seconds. */
export type ShownFlags = Readonly<Partial<Record<ShownOption | 'tokenTtl', readonly (string | number)[]>>>;

/** The keys of `--behaviour` that a recording can show, by their options. */
type ShownOption = keyof BehaviourChoices | 'tokenPath' | 'bodyLimitBytes' | 'maxItems';

/** What one exchange shows of a choice; anything but a value of the choice is nothing. */
const SHOWN: Readonly<Partial<Record<keyof BehaviourChoices, (exchange: Exchange) => unknown>>> = {
  errorShape: (each) => (resourceOf(each) && each.status === 400 ? errorShapeOf(each) : undefined),
  statementsStatus: (each) => (hasTwoStatuses(each) ? each.status : undefined),
  unknownSupplierStatus: (each) => (isUnknownSupplier(each) ? each.status : undefined),
  pausedStatus: (each) => (resourceOf(each) && isPaused(each) ? each.status : undefined),
  emptyListStatus: (each) => (isEmptyList(each) ? each.status : undefined),
};

/** Takes from a recording what its answers show by themselves, whatever the local platform answers. */
export function shownFlags(exchanges: readonly Exchange[]): ShownFlags {
  const choices = Object.entries(SHOWN).map(([name, shown]) => {
    const values = new Set<unknown>(BEHAVIOUR_CHOICES[name as keyof BehaviourChoices]);
    return [name, [...values.intersection(new Set(exchanges.map(shown)))]] as const;
  });
  const tokens = exchanges.filter(({ token, status }) => token && isTaken({ status }));
  const bytes = ({ body }: Exchange): number => Buffer.byteLength(body ?? '');
  return {
    ...Object.fromEntries(choices),
    tokenPath: [...new Set(tokens.map(({ path }) => path))],
    tokenTtl: exchanges.some(({ lifetime_s: life }) => life) ? [tokenLifeIn(exchanges)] : [],
    bodyLimitBytes: limitsIn(exchanges, bytes, ({ status }) => status === 413),
    maxItems: limitsIn(exchanges, (each) => recordsIn(each).length, isTooMany),
  };
}

/** The flags of `serve` that a recording shows in one way. What answers show in two ways stays as it is. */
export function likeRecording(exchanges: readonly Exchange[]): Partial<BehaviourFlags> {
  const { tokenTtl, ...shown } = shownFlags(exchanges);
  const behaviour = Object.entries(shown).flatMap(([option, values]) =>
    values.length === 1 ? [decisionOf(option as ShownOption, values[0]!)] : [],
  );
  return { behaviour, ...(tokenTtl?.length === 1 && { tokenTtl: tokenTtl[0] as number }) };
}

/** The limit that the smallest refused request is above. None where a larger request was taken. */
function limitsIn(
  exchanges: readonly Exchange[],
  sizeOf: (exchange: Exchange) => number,
  isAbove: (exchange: Exchange) => boolean,
): readonly number[] {
  const limit = exchanges
    .filter(isAbove)
    .reduce((least, each) => Math.min(least, sizeOf(each) - 1), Infinity);
  const isWrong = exchanges.some((each) => isTaken(each) && sizeOf(each) > limit);
  return limit < 1 || limit === Infinity || isWrong ? [] : [limit];
}

export const isTaken = ({ status }: Pick<Exchange, 'status'>): boolean => status !== null && status < 300;

export const resourceOf = (exchange: Exchange): Resource | undefined =>
  RESOURCES.find((each) => each === endpointOfExchange(exchange));

/** The problems that a recorded refusal names. */
export const problemsOf = ({
  answer,
}: Pick<Exchange, 'answer'>): ReturnType<typeof decodeError>['problems'] =>
  decodeError(plainJson(answer ?? '')).problems;

/** The shape of a refusal. One of a single transaction or of an instruction is documented, too. */
export function errorShapeOf(refusal: Pick<Exchange, 'answer'> | undefined): string {
  const { shape } = decodeError(plainJson(refusal?.answer ?? ''));
  return shape === 'transaction' || shape === 'payment_instruction' ? 'documented' : shape;
}

/** Whether the interface has two statuses for stored records. */
export function hasTwoStatuses(exchange: Exchange): boolean {
  const resource = resourceOf(exchange);
  return resource !== undefined && DESCRIPTORS[resource].endpoint.success.length > 1;
}

/** Notes alone, which have no ids, are answered in two ways then. */
function isUnknownSupplier(exchange: Exchange): boolean {
  const resource = resourceOf(exchange);
  const isIt = problemsOf(exchange).some(
    ({ code, path }) => code === 'invalid_choice' && path.join() === 'import_supplier',
  );
  return isIt && resource !== undefined && DESCRIPTORS[resource].idField === null;
}

/** The interface has a second 403, with a code of its own. */
const isPaused = ({ status, answer }: Exchange): boolean =>
  answer?.includes('import_supplier_migration_not_ongoing') === true ||
  (status === 403 && !answer?.includes('permission_denied'));

/** A list of an unknown supplier is a 404, too. */
export function isEmptyList(exchange: Exchange): boolean {
  if (endpointOfExchange(exchange) !== 'lists') return false;
  const { status, answer } = exchange;
  return status === 404 ? !answer?.includes('import_supplier_not_found') : answer?.trim() === '[]';
}

/** Whether a request was refused for the number of its records. */
export function isTooMany(exchange: Exchange): boolean {
  const resource = resourceOf(exchange);
  const list = resource && DESCRIPTORS[resource].list;
  const isNamed = problemsOf(exchange).some(
    ({ code, path }) => (code ?? 'max_length') === 'max_length' && path.join() === list,
  );
  return exchange.status === 400 && isNamed && recordsIn(exchange).length > 1;
}

/** The records of a request. */
export function recordsIn({ body }: Exchange): readonly JsonObject[] {
  const json = plainJson(body ?? '');
  const list: unknown = isJsonObject(json) ? Object.values(json).find((value) => Array.isArray(value)) : [];
  return Array.isArray(list) ? list.filter(isJsonObject) : isJsonObject(json) ? [json] : [];
}

import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { decodeError, type PlatformProblem } from '../../core/validation-error.ts';
import { isJsonObject, plainJson, type JsonObject } from '../../core/values/plain-json.ts';
import { decisionOf, reasonAgainst, type Behaviour } from '../../server/options/behaviour.ts';
import { endpointOf, endpointOfExchange, type Exchange } from '../recording/exchange.ts';

/** A decision as it is typed, and where it is not the only one that fits, what the recording shows. */
export interface ShownDecision {
  readonly text: string;
  readonly between?: string;
}

/** What a recording shows of decisions, by the rule of parity that each is about: each value of it. Nothing where no answer shows one. */
export type ShownBehaviour = Readonly<Record<string, readonly ShownDecision[]>>;

type Option = keyof Behaviour;

/** The rules whose decision a single exchange can show, and the value that it shows. */
const SHOWN: Readonly<Record<string, readonly [Option, (exchange: Exchange) => unknown]>> = {
  'error-shapes': ['errorShape', (each) => resourceOf(each) && each.status === 400 && errorShapeOf(each)],
  'statement-status': ['statementsStatus', (each) => hasTwoStatuses(each) && each.status],
  'notes-of-unknown-supplier': ['unknownSupplierStatus', (each) => isUnknownSupplier(each) && each.status],
  'supplier-accepts-migration': ['pausedStatus', (each) => resourceOf(each) && isPaused(each) && each.status],
  'import-status': ['importedStatus', statusOfImported],
  'empty-lists': ['emptyListStatus', (each) => isEmptyList(each) && each.status],
  'token-mutation': ['tokenPath', (each) => each.token && isTaken(each) && isFree(each.path) && each.path],
};

/** Takes from a recording what its answers show by themselves, whatever the local platform answers. */
export function shownBehaviour(exchanges: readonly Exchange[]): ShownBehaviour {
  const all = (option: Option, values: readonly unknown[]): readonly ShownDecision[] =>
    [...new Set(values)]
      .map((value) => ({ text: decisionOf(option, String(value)) }))
      // An exchange may show nothing of a decision, or what no local platform can do.
      .filter(({ text }) => reasonAgainst(text) === undefined);
  const shown = Object.entries(SHOWN).map(
    ([rule, [option, shows]]) => [rule, all(option, exchanges.map(shows))] as const,
  );
  const hasLife = exchanges.some(({ lifetime_s: life }) => (life ?? 0) > 0);
  const bytes = ({ body }: Exchange): number => Buffer.byteLength(body ?? '');
  return {
    ...Object.fromEntries(shown),
    'token-life': all('tokenTtlSeconds', hasLife ? [tokenLifeIn(exchanges)] : []),
    'body-limit': limitIn(exchanges, ['bodyLimitBytes', 'bytes'], bytes, ({ status }) => status === 413),
    'most-records': limitIn(exchanges, ['maxItems', 'records'], (each) => recordsIn(each).length, isTooMany),
  };
}

/** What `serve --like` takes from a recording, and what of it the local platform does not copy. */
export function likeRecording(exchanges: readonly Exchange[]) {
  const shown = Object.values(shownBehaviour(exchanges));
  const copied = shown.flatMap((values) => (values.length === 1 ? values : []));
  const several = shown.filter((values) => values.length > 1);
  const limits = copied.filter(({ between }) => between !== undefined);
  return {
    behaviour: copied.map(({ text }) => text),
    notes: [
      ...limits.map(({ text, between }) => `--behaviour ${text}: the recording shows a limit ${between}`),
      ...several.map((values) => {
        const texts = values.map(({ text }) => text).join(' and ');
        return `not copied, because the recording shows both: ${texts}`;
      }),
      'not copied: rules about records, words and names of answers, which `dataimport parity` lists; limits of requests in a time; statuses of suppliers',
    ],
  };
}

/** The strict end of a limit: the largest request that was judged, or else what is below the smallest that was refused for its size. */
function limitIn(
  exchanges: readonly Exchange[],
  [option, unit]: readonly [Option, string],
  sizeOf: (exchange: Exchange) => number,
  isAbove: (exchange: Exchange) => boolean,
): readonly ShownDecision[] {
  const refused = exchanges.filter(isAbove).reduce((least, each) => Math.min(least, sizeOf(each)), Infinity);
  const taken = exchanges
    .filter((each) => isTaken(each) || (each.status === 400 && !isAbove(each)))
    .reduce((most, each) => Math.max(most, sizeOf(each)), 0);
  if (refused === Infinity || refused < 2 || taken >= refused) return [];
  return [
    { text: decisionOf(option, taken || refused - 1), between: `between ${taken} and ${refused} ${unit}` },
  ];
}

const isFree = (path: string): boolean => endpointOf(path).endpoint === 'other';

/** Whether a platform has answered with success. */
export const isTaken = (exchange: Exchange | undefined): boolean => (exchange?.status ?? 300) < 300;

export const resourceOf = (exchange: Exchange): Resource | undefined =>
  RESOURCES.find((each) => each === endpointOfExchange(exchange));

/** The problems that a recorded refusal names. */
export const problemsOf = ({ answer }: Exchange): readonly PlatformProblem[] =>
  decodeError(plainJson(answer ?? '')).problems;

/** The shape of a refusal. One of a single transaction or of an instruction is documented, too. */
export function errorShapeOf(refusal: Exchange | undefined): string {
  const { shape } = decodeError(plainJson(refusal?.answer ?? ''));
  return shape === 'transaction' || shape === 'payment_instruction' ? 'documented' : shape;
}

/** Whether the interface has two statuses for stored records. */
export function hasTwoStatuses(exchange: Exchange): boolean {
  const resource = resourceOf(exchange);
  return resource !== undefined && DESCRIPTORS[resource].endpoint.success.length > 1;
}

/** The status of an account that has a number, whatever the name of the number. */
function statusOfImported(exchange: Exchange): unknown {
  const { status, ...others } = (plainJson(exchange.answer ?? '') ?? {}) as JsonObject;
  const isNumbered = Object.values(others).some((number) => typeof number === 'string' && number !== '');
  return endpointOfExchange(exchange) === 'status' && isTaken(exchange) && isNumbered ? status : undefined;
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

/** The lifetime of the tokens of a platform, in seconds. A token is read a moment after it was made, and an earlier one may be given again. */
export function tokenLifeIn(exchanges: readonly Exchange[]): number {
  return roundedLife(Math.max(1, ...exchanges.flatMap(({ lifetime_s }) => lifetime_s ?? [])));
}

/** The next whole minute or five seconds, where the time on the way explains the rest. */
export function roundedLife(seconds: number): number {
  const next = (unit: number): number => Math.ceil(seconds / unit) * unit;
  if (next(60) - seconds <= 5) return next(60);
  return next(5) - seconds <= 2 ? next(5) : seconds;
}

import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { DECISIONS, EXTRA_RULES, type ExtraRule } from '../../server/options/behaviour.ts';
import { decodeError, type PlatformProblem } from '../../core/validation-error.ts';
import { isJsonObject, plainJson, type JsonObject } from '../../core/values/plain-json.ts';
import { recordShape, type FieldShape, type ObjectShape } from '../mapping/language/fields.ts';
import { endpointOfExchange, type EndpointName, type Exchange } from '../recording/exchange.ts';
import { codesIn, isTaken, TRIMMED, type Difference } from './differences.ts';
import type { PlayedExchange } from './play.ts';
import type { PlayedRule } from './twin.ts';

/** The rules about the answer of an endpoint, and about what makes a record the same as an earlier one. */
const OF_ENDPOINT: Readonly<Record<EndpointName, readonly [answer: string, identity: string]>> = {
  notes: ['note-answer', 'note-identity'],
  transactions: ['transaction-answer', 'transaction-identity'],
  statements: ['statement-answer', 'statement-identity'],
  'payment-instructions': ['instruction-answer', 'payment-instruction-identity'],
  status: ['account-transfer-status', 'import-status'],
  lists: ['lists-are-whole', 'import-status'],
  token: ['token-mutation-form', 'token-mutation-form'],
  other: ['answers-as-listed', 'answers-as-listed'],
};

/** Rules about a status where no code names one, and about a header. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/401|www-authenticate/, 'token-refused'],
  [/405|allow/, 'method-not-allowed'],
  [/413/, 'body-limit'],
  [/415|content-type/, 'media-type'],
  [/rate-?limit|retry-after/, 'rate-limits'],
];

/** The name of the rule of parity that a difference is about. */
export function ruleOf(
  { kind, at, recorded, twin: theirs }: Difference,
  place: PlayedExchange,
  rules: readonly PlayedRule[],
): string {
  const { endpoint, exchange, twin, repeatsRefused } = place;
  const isRefusal = !isTaken(exchange);
  const [ofAnswer, ofIdentity] = OF_ENDPOINT[endpoint];
  const isTransaction = ofIdentity === 'transaction-identity';
  const answers = `${twin?.answer} ${exchange.answer}`;
  /** The narrowest rule with a code. A rule about a field is not the one of another field with the same code. */
  const ofCode = (code: string): string | undefined =>
    rules
      .filter(
        ({ codes = [], fields, endpoints }) =>
          codes.includes(code) &&
          (fields?.some((field) => answers.includes(`"${field}"`)) ?? true) &&
          (endpoints?.includes(endpoint) ?? true),
      )
      .toSorted((a, b) => narrowness(b) - narrowness(a))[0]?.name;
  const other = OTHERS.find(([pattern]) => pattern.test(`${at} ${recorded} ${theirs}`))?.[1];
  if (kind === 'header') return other ?? 'answers-as-listed';
  const extra = extraRuleOf(place);
  if (extra !== undefined) return ofCode(extra) ?? ofAnswer;
  if (kind === 'status') {
    const named = [...codesIn(answers), ...codesOfSentences(answers)].flatMap((code) => ofCode(code) ?? []);
    return ruleOfStatus(place) ?? named[0] ?? other ?? ofAnswer;
  }
  if (kind === 'identity') return isTransaction ? 'transaction-ids-of-platform' : ofIdentity;
  const isOtherShape = exchange.answer !== null && errorShapeOf(exchange) !== errorShapeOf(twin);
  if (exchange.status === 400 && isOtherShape) return 'error-shapes';
  if (kind === 'token life') return 'token-life';
  if (kind === 'code') return ofCode(theirs) ?? ofCode(recorded) ?? 'validation-error';
  if (kind === 'attr') return 'validation-error';
  if (kind === 'word') {
    if (repeatsRefused && isTransaction) return 'failing-transaction';
    const { default: usual, takes } = DECISIONS.importedStatus;
    const isOfExisting = theirs === usual && takes?.includes(recorded);
    return endpoint === 'status' && isOfExisting ? 'status-of-existing-account' : ofIdentity;
  }
  if (kind === 'order' || kind === 'count') return isRefusal ? 'every-problem' : ofAnswer;
  if (kind === 'name' && /account_number/.test(recorded + theirs)) return 'account-number-name';
  if (isRefusal) return 'error-shapes';
  if (kind === 'form' && /amount/.test(at)) return 'amounts-as-text';
  if (kind === 'form' && /_(?:at|date|time)$/.test(at)) return 'dates-and-times';
  if (kind === 'value' && recorded === TRIMMED) return 'texts-are-trimmed';
  return kind === 'value' && at.endsWith('transaction_date') ? 'move-into-open-statement' : ofAnswer;
}

function ruleOfStatus(place: PlayedExchange): string | undefined {
  const { endpoint, exchange, twin, tolerates } = place;
  const isTwins = isTaken(twin);
  const resource = resourceOf(exchange);
  if (isTaken(exchange)) {
    if (endpoint === 'token') return 'token-mutation';
    const hasTwo = resource && DESCRIPTORS[resource].endpoint.success.length > 1;
    if (isTwins && hasTwo) return 'statement-status';
  }
  if (isEmptyList(exchange) && twin && (isTwins || isEmptyList(twin))) return 'empty-lists';
  if (exchange.status !== 400 || !isTwins) return undefined;
  if (isTooMany(exchange)) return 'most-records';
  if (lacksField(exchange)) return 'further-required-fields';
  if (tolerates && !exchange.answer?.includes('invalid_choice')) return 'tolerated-forms';
  const choices = openEnums('', recordShape(resource!));
  const isChoice = ({ code, path }: PlatformProblem): boolean =>
    code === null && choices.includes(String(path.at(-1)));
  return problemsOf(exchange).some(isChoice) ? 'closed-enums' : undefined;
}

/** The names of the fields with an open enum in a field, at any depth. */
function openEnums(name: string, shape: FieldShape | ObjectShape): readonly string[] {
  if (shape.kind === 'list') return openEnums(name, shape.item as FieldShape);
  if (shape.kind === 'object') return Object.entries(shape.fields).flatMap((each) => openEnums(...each));
  return shape.facts.known === undefined ? [] : [name];
}

/** The code that only the recorded platform names. `--behaviour rule=CODE` turns its rule on. */
function extraRuleOf({ exchange, twin }: PlayedExchange): ExtraRule | undefined {
  const { answer, status } = exchange;
  const isOurs = (code: string): boolean => answer?.includes(code) === true && !twin?.answer?.includes(code);
  if (status !== 400) return undefined;
  const isAbout = problemsOf(exchange).some(({ path }) => path.join() === 'external_account_number');
  // A shape without codes says only which field is wrong.
  return isAbout && twin?.status === 404 ? 'import_process_does_not_exist' : EXTRA_RULES.find(isOurs);
}

/** Whether a refusal asks for a field: it names the field, and the record that it names lacks it. */
function lacksField(exchange: Exchange): boolean {
  const resource = resourceOf(exchange);
  const records = recordsIn(exchange);
  const asks = ({ code, path, detail, transactionId }: PlatformProblem, field: string): boolean => {
    if (code !== null && code !== 'required' && transactionId === undefined) return false;
    const index = path.find((part) => typeof part === 'number');
    const own = records.filter((record, at) =>
      index === undefined
        ? transactionId === undefined || record['transaction_id'] === transactionId
        : at === index,
    );
    const isNamed = path.at(-1) === field || (path.length === 0 && RegExp(`\\b${field}\\b`).test(detail));
    return isNamed && own.length > 0 && own.every((record) => record[field] === undefined);
  };
  const problems = problemsOf(exchange);
  return Object.keys(resource ? DESCRIPTORS[resource].schema.shape : {}).some((field) =>
    problems.some((problem) => asks(problem, field)),
  );
}

/** The codes in parentheses that sentences end with, where an answer has no field for them. */
const codesOfSentences = (answers: string): readonly string[] =>
  [...answers.matchAll(/\((\w+)\)"/g)].map(([, code]) => code!);

/** How much less a rule is about than all requests. */
const narrowness = ({ endpoints, fields }: PlayedRule): number =>
  (fields === undefined ? 0 : 2) + (endpoints === undefined ? 0 : 1);

const resourceOf = (exchange: Exchange): Resource | undefined =>
  RESOURCES.find((each) => each === endpointOfExchange(exchange));

/** The problems that a recorded refusal names. */
const problemsOf = ({ answer }: Exchange): readonly PlatformProblem[] =>
  decodeError(plainJson(answer ?? '')).problems;

/** The shape of a refusal. One of a single transaction or of an instruction is documented, too. */
function errorShapeOf(refusal: Exchange | undefined): string {
  const { shape } = decodeError(plainJson(refusal?.answer ?? ''));
  return shape === 'transaction' || shape === 'payment_instruction' ? 'documented' : shape;
}

/** A list of an unknown supplier is a 404, too. */
function isEmptyList(exchange: Exchange): boolean {
  if (endpointOfExchange(exchange) !== 'lists') return false;
  const { status, answer } = exchange;
  return status === 404 ? !answer?.includes('import_supplier_not_found') : answer?.trim() === '[]';
}

/** Whether a request was refused for the number of its records. */
function isTooMany(exchange: Exchange): boolean {
  const resource = resourceOf(exchange);
  const list = resource && DESCRIPTORS[resource].list;
  const isNamed = problemsOf(exchange).some(
    ({ code, path }) => (code ?? 'max_length') === 'max_length' && path.join() === list,
  );
  return exchange.status === 400 && isNamed && recordsIn(exchange).length > 1;
}

/** The records of a request. */
function recordsIn({ body }: Exchange): readonly JsonObject[] {
  const json = plainJson(body ?? '');
  const list: unknown = isJsonObject(json) ? Object.values(json).find((value) => Array.isArray(value)) : [];
  return Array.isArray(list) ? list.filter(isJsonObject) : isJsonObject(json) ? [json] : [];
}

import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { EXTRA_RULES, type ExtraRule } from '../../server/options/behaviour.ts';
import type { PlatformProblem } from '../../core/validation-error.ts';
import { recordShape, type FieldShape, type ObjectShape } from '../mapping/language/fields.ts';
import type { EndpointName, Exchange } from '../recording/exchange.ts';
import { codesIn, TRIMMED, type Difference } from './differences.ts';
import type { PlayedExchange } from './play.ts';
import {
  errorShapeOf,
  hasTwoStatuses,
  isEmptyList,
  isTaken,
  isTooMany,
  problemsOf,
  recordsIn,
  resourceOf,
  type ShownBehaviour,
  type ShownDecision,
} from './shown-behaviour.ts';
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
  if (kind === 'identity') return ofIdentity;
  const isOtherShape = exchange.answer !== null && errorShapeOf(exchange) !== errorShapeOf(twin);
  if (exchange.status === 400 && isOtherShape) return 'error-shapes';
  if (kind === 'token life') return 'token-life';
  if (kind === 'code') return ofCode(theirs) ?? ofCode(recorded) ?? 'validation-error';
  if (kind === 'attr') return 'validation-error';
  if (kind === 'word')
    return repeatsRefused && ofIdentity === 'transaction-identity' ? 'failing-transaction' : ofIdentity;
  if (kind === 'order' || kind === 'count') return isRefusal ? 'every-problem' : ofAnswer;
  if (kind === 'name' && /account_number/.test(recorded + theirs)) return 'account-number-name';
  if (isRefusal) return 'error-shapes';
  if (kind === 'form' && /amount/.test(at)) return 'amounts-as-text';
  if (kind === 'form' && /_(?:at|date|time)$/.test(at)) return 'dates-and-times';
  if (kind === 'value' && recorded === TRIMMED) return 'texts-are-trimmed';
  return kind === 'value' && at.endsWith('transaction_date') ? 'move-into-open-statement' : ofAnswer;
}

/** The decisions about rules that have only one other way. */
const OTHER_WAY: Readonly<Record<string, string>> = {
  'transaction-identity': 'transaction-ids=platform',
  'tolerated-forms': 'strict',
  'closed-enums': 'strict',
  'unlisted-fields': 'lenient',
};

/** The decisions that could make the local platform follow a rule as an exchange shows it. Only a play says whether one does. */
export function decisionsAbout(
  rule: string,
  place: PlayedExchange,
  shown: ShownBehaviour,
): readonly ShownDecision[] {
  const { endpoint, exchange } = place;
  const code = extraRuleOf(place);
  if (code !== undefined) return [{ text: `rule=${code}` }];
  if (rule === 'further-required-fields')
    return missingFieldsOf(exchange).map((field) => ({ text: `require=${endpoint}.${field}` }));
  if (rule === 'failing-transaction') {
    const isKept = exchange.answer?.includes('TRANSACTION_ALREADY_EXISTS');
    return [{ text: `tx-400=${isKept ? 'prefix' : 'atomic'}` }];
  }
  const text = OTHER_WAY[rule];
  return text === undefined ? (shown[rule] ?? []) : [{ text }];
}

function ruleOfStatus(place: PlayedExchange): string | undefined {
  const { endpoint, exchange, twin, tolerates } = place;
  const isTwins = isTaken(twin);
  if (isTaken(exchange)) {
    if (endpoint === 'token') return 'token-mutation';
    if (isTwins && hasTwoStatuses(exchange)) return 'statement-status';
  }
  if (isEmptyList(exchange) && twin && (isTwins || isEmptyList(twin))) return 'empty-lists';
  if (exchange.status !== 400 || !isTwins) return undefined;
  if (isTooMany(exchange)) return 'most-records';
  if (missingFieldsOf(exchange).length > 0) return 'further-required-fields';
  if (tolerates && !exchange.answer?.includes('invalid_choice')) return 'tolerated-forms';
  const choices = openEnums('', recordShape(resourceOf(exchange)!));
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

/** The fields that a refusal asks for: it names each, and the record that it names lacks the field. */
function missingFieldsOf(exchange: Exchange): readonly string[] {
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
  return Object.keys(resource ? DESCRIPTORS[resource].schema.shape : {}).filter((field) =>
    problems.some((problem) => asks(problem, field)),
  );
}

/** The codes in parentheses that sentences end with, where an answer has no field for them. */
const codesOfSentences = (answers: string): readonly string[] =>
  [...answers.matchAll(/\((\w+)\)"/g)].map(([, code]) => code!);

/** How much less a rule is about than all requests. */
const narrowness = ({ endpoints, fields }: PlayedRule): number =>
  (fields === undefined ? 0 : 2) + (endpoints === undefined ? 0 : 1);

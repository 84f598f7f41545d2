import type { EndpointName, Exchange } from '../recording/exchange.ts';
import { codesIn, TRIMMED, type Difference } from './differences.ts';
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

/** The name of the rule of parity that a difference is about, where no flag of `serve` changes that rule. */
export function ruleOf(
  { kind, at, recorded, twin }: Difference,
  {
    endpoint,
    exchange,
    twinAnswer,
  }: { endpoint: EndpointName; exchange: Exchange; twinAnswer: string | null },
  rules: readonly PlayedRule[],
): string {
  const isRefusal = (exchange.status ?? 0) >= 300;
  const [ofAnswer, ofIdentity] = OF_ENDPOINT[endpoint];
  const answers = `${twinAnswer} ${exchange.answer}`;
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
  const other = OTHERS.find(([pattern]) => pattern.test(`${at} ${recorded} ${twin}`))?.[1];
  switch (kind) {
    case 'header':
    case 'token life':
      return other ?? 'answers-as-listed';
    case 'status':
      return codesIn(answers).flatMap((code) => ofCode(code) ?? [])[0] ?? other ?? ofAnswer;
    case 'code':
      return ofCode(twin) ?? ofCode(recorded) ?? 'validation-error';
    case 'attr':
      return 'validation-error';
    case 'word':
      return ofIdentity;
    case 'order':
    case 'count':
      return isRefusal ? 'every-problem' : ofAnswer;
    case 'form':
    case 'name':
    case 'value':
      if (kind === 'name' && /account_number/.test(recorded + twin)) return 'account-number-name';
      if (isRefusal) return 'error-shapes';
      if (kind === 'form' && /amount/.test(at)) return 'amounts-as-text';
      if (kind === 'form' && /_(?:at|date|time)$/.test(at)) return 'dates-and-times';
      if (kind === 'value' && recorded === TRIMMED) return 'texts-are-trimmed';
      if (kind === 'value' && at.endsWith('transaction_date')) return 'move-into-open-statement';
      return ofAnswer;
    default:
      return kind satisfies never;
  }
}

/** How much less a rule is about than all requests. */
const narrowness = ({ endpoints, fields }: PlayedRule): number =>
  (fields === undefined ? 0 : 2) + (endpoints === undefined ? 0 : 1);

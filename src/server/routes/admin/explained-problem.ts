import { DESCRIPTORS, RESOURCES } from '../../../core/contract/resources.ts';
import { sentenceOf, textsOf } from '../../../core/error-codes/sentence.ts';
import { isErrorCode } from '../../../core/error-codes/table.ts';
import { attrOfPath, pathOfAttr, type Path } from '../../../core/problem.ts';
import { Decimal, sum } from '../../../core/values/decimal.ts';
import type { LoggedProblem } from '../../http/logged-request.ts';
import { ruleOfProblem } from '../../parity/parity.ts';
import type { Platform } from '../../platform/platform.ts';
import { valueAt } from '../../../core/rules/schema-problems.ts';
import { exactJson } from '../../../core/values/exact-json.ts';

/** A problem with the rule that it breaks, and the next step of the client. */
export interface ExplainedProblem extends Omit<LoggedProblem, 'next' | 'field'> {
  /** The path of the field to look at first. */
  readonly field: string;
  /** Paths of the values that `field` is compared with. */
  readonly related: readonly string[];
  readonly next: string | null;
  /** Null when several rules fit. */
  readonly rule: Readonly<{ name: string; authority: string; source: string; says: string }> | null;
}

interface About {
  /** Null for a path that the interface does not have. */
  readonly endpoint: string | null;
  /** Undefined when it was not kept. */
  readonly body: string | undefined;
}

export function explained(
  problems: readonly LoggedProblem[],
  { endpoint, body }: About,
  platform: Platform,
): readonly ExplainedProblem[] {
  const json = body === undefined ? undefined : exactJson(body);
  return problems.map((problem) => explainedIn({ endpoint, json }, problem, platform));
}

interface Request {
  readonly endpoint: string | null;
  /** The body as JSON; undefined when it is not known. */
  readonly json: unknown;
}

function explainedIn(request: Request, problem: LoggedProblem, { contract }: Platform): ExplainedProblem {
  const { endpoint, json } = request;
  const { code } = problem;
  const field = problem.field ?? (problem.attr || (FIELDS_OF_REQUEST[code] ?? ''));
  const facts = factsOf(json);
  const detail = problem.detail || (isErrorCode(code) ? sentenceOf(code, facts) : code);
  const name = field.split('.').findLast((part) => !/^\d*$/.test(part)) ?? '';
  const next = problem.next ?? (isErrorCode(code) ? textsOf(code, facts).next : null);
  const rule = ruleOfProblem({ code, field: name, endpoint }, contract);
  return {
    ...problem,
    detail,
    next: [...sumsOf(code, pathOfAttr(field), json), ...(next === null ? [] : [next])].join(' ') || null,
    field,
    related: relatedTo({ code, path: pathOfAttr(field) }, request).map(attrOfPath),
    rule: rule ? { name: rule.name, authority: rule.authority, source: rule.source, says: rule.says } : null,
  };
}

/** The field that is looked at first when an answer refuses a request as a whole. */
const FIELDS_OF_REQUEST: Readonly<Record<string, string>> = {
  account_not_found: 'external_account_number',
  permission_denied: 'import_supplier',
};

const SUM_CODE = 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount';

/** Fields beside the one that a rule between fields names. `*` stands for every item of a list. */
const COMPARED: Readonly<Record<string, readonly Path[]>> = {
  [SUM_CODE]: [
    ['line_items', '*', 'net_amount'],
    ['tax_items', '*', 'amount'],
  ],
  incorrect_line_item_net_amount: [['price_per_unit'], ['number_of_units']],
  start_date_later_than_end_date: [['end_date']],
  bill_period_from_later_than_to: [['bill_period_to_date']],
  note_unpin_at_earlier_than_creation_date: [['created_at']],
};

/** Most related values of a problem. */
const MOST = 50;

function relatedTo(
  { code, path }: { code: string; path: Path },
  { endpoint, json }: Request,
): readonly Path[] {
  if (json === undefined || path.length === 0) return [];
  const around = path.slice(0, -1);
  const beside = (COMPARED[code] ?? []).flatMap((places) => pathsOf(json, around, places));
  const resource = RESOURCES.find((name) => name === endpoint);
  if (resource === undefined) return [];
  const { list, repetition } = DESCRIPTORS[resource];
  if (list === null || code !== repetition.code) return beside.slice(0, MOST);
  const id = valueAt(json, path);
  return itemsOf(valueAt(json, [list]))
    .flatMap((record, index) =>
      fieldsOf(record)[repetition.field] === id && index !== path[1] ? [[list, index, repetition.field]] : [],
    )
    .slice(0, MOST);
}

/** Both sides of a sum that is wrong. The problem itself names no value, because the log may keep no bodies. */
function sumsOf(code: string, path: Path, json: unknown): readonly string[] {
  if (code !== SUM_CODE) return [];
  const total = sum(amountsOfItems(valueAt(json, path.slice(0, -1)))).text;
  return decimalOf(valueAt(json, path)).map(
    ({ text }) => `The amount is ${text}, and its items add up to ${total}.`,
  );
}

/** The paths below a value that fit a pattern and have a value. */
function pathsOf(json: unknown, base: Path, [part, ...below]: Path): readonly Path[] {
  if (part === undefined) return valueAt(json, base) === undefined ? [] : [base];
  if (part !== '*') return pathsOf(json, [...base, part], below);
  return itemsOf(valueAt(json, base)).flatMap((_, index) => pathsOf(json, [...base, index], below));
}

/** The facts of a next step that the body has. */
function factsOf(json: unknown): Readonly<Record<string, string>> {
  const { import_supplier: supplier } = fieldsOf(json);
  return typeof supplier === 'string' && /^[\w.-]{1,64}$/.test(supplier) ? { supplier } : {};
}

/** The fields of an object; none of any other value. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Decimal)
    ? (value as Record<string, unknown>)
    : {};
}

/** The value as a list; empty when it is none. */
function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a decimal; none when it is no number. */
function decimalOf(value: unknown): readonly Decimal[] {
  const read = typeof value === 'string' ? Decimal.parse(value) : value;
  return read instanceof Decimal ? [read] : [];
}

/** The amounts that the amount of a transaction is the sum of. */
function amountsOfItems(transaction: unknown): readonly Decimal[] {
  const { line_items, tax_items } = fieldsOf(transaction);
  return [
    ...itemsOf(line_items).map((item) => fieldsOf(item)['net_amount']),
    ...itemsOf(tax_items).map((item) => fieldsOf(item)['amount']),
  ].flatMap(decimalOf);
}

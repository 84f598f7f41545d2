import { DESCRIPTORS, RESOURCES, type Resource } from '../contract/resources.ts';
import { FIELD_CODES } from '../error-codes/platform-codes.ts';
import { entryOf, isErrorCode, type ErrorCode } from '../error-codes/table.ts';
import { failure, type Path } from '../problem.ts';
import type { RecordRule } from '../rules/rule.ts';
import { isBefore, parseInstant } from '../values/instant.ts';
import { isJsonObject, type JsonObject } from '../values/plain-json.ts';
import type { CodeRule, OperatorContract } from './contract.ts';

/** The places of a record that break a rule. */
type Breaches = (record: JsonObject, contract: OperatorContract) => readonly Path[];

/** The two ways in which a statement names its document. */
const DOCUMENT = ['statement_path', 'pdf_context'];

/** Rules that only hold where the operator names their codes (deployments.md, "Rules named by deployments"), each about a resource or all. */
const SWITCHABLE: readonly (readonly [ErrorCode, Resource | null, Breaches])[] = [
  [
    'conflicting_rate_band_specification',
    'transactions',
    ofItems(isNamed(['rate_band', 'rate_specification_code', 'time_series_specification_code'], 1), [
      'rate_band',
    ]),
  ],
  [
    'supply_point_identifier_required_for_rate_specification_code',
    'transactions',
    ofItems(supplyPointOfRateNamed, ['rate_specification_code']),
  ],
  [
    'invalid_charge_target_type',
    'transactions',
    ofItems(chargeTargetTypeKnown, ['params', 'charge_target_type']),
  ],
  [
    'missing_statement_path_or_pdf_context',
    'statements',
    ofRecord(isNamed(DOCUMENT, 1, 2), 'statement_path'),
  ],
  [
    'received_statement_path_and_pdf_context',
    'statements',
    ofRecord(isNamed(DOCUMENT, 0, 1), 'statement_path'),
  ],
  [
    'mutually_exclusive_field_required',
    'payment-instructions',
    ofRecord(isNamed(['reference', 'instruction_reference'], 1), 'reference'),
  ],
  ['from_time_not_after_to_time', null, (record) => timesOutOfOrder(record)],
];

function ofRecord(isKept: (record: JsonObject) => boolean, field: string): Breaches {
  return (record) => (isKept(record) ? [] : [[field]]);
}

function ofItems(
  isKept: (item: JsonObject, transaction: JsonObject, contract: OperatorContract) => boolean,
  at: Path,
): Breaches {
  return (transaction, contract) =>
    [transaction['line_items'] ?? []]
      .flat()
      .flatMap((item, index) =>
        isJsonObject(item) && !isKept(item, transaction, contract) ? [['line_items', index, ...at]] : [],
      );
}

/** Whether a contract can turn a rule on and off, because it is about records and holds for some operators only. */
export const isSwitchable = (code: string): boolean => SWITCHABLE.some(([own]) => own === code);

/** The rules about records of a resource that a contract turns on. A resource that it does not describe has none. */
export function rulesByCode(
  resource: Resource,
  contract: OperatorContract,
): readonly RecordRule<JsonObject>[] {
  if (!contract.resources[resource]) return [];
  return SWITCHABLE.flatMap(([code, about, breaches]) =>
    [resource, null].includes(about) && contract.rules.some((rule) => rule.code === code && !rule.off)
      ? (record: JsonObject) => breaches(record, contract).map((path) => failure(code, path))
      : [],
  );
}

/** Whether an object has at least and at most so many of some fields. */
function isNamed(names: readonly string[], least: number, most = least): (object: JsonObject) => boolean {
  return (object) => {
    const count = names.filter((name) => isFilled(object[name])).length;
    return least <= count && count <= most;
  };
}

/** A rate that is named by its specification code belongs to a supply point, which the item, its params or the transaction name. */
function supplyPointOfRateNamed(item: JsonObject, transaction: JsonObject): boolean {
  const holders = [item, item['params'], transaction];
  return (
    !isFilled(item['rate_specification_code']) ||
    holders.some((holder) => isJsonObject(holder) && isFilled(holder['supply_point_identifier']))
  );
}

/** The types of charge targets are those that the operator lists, or those of the published rule. */
function chargeTargetTypeKnown(item: JsonObject, _: JsonObject, { resources }: OperatorContract): boolean {
  const type = isJsonObject(item['params']) ? (item['params']['charge_target_type'] ?? undefined) : undefined;
  const { fields } = resources.transactions?.types?.['SUPPLY_CHARGE'] ?? {};
  const own = fields?.['line_items']?.fields?.['[]']?.fields?.['params']?.fields?.['charge_target_type'];
  return type === undefined || (own?.values ?? ['SUPPLY_POINT', 'REGISTER']).includes(type as string);
}

const FROM_TIME = /(?<=^|_)from_time(?=_|$)/;

/** The periods in any object of a record that begin after they end. Times that cannot be compared prove nothing. */
function timesOutOfOrder(value: unknown, path: Path = []): readonly Path[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => timesOutOfOrder(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const end = FROM_TIME.test(name) ? value[name.replace(FROM_TIME, 'to_time')] : undefined;
    return isAfter(inner, end) ? [[...path, name]] : timesOutOfOrder(inner, [...path, name]);
  });
}

function isAfter(start: unknown, end: unknown): boolean {
  if (typeof start !== 'string' || typeof end !== 'string') return false;
  if (parseInstant(start) && parseInstant(end)) return isBefore(end, start);
  // Dates of one form are in the order of their texts, and so are times of a day.
  return start.length === end.length && /^[\d:-]+$/.test(start + end) && start > end;
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Where a rule that the document of an operator names by its code is enforced. */
export type Enforcement = 'check_and_serve' | 'serve' | 'nowhere';

/** Whether `check` has the rule of a code, for every operator or where a contract turns it on. */
export function isCheckable(code: string): boolean {
  const isOfFile = RESOURCES.some((resource) => DESCRIPTORS[resource].repetition.code === code);
  return isOfFile || enforcementOf({ code }) === 'check_and_serve';
}

/** Where a rule of a contract is enforced. */
export function enforcementOf({ code, off }: Pick<CodeRule, 'code' | 'off'>): Enforcement {
  const decides = isErrorCode(code) ? entryOf(code).decidedBy : undefined;
  // Other rules hold for every operator, so no contract turns them off.
  if (off && (isSwitchable(code) || decides === 'some platforms')) return 'nowhere';
  if (Object.hasOwn(FIELD_CODES, code) || isSwitchable(code) || decides === 'record')
    return 'check_and_serve';
  return decides === undefined ? 'nowhere' : 'serve';
}

/** Where a rule is enforced, as every page and report says it. */
export function enforcementPhrase(rule: CodeRule): string {
  switch (enforcementOf(rule)) {
    case 'check_and_serve':
      // The interface narrows this rule, which no contract loosens.
      return rule.code === 'mutually_exclusive_field_required'
        ? 'enforced by check and serve, and the interface requires reference: an instruction with instruction_reference alone cannot be sent'
        : 'enforced by check and serve';
    case 'serve':
      return 'enforced by serve alone, because it depends on the data of the platform';
    case 'nowhere':
      return `NOT ENFORCED by check and serve${rule.off ? ', because the contract turns it off' : ': only the platform finds it'}`;
  }
}

import type { Resource } from '../contract/resources.ts';
import type { ErrorCode } from '../error-codes/table.ts';
import { failure, type Path } from '../problem.ts';
import type { RecordRule } from '../rules/rule.ts';
import { isCalendarDate } from '../values/calendar-date.ts';
import { isBefore, parseInstant } from '../values/instant.ts';
import { isJsonObject, type JsonObject } from '../values/plain-json.ts';
import type { OperatorContract } from './contract.ts';
import { eachField, recordUnder } from './fields.ts';

/** A rule about records of a resource, or of all: the places that break it. */
type Rule = {
  readonly code: ErrorCode;
  readonly resource?: Resource;
  /** @param targets the types of charge targets that the operator lists, or the known ones */
  readonly breaches: (record: JsonObject, targets: readonly unknown[]) => readonly Path[];
};

/** Rules that only hold where the operator names their codes (deployments.md, "Rules named by deployments"). */
const SWITCHABLE: readonly Rule[] = [
  ofItems('conflicting_rate_band_specification', rateNamedOnce, 'rate_band'),
  ofItems(
    'supply_point_identifier_required_for_rate_specification_code',
    supplyPointOfRateNamed,
    'rate_specification_code',
  ),
  ofItems('invalid_charge_target_type', chargeTargetTypeKnown, 'params', 'charge_target_type'),
  of('statements', 'missing_statement_path_or_pdf_context', statementNamesDocument, 'statement_path'),
  of('statements', 'received_statement_path_and_pdf_context', statementNamesDocumentOnce, 'statement_path'),
  of('payment-instructions', 'mutually_exclusive_field_required', instructionNamedOnce, 'reference'),
  { code: 'from_time_not_after_to_time', breaches: (record) => timesInOrder(record) },
];

function of(
  resource: Resource,
  code: ErrorCode,
  isKept: (record: JsonObject) => boolean,
  field: string,
): Rule {
  return { code, resource, breaches: (record) => (isKept(record) ? [] : [[field]]) };
}

function ofItems(
  code: ErrorCode,
  isKept: (item: JsonObject, transaction: JsonObject, targets: readonly unknown[]) => boolean,
  ...at: Path
): Rule {
  const breaches: Rule['breaches'] = (transaction, targets) => {
    const items = Array.isArray(transaction['line_items']) ? (transaction['line_items'] as unknown[]) : [];
    return items.flatMap((item, index) =>
      isJsonObject(item) && !isKept(item, transaction, targets) ? [['line_items', index, ...at]] : [],
    );
  };
  return { code, resource: 'transactions', breaches };
}

/** Whether a contract can turn a rule on and off, because it is about records and holds for some operators only. */
export const isSwitchable = (code: string): boolean => SWITCHABLE.some((rule) => rule.code === code);

/** The rules about records of a resource that a contract turns on. A resource that it does not describe has none. */
export function rulesByCode(
  resource: Resource,
  { resources, schemas, rules }: OperatorContract,
): readonly RecordRule<JsonObject>[] {
  const described = resources[resource];
  if (!described) return [];
  const fields = new Map(eachField(recordUnder(resource, described, schemas, 'SUPPLY_CHARGE')));
  const targets = fields.get('line_items[].params.charge_target_type')?.values ?? [
    'SUPPLY_POINT',
    'REGISTER',
  ];
  const on = rules.flatMap(({ code, off }) => (off ? [] : [code]));
  return SWITCHABLE.flatMap(({ code, resource: of = resource, breaches }) =>
    of === resource && on.includes(code)
      ? (record: JsonObject) => breaches(record, targets).map((path) => failure(code, path))
      : [],
  );
}

/** A line item names its rate in exactly one way. */
function rateNamedOnce(item: JsonObject): boolean {
  const names = ['rate_band', 'rate_specification_code', 'time_series_specification_code'];
  return names.filter((name) => Object.hasOwn(item, name)).length === 1;
}

/** A rate that is named by its specification code belongs to a supply point, which the item, its params or the transaction name. */
function supplyPointOfRateNamed(item: JsonObject, transaction: JsonObject): boolean {
  const holders = [item, item['params'], transaction];
  return (
    !isFilled(item['rate_specification_code']) ||
    holders.some((holder) => isJsonObject(holder) && isFilled(holder['supply_point_identifier']))
  );
}

function chargeTargetTypeKnown({ params }: JsonObject, _: JsonObject, known: readonly unknown[]): boolean {
  const type = isJsonObject(params) ? (params['charge_target_type'] ?? undefined) : undefined;
  return type === undefined || known.includes(type);
}

/** A statement names its document by its path, or by the other field that some operators have for it. */
function statementNamesDocument({ statement_path: path, pdf_context: context }: JsonObject): boolean {
  return isFilled(path) || isFilled(context);
}

function statementNamesDocumentOnce({ statement_path: path, pdf_context: context }: JsonObject): boolean {
  return !(isFilled(path) && isFilled(context));
}

/** An instruction names itself in exactly one way. */
function instructionNamedOnce(instruction: JsonObject): boolean {
  return Object.hasOwn(instruction, 'reference') !== Object.hasOwn(instruction, 'instruction_reference');
}

const FROM_TIME = /(?<=^|_)from_time(?=_|$)/;

/** The periods in any object of a record that begin after they end. Times that cannot be compared prove nothing. */
function timesInOrder(value: unknown, path: Path = []): readonly Path[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => timesInOrder(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const end = FROM_TIME.test(name) ? value[name.replace(FROM_TIME, 'to_time')] : undefined;
    return isAfter(inner, end) ? [[...path, name]] : timesInOrder(inner, [...path, name]);
  });
}

const TIME_OF_DAY = /^\d\d:\d\d(?::\d\d)?$/;

function isAfter(start: unknown, end: unknown): boolean {
  if (typeof start !== 'string' || typeof end !== 'string') return false;
  if (parseInstant(start) && parseInstant(end)) return isBefore(end, start);
  const isComparable = [isCalendarDate, (text: string) => TIME_OF_DAY.test(text)].some(
    (is) => is(start) && is(end),
  );
  return isComparable && start > end;
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

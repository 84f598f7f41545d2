import type { Resource } from '../contract/resources.ts';
import type { ErrorCode } from '../error-codes/table.ts';
import { failure, type Path, type Problem } from '../problem.ts';
import type { RecordRule } from '../rules/rule.ts';
import { isCalendarDate } from '../values/calendar-date.ts';
import { isBefore, parseInstant } from '../values/instant.ts';
import { isJsonObject, type JsonObject } from '../values/plain-json.ts';
import type { OperatorContract } from './contract.ts';
import { eachField, recordUnder } from './fields.ts';

/** Rules about records that only hold where the operator names their codes (deployments.md, "Rules named by deployments"). */
const SWITCHABLE: readonly {
  readonly code: ErrorCode;
  readonly resource?: Resource;
  /** `targets`: the types of charge targets that the operator lists, or the known ones. */
  readonly rule: (record: JsonObject, targets: readonly string[]) => readonly Problem[];
}[] = [
  { code: 'conflicting_rate_band_specification', resource: 'transactions', rule: rateNamedOnce },
  {
    code: 'supply_point_identifier_required_for_rate_specification_code',
    resource: 'transactions',
    rule: supplyPointOfRateNamed,
  },
  { code: 'invalid_charge_target_type', resource: 'transactions', rule: chargeTargetTypeKnown },
  { code: 'missing_statement_path_or_pdf_context', resource: 'statements', rule: statementNamesDocument },
  {
    code: 'received_statement_path_and_pdf_context',
    resource: 'statements',
    rule: statementNamesDocumentOnce,
  },
  { code: 'mutually_exclusive_field_required', resource: 'payment-instructions', rule: instructionNamedOnce },
  { code: 'from_time_not_after_to_time', rule: (record) => timesInOrder(record) },
];

/** Whether a contract can turn a rule on and off, because it is about records and holds for some operators only. */
export function isSwitchable(code: string): boolean {
  return SWITCHABLE.some((each) => each.code === code);
}

/** The rules about records of a resource that a contract turns on. A resource that it does not describe has none. */
export function rulesByCode(
  resource: Resource,
  { resources, schemas, rules }: OperatorContract,
): readonly RecordRule<JsonObject>[] {
  const described = resources[resource];
  if (!described) return [];
  const on = new Set(rules.flatMap(({ code, off }) => (off ? [] : [code])));
  const record = recordUnder(resource, described, schemas, 'SUPPLY_CHARGE');
  const [, target] =
    eachField(record).find(([path]) => path === `line_items[].params.${CHARGE_TARGET_TYPE}`) ?? [];
  const targets = target?.values ?? CHARGE_TARGET_TYPES;
  return SWITCHABLE.filter(({ code, resource: of = resource }) => of === resource && on.has(code)).map(
    ({ rule }) =>
      (record) =>
        rule(record, targets),
  );
}

const RATE_NAMES = ['rate_band', 'rate_specification_code', 'time_series_specification_code'];

/** A line item names its rate in exactly one way. */
function rateNamedOnce(transaction: JsonObject): readonly Problem[] {
  return eachLineItem(transaction, (item, path) =>
    given(item, RATE_NAMES) === 1
      ? []
      : [failure('conflicting_rate_band_specification', [...path, 'rate_band'])],
  );
}

/** A rate that is named by its specification code belongs to a supply point, which the item, its params or the transaction name. */
function supplyPointOfRateNamed(transaction: JsonObject): readonly Problem[] {
  const field = 'supply_point_identifier';
  return eachLineItem(transaction, (item, path) => {
    const holders = [item, item['params'], transaction];
    return isFilled(item['rate_specification_code']) &&
      !holders.some((holder) => isJsonObject(holder) && isFilled(holder[field]))
      ? [
          failure('supply_point_identifier_required_for_rate_specification_code', [
            ...path,
            'rate_specification_code',
          ]),
        ]
      : [];
  });
}

const CHARGE_TARGET_TYPE = 'charge_target_type';

/** The types of deployments.md, "What an operator's own description contains". */
const CHARGE_TARGET_TYPES = ['SUPPLY_POINT', 'REGISTER'];

function chargeTargetTypeKnown(transaction: JsonObject, known: readonly string[]): readonly Problem[] {
  return eachLineItem(transaction, ({ params }, path) => {
    const type = isJsonObject(params) ? params[CHARGE_TARGET_TYPE] : undefined;
    return type === undefined || type === null || known.includes(type as string)
      ? []
      : [failure('invalid_charge_target_type', [...path, 'params', CHARGE_TARGET_TYPE])];
  });
}

/** A statement names its document by its path, or by the other field that some operators have for it. */
function statementNamesDocument(statement: JsonObject): readonly Problem[] {
  return documentNames(statement) === 0
    ? [failure('missing_statement_path_or_pdf_context', ['statement_path'])]
    : [];
}

function statementNamesDocumentOnce(statement: JsonObject): readonly Problem[] {
  return documentNames(statement) > 1
    ? [failure('received_statement_path_and_pdf_context', ['statement_path'])]
    : [];
}

const documentNames = ({ statement_path: path, pdf_context: context }: JsonObject): number =>
  [path, context].filter(isFilled).length;

/** An instruction names itself in exactly one way. */
function instructionNamedOnce(instruction: JsonObject): readonly Problem[] {
  return given(instruction, ['reference', 'instruction_reference']) === 1
    ? []
    : [failure('mutually_exclusive_field_required', ['reference'])];
}

const FROM_TIME = /(?<=^|_)from_time(?=_|$)/;

/** A period in any object of a record begins no later than it ends. Times that cannot be compared prove nothing. */
function timesInOrder(value: unknown, path: Path = []): readonly Problem[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => timesInOrder(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const end = FROM_TIME.test(name) ? value[name.replace(FROM_TIME, 'to_time')] : undefined;
    return isAfter(inner, end)
      ? [failure('from_time_not_after_to_time', [...path, name])]
      : timesInOrder(inner, [...path, name]);
  });
}

const TIME_OF_DAY = /^\d\d:\d\d(?::\d\d)?$/;

function isAfter(start: unknown, end: unknown): boolean {
  if (typeof start !== 'string' || typeof end !== 'string') return false;
  const [from, to] = [parseInstant(start), parseInstant(end)];
  if (from !== undefined && to !== undefined) return isBefore(end, start);
  const isComparable =
    (isCalendarDate(start) && isCalendarDate(end)) || (TIME_OF_DAY.test(start) && TIME_OF_DAY.test(end));
  return isComparable && start > end;
}

function eachLineItem(
  { line_items: items }: JsonObject,
  check: (item: JsonObject, path: Path) => readonly Problem[],
): readonly Problem[] {
  return Array.isArray(items)
    ? items.flatMap((item: unknown, index) => (isJsonObject(item) ? check(item, ['line_items', index]) : []))
    : [];
}

function given(fields: JsonObject, names: readonly string[]): number {
  return names.filter((name) => Object.hasOwn(fields, name)).length;
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

import { DESCRIPTORS, type RecordOf, type Resource } from '../../core/contract/resources.ts';
import { failure, type Problem } from '../../core/problem.ts';
import { checkRecord, type CheckedRecord } from '../../core/rules/record.ts';
import type { EnumJudge } from '../../core/rules/rule.ts';
import { toleratedValues, untolerated, type ToleratedForm } from '../../core/rules/tolerated-forms.ts';
import type { CalendarDate } from '../../core/values/calendar-date.ts';
import { listOf, type EnumField } from '../store/setup.ts';
import type { Platform } from './platform.ts';
import { countIgnored, listedPartOf } from './unlisted-fields.ts';

/** The context in which the records of one request are checked. */
export interface RecordCheck {
  readonly platform: Platform;
  readonly today: CalendarDate;
  /** The enums that the operator closed. */
  readonly closed: ReadonlySet<EnumField>;
  /** How many values of accepted records came in each form that the interface does not show. Counted while records are checked. */
  readonly tolerated: Partial<Record<ToleratedForm, number>>;
}

/** Has to run in the transaction of the request. */
export function recordCheck(platform: Platform): RecordCheck {
  return {
    platform,
    today: platform.today(),
    closed: platform.store.closedLists.closedEnums(),
    tolerated: {},
  };
}

/**
 * Checks a record by the rules that client and server share, and by the rules that the operator adds. Has to run in the
 * transaction of the request.
 */
export function checkAsPlatform<K extends Resource>(
  resource: K,
  candidate: unknown,
  check: RecordCheck,
): CheckedRecord<RecordOf[K]> {
  const { platform, today } = check;
  const context = { today, judge: enumJudgeFor(candidate, check), descriptors: platform.descriptors };
  const strictly = checkRecord(resource, candidate, context);
  const listed = listedPartOf(candidate, strictly.problems, platform);
  const checked = listed ? checkRecord(resource, listed.value, context) : strictly;
  if (checked.record === undefined) return checked;

  const conflicts = platform.behaviour.rules.includes('conflicting_rate_band_specification')
    ? rateNamedOnce(candidate)
    : [];
  const { schema, schemaFor } = platform.descriptors[resource];
  const sent = listed ? listed.value : candidate;
  const forms = toleratedValues(schemaFor?.(sent) ?? schema, sent);
  const refused = [
    ...conflicts,
    ...missingFields(resource, sent, platform),
    ...(platform.behaviour.strict ? forms.map(untolerated) : []),
  ];
  if (refused.length > 0) return { record: undefined, problems: [...checked.problems, ...refused] };
  for (const { form } of forms) check.tolerated[form] = (check.tolerated[form] ?? 0) + 1;
  if (listed) {
    const { list } = DESCRIPTORS[resource];
    const at = list === null ? [] : [list, 0];
    countIgnored(
      resource,
      listed.ignored.map((path) => [...at, ...path]),
      platform,
    );
  }
  return checked;
}

/** With `--behaviour require` a record has fields that the interface leaves open. */
function missingFields(
  resource: Resource,
  record: unknown,
  { behaviour }: Pick<Platform, 'behaviour'>,
): readonly Problem[] {
  return behaviour.requires.flatMap((name) => {
    const field = name.startsWith(`${resource}.`) ? name.slice(resource.length + 1) : undefined;
    const isMissing =
      field !== undefined && (record as Readonly<Record<string, unknown>>)[field] === undefined;
    return isMissing ? [failure('required', [field])] : [];
  });
}

/** Judges the enums of a candidate. A closed enum accepts its list, and `--behaviour strict` accepts only values of interface.md. */
function enumJudgeFor(
  candidate: unknown,
  { platform: { store, behaviour }, closed }: Pick<RecordCheck, 'platform' | 'closed'>,
): EnumJudge {
  const type = (candidate as { type?: unknown } | null)?.type;
  return (name, value, isShown) => {
    const isInstruction = name === 'type';
    const field = (isInstruction ? 'instruction_type' : name) as EnumField;
    const transactionType = typeof type === 'string' ? type : '';
    const lists = [transactionType, ''].map((each) => listOf.enumValues(field, each));
    const takes = closed.has(field) ? store.closedLists.takes(value, ...lists) : undefined;
    if (takes ?? isShown) return 'known';
    return takes === false || behaviour.strict ? 'refused' : 'undocumented';
  };
}

/** The interface lists the first only. The others are fields of deployments, and `--behaviour lenient` alone lets them through. */
const RATE_NAMES = ['rate_band', 'rate_specification_code', 'time_series_specification_code'];

/**
 * With the rule `conflicting_rate_band_specification` a line item names its rate in exactly one way (deployments.md, "Rules
 * named by deployments").
 * @param candidate a transaction as it was sent, without problems of its own
 */
function rateNamedOnce(candidate: unknown): readonly Problem[] {
  const { line_items: items = [] } = candidate as { line_items?: readonly object[] };
  return items.flatMap((item, index) =>
    RATE_NAMES.filter((name) => Object.hasOwn(item, name)).length === 1
      ? []
      : [failure('conflicting_rate_band_specification', ['line_items', index, 'rate_band'])],
  );
}

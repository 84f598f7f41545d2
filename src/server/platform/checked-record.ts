import { DESCRIPTORS, type RecordOf, type Resource } from '../../core/contract/resources.ts';
import { checkRecord, type CheckedRecord } from '../../core/rules/record.ts';
import type { CalendarDate } from '../../core/values/calendar-date.ts';
import type { EnumField } from '../store/enum-values.ts';
import { judgeOf } from './closed-enums.ts';
import type { Platform } from './platform.ts';
import { rateNamedOnce } from './rate-names.ts';
import { countIgnored, listedPartOf } from './unlisted-fields.ts';

/** What the records of one request are checked with. */
export interface RecordCheck {
  readonly platform: Platform;
  readonly today: CalendarDate;
  /** The enums that are not open. */
  readonly closed: ReadonlySet<EnumField>;
}

/** Has to run in the transaction of the request. */
export function recordCheck(platform: Platform): RecordCheck {
  return { platform, today: platform.today(), closed: platform.store.enumValues.closed() };
}

/**
 * Checks one record of a request as this platform was told to: by the rules that both ends share, and by what the
 * operator adds to them. Has to run in the transaction of the request.
 */
export function checkAsPlatform<K extends Resource>(
  resource: K,
  candidate: unknown,
  check: RecordCheck,
): CheckedRecord<RecordOf[K]> {
  const { platform, today } = check;
  const context = { today, judge: judgeOf(candidate, check) };
  const strictly = checkRecord(resource, candidate, context);
  const listed = listedPartOf(candidate, strictly.problems, platform);
  const checked = listed ? checkRecord(resource, listed.value, context) : strictly;
  if (checked.record === undefined) return checked;

  const conflicts = platform.behaviour.rules.includes('conflicting_rate_band_specification')
    ? rateNamedOnce(candidate)
    : [];
  if (conflicts.length > 0) return { record: undefined, problems: [...checked.problems, ...conflicts] };
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

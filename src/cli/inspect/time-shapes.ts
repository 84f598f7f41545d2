import { isCalendarDate } from '../../core/values/calendar-date.ts';

/** Whether a text is a day as CYYMMDD, in which C counts the centuries from 1900. */
export function isCenturyDay(text: string): boolean {
  const [, century, year, month, day] = /^([01])(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  return century !== undefined && isCalendarDate(`${century === '1' ? '20' : '19'}${year}-${month}-${day}`);
}

/** The format of a time of day without a date; undefined for other texts. */
export function timeFormatOf(text: string): string | undefined {
  const [, hour, minute, second] = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (hour === undefined || hour.padStart(2, '0') > '23' || minute! > '59' || (second ?? '00') > '59')
    return undefined;
  return `${hour.length === 1 ? 'H' : 'HH'}:mm${second === undefined ? '' : ':ss'}`;
}

import { TOLERATED_FORMS } from '../../core/rules/tolerated-forms.ts';
import type { LoggedRequest } from './logged-request.ts';

/** The requests of a day. A request that a fault answered counts as nothing else. */
export interface CountsOfDay {
  readonly requests: number;
  /** Answered with 4xx. */
  readonly refused: number;
  /** Answered with 5xx, or not at all. */
  readonly failed: number;
  /** Answered by a fault, or left without an answer by one. */
  readonly by_fault: number;
}

const NONE: CountsOfDay = { requests: 0, refused: 0, failed: 0, by_fault: 0 };

/** Counts the requests of a log since its start or its last reset: those of the last day with requests, and every tolerated value. */
export function requestTally() {
  /** A date in UTC, by the real clock. */
  let day = '';
  let counts = NONE;
  const tolerated = { amount_as_text: 0, other_offset: 0 };
  return {
    add: (request: Omit<LoggedRequest, 'seq'>) => {
      for (const form of TOLERATED_FORMS) tolerated[form] += request.tolerated?.[form] ?? 0;
      const date = request.at.slice(0, 10);
      if (date > day) [day, counts] = [date, NONE];
      // A long request may have arrived on the day before.
      if (date === day) counts = withRequest(counts, request);
    },
    /** The requests that arrived on a date. Only the last day with requests has counts. */
    of: (date: string): CountsOfDay => (date === day ? counts : NONE),
    /** How many values came in each form that the interface does not show. */
    tolerated: () => ({ ...tolerated }),
  };
}

function withRequest(counts: CountsOfDay, request: Omit<LoggedRequest, 'seq'>): CountsOfDay {
  const { status } = request;
  const { requests, refused, failed, by_fault } = counts;
  const counted = { ...counts, requests: requests + 1 };
  if (isByFault(request)) return { ...counted, by_fault: by_fault + 1 };
  if (status === null || status >= 500) return { ...counted, failed: failed + 1 };
  return status >= 400 ? { ...counted, refused: refused + 1 } : counted;
}

const OWN_ANSWER: ReadonlySet<string> = new Set(['delay', 'twice']);

/** Whether a fault made the answer, or took it away. After a delay and a second delivery the answer is the platform's own, if the client still waits. */
export function isByFault({ faults = [], status }: Pick<LoggedRequest, 'faults' | 'status'>): boolean {
  return faults.some(({ effect }) => !OWN_ANSWER.has(effect) || status === null);
}

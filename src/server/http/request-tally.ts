import { TOLERATED_FORMS } from '../../core/rules/tolerated-forms.ts';
import type { LoggedRequest } from './logged-request.ts';

/** Codes that are counted apart. */
const MOST_CODES = 500;

/** Counts the requests of a log since its start or its last reset. */
export function requestTally() {
  // A request that a fault answered counts as nothing else.
  const counts = {
    requests: 0,
    /** Answered with 4xx. */
    refused: 0,
    /** Answered with 5xx, or not at all. */
    failed: 0,
    /** Answered by a fault, or left without an answer by one. */
    by_fault: 0,
  };
  const refusals = new Map<string, number>();
  const tolerated = { amount_as_text: 0, other_offset: 0 };
  return {
    add: (request: Omit<LoggedRequest, 'seq'>) => {
      const { status, codes } = request;
      counts.requests += 1;
      for (const form of TOLERATED_FORMS) tolerated[form] += request.tolerated?.[form] ?? 0;
      if (isByFault(request)) return void (counts.by_fault += 1);
      if (status === null || status >= 500) counts.failed += 1;
      else if (status >= 400) counts.refused += 1;
      for (const code of codes)
        if (refusals.has(code) || refusals.size < MOST_CODES)
          refusals.set(code, (refusals.get(code) ?? 0) + 1);
    },
    counts: () => ({ ...counts }),
    /** How many values came in each form that the interface does not show. */
    tolerated: () => ({ ...tolerated }),
    /** How many requests the platform refused with each code, the most frequent code first. */
    refusals: () =>
      [...refusals]
        .map(([code, requests]) => ({ code, requests }))
        .toSorted((a, b) => b.requests - a.requests || (a.code < b.code ? -1 : 1)),
  };
}

const OWN_ANSWER: ReadonlySet<string> = new Set(['delay', 'twice']);

/** Whether a fault made the answer, or took it away. After a delay and a second delivery the answer is the platform's own, if the client still waits. */
export function isByFault({ faults = [], status }: Pick<LoggedRequest, 'faults' | 'status'>): boolean {
  return faults.some(({ effect }) => !OWN_ANSWER.has(effect) || status === null);
}

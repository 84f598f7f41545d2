import { endpointOfExchange, type EndpointName, type Exchange } from '../recording/exchange.ts';
import type { Recording } from '../recording/recording.ts';
import { THERE_ALREADY } from '../push/ports/there-already.ts';
import { differencesOf, type Difference } from './differences.ts';
import { ruleOf } from './rules-touched.ts';
import { switchOf, type Switch } from './switches.ts';
import { startTwin, type PlayedRule, type TwinOptions } from './twin.ts';

/** A difference, however often it occurs. */
export interface FoundDifference extends Difference {
  /** Names the difference in a file of accepted ones. */
  readonly id: string;
  readonly endpoint: EndpointName;
  readonly count: number;
  /** Number of the first exchange that has it, from 1. */
  readonly first: number;
  readonly rule: string;
  readonly switch: Switch | undefined;
}

/** How many exchanges of an endpoint the twin answers as the recorded platform did. */
export interface EndpointCounts {
  readonly endpoint: EndpointName;
  readonly exchanges: number;
  readonly same: number;
  readonly differs: number;
  /** No whole answer is recorded, or one that says only that the platform was busy or broken. */
  readonly unsaid: number;
}

/** A recording beside the answers of the twin. */
export interface Comparison {
  readonly counts: readonly EndpointCounts[];
  readonly differences: readonly FoundDifference[];
  readonly rules: readonly PlayedRule[];
}

/** Plays a recording to a twin, in its order, and compares answer by answer. @throws AppError those of `startTwin` */
export async function comparedRecording(recording: Recording, options: TwinOptions): Promise<Comparison> {
  const twin = await startTwin(recording, options);
  const counts = new Map<EndpointName, Record<'exchanges' | 'same' | 'differs' | 'unsaid', number>>();
  const found = new Map<string, FoundDifference>();
  try {
    for (const [index, exchange] of recording.exchanges.entries()) {
      const endpoint = endpointOfExchange(exchange);
      const counted = counts.get(endpoint) ?? { exchanges: 0, same: 0, differs: 0, unsaid: 0 };
      counts.set(endpoint, counted);
      counted.exchanges++;
      const isJudged = exchange.status !== null && !isBusy(exchange.status);
      let answer = isJudged || wasApplied(recording, index) ? await twin.play(exchange) : undefined;
      // A vendor of the seed that fails at first has failed in the recording, too, and those requests were not played.
      if (answer && answer.status >= 500)
        for (let left = failuresBefore(recording, index); left > 0 && answer.status >= 500; left--)
          answer = await twin.play(exchange);
      const busy = busyOf(exchange);
      const differences = answer && isJudged ? differencesOf(exchange, answer) : busy ? [busy] : [];
      if (differences.length > 0) counted.differs++;
      else if (isJudged) counted.same++;
      else counted.unsaid++;
      const place = { endpoint, exchange, twinAnswer: answer?.answer ?? null, file: recording.file };
      for (const difference of differences) {
        const id = idOf(endpoint, difference);
        const before = found.get(id);
        const flag = switchOf(difference, place);
        found.set(id, {
          ...difference,
          id,
          endpoint,
          count: (before?.count ?? 0) + 1,
          first: before?.first ?? index + 1,
          rule: before?.rule ?? flag?.rule ?? ruleOf(difference, place, twin.rules),
          switch: before?.switch ?? flag,
        });
      }
    }
  } finally {
    await twin.close();
  }
  return {
    counts: [...counts].map(([endpoint, numbers]) => ({ endpoint, ...numbers })),
    differences: [...found.values()],
    rules: twin.rules,
  };
}

function idOf(endpoint: EndpointName, { kind, at, recorded, twin }: Difference): string {
  return `${endpoint}: ${kind}${at === '' ? '' : ` at ${at}`}: ${recorded}, twin ${twin}`;
}

/** Statuses of a platform that has not judged the request. The twin is never busy by itself. */
const isBusy = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function busyOf({ status, headers }: Exchange): Difference | undefined {
  if (status !== 429) return undefined;
  const asks = headers['retry-after'] === undefined ? '' : ', Retry-After';
  return { kind: 'rate limit', at: '', recorded: `429${asks}`, twin: 'no limit' };
}

/** Whether a request without an answer was applied all the same: a later answer about one of its records says that it is there. */
function wasApplied({ exchanges }: Recording, index: number): boolean {
  const { body, status } = exchanges[index]!;
  if (body === null || status === 429) return false;
  const ids = idsIn(body);
  const next = exchanges
    .slice(index + 1)
    .find(
      (each) =>
        each.status !== null &&
        !isBusy(each.status) &&
        each.body !== null &&
        idsIn(each.body).some((id) => ids.includes(id)),
    );
  const answer = next?.answer ?? '';
  // A refusal of an instruction has its code in a sentence.
  return ['ALREADY_EXISTS', ...THERE_ALREADY].some((word) => answer.includes(word));
}

/** How often the request of an exchange has failed before. */
function failuresBefore({ exchanges }: Recording, index: number): number {
  const { body, path } = exchanges[index]!;
  return exchanges
    .slice(0, index)
    .filter((each) => each.body === body && each.path === path && (each.status ?? 0) >= 500).length;
}

/** The names of the records of a request; the request itself, where its records have none. */
function idsIn(body: string): readonly string[] {
  const ids = [...body.matchAll(/"(?:transaction_id|statement_id|reference)":"([^"]+)"/g)].map(
    (match) => match[1]!,
  );
  return ids.length > 0 ? ids : [body];
}

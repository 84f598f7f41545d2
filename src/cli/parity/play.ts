import { THERE_ALREADY } from '../push/ports/there-already.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { endpointOfExchange, type EndpointName, type Exchange } from '../recording/exchange.ts';
import type { Recording } from '../recording/recording.ts';
import { codesIn, differencesOf, type Difference } from './differences.ts';
import { startTwin, type PlayedAnswer, type PlayedRule, type TwinOptions } from './twin.ts';

/** An exchange beside the answer of the twin. */
export interface PlayedExchange {
  readonly endpoint: EndpointName;
  readonly exchange: Exchange;
  /** Undefined for a request that was not played. */
  readonly twin: PlayedAnswer | undefined;
  /** Whether a refused request of several records had one of its records. */
  readonly repeatsRefused: boolean;
  /** Whether the twin has taken values of it in a form that the interface does not show. */
  readonly tolerates: boolean;
  readonly differences: readonly Difference[];
  /** Why the twin cannot say whether it answers the same; undefined where it can. */
  readonly unsaid: Unsaid | undefined;
}

/** All exchanges of a recording, each played once. */
export interface Play {
  readonly exchanges: readonly PlayedExchange[];
  readonly rules: readonly PlayedRule[];
}

/** Reasons for which an exchange is not compared. */
export const UNSAID = {
  unanswered: 'the recording has no answer',
  busy: 'the platform was busy or broken',
  limited: 'the platform asked to wait (429), as `serve --like` does',
  before: 'the platform had a record that no earlier answer of the recording names',
  parted: 'only one of the platforms has its records, because an earlier answer differs',
  unseeded: 'the answer depends on accounts, which only a seed names',
} as const;
export type Unsaid = keyof typeof UNSAID;

/** Plays a recording to a twin, in its order, and compares answer by answer. @throws AppError those of `startTwin` */
export async function played(recording: Recording, options: TwinOptions): Promise<Play> {
  const twin = await startTwin(recording, options);
  const exchanges: PlayedExchange[] = [];
  /** The records that the twin has got. */
  const sent = new Set<string>();
  /** The records of refused requests with several records. */
  const refused = new Set<string>();
  /** The records that the recorded platform has taken, and those that the twin has taken. */
  const [ours, theirs] = [new Set<string>(), new Set<string>()];
  try {
    for (const [index, exchange] of recording.exchanges.entries()) {
      const { status } = exchange;
      const isJudged = status !== null && !isBusy(status);
      // The twin would store the record, and refuse what the platform has stored later beside it.
      const isOld = isJudged && isRefusedAsOld(exchange, sent);
      const isPlayed = isJudged ? !isOld : wasApplied(recording, index);
      const before = twin.tolerated();
      let answer = isPlayed ? await twin.play(exchange) : undefined;
      // A vendor of the seed that fails at first has failed in the recording, too, and those requests were not played.
      if (answer && answer.status >= 500)
        for (let left = failuresBefore(recording, index); left > 0 && answer.status >= 500; left--)
          answer = await twin.play(exchange);
      const endpoint = endpointOfExchange(exchange);
      const names = namesIn(exchange);
      const repeatsRefused = names.some((name) => refused.has(name));
      const tolerates = twin.tolerated() > before;
      const place = { endpoint, exchange, twin: answer, repeatsRefused, tolerates };
      if (!isJudged || !answer) {
        const unjudged = status === null ? 'unanswered' : status === 429 ? 'limited' : 'busy';
        exchanges.push({ ...place, differences: [], unsaid: isJudged ? 'before' : unjudged });
      } else {
        const all = differencesOf(exchange, answer, recording.isDisguised);
        const isParted = names.some((name) => ours.has(name) !== theirs.has(name));
        const reason = !twin.isSeeded ? 'unseeded' : isParted ? 'parted' : 'before';
        const isOutside = {
          unseeded: () => decidedBySeed(endpoint, answer, exchange),
          parted: () => decidedEarlier(exchange, answer),
          before: () => decidedBefore(exchange, answer, sent),
        }[reason]();
        const differences = all.filter((each) => !isOutside(each));
        const isUnsaid = differences.length === 0 && all.length > 0;
        exchanges.push({ ...place, differences, unsaid: isUnsaid ? reason : undefined });
      }
      if (!isPlayed || status === 401 || !answer) continue;
      const isTaken = isJudged ? status < 300 : answer.status < 300;
      for (const name of names) {
        sent.add(name);
        if (isTaken) ours.add(name);
        if (answer.status < 300) theirs.add(name);
        if (status === 400 && names.length > 1) refused.add(name);
        else refused.delete(name);
      }
    }
    return { exchanges, rules: await twin.rules() };
  } finally {
    await twin.close();
  }
}

/** Statuses of a platform that has not judged the request. The twin is never busy by itself. */
const isBusy = (status: number): boolean => status === 408 || status === 429 || status >= 500;

type IsOutside = (difference: Difference) => boolean;

/** Which differences a seed decides. Two refusals with the same codes are judged, and so is the form of a token. */
function decidedBySeed(endpoint: EndpointName, twin: PlayedAnswer, recorded: Exchange): IsOutside {
  if (endpoint === 'token') return ({ at }) => at.includes('.suppliers');
  const [ours, theirs] = [recorded, twin].map(({ answer }) => codesIn(answer ?? '').join());
  const isDecided = twin.status < 300 || twin.status !== recorded.status || ours !== theirs;
  return () => isDecided;
}

/** Whether an answer says that the platform has a record. A refusal of an instruction has its code in a sentence. */
const saysThere = (answer: string): boolean =>
  ['ALREADY_EXISTS', ...THERE_ALREADY].some((word) => answer.includes(word));

/** Whether a platform refused a request because it had a record of it, which no earlier request can have stored. */
function isRefusedAsOld(exchange: Exchange, sent: ReadonlySet<string>): boolean {
  const isRefused = (exchange.status ?? 0) >= 300 && saysThere(exchange.answer ?? '');
  return isRefused && namesIn(exchange).some((name) => !sent.has(name));
}

/** Which differences come from records that the platform had before the recording, because their results are other ones. */
function decidedBefore(exchange: Exchange, twin: PlayedAnswer, sent: ReadonlySet<string>): IsOutside {
  const [ours, theirs] = [exchange, twin].map(({ answer }) =>
    itemsIn(answer)
      .filter(saysThere)
      .flatMap((item) => namesIn(exchange, item)),
  );
  const only = new Set(ours).difference(new Set(theirs));
  const isOld = only.size > 0 && only.isDisjointFrom(sent);
  return ({ at }) => isOld && /^(?:results)?\[\]/.test(at);
}

/** Which differences come from an earlier answer, after which only one of the platforms has the records. */
function decidedEarlier(recorded: Exchange, twin: PlayedAnswer): IsOutside {
  const isThere = [recorded, twin].some(({ answer }) => saysThere(answer ?? ''));
  return ({ kind }) => isThere && kind !== 'header';
}

/** The results of an answer, one JSON text for each record. */
function itemsIn(answer: string | null): readonly string[] {
  const json = plainJson(answer ?? '');
  const items: unknown = isJsonObject(json) ? json['results'] : json;
  return Array.isArray(items) ? items.map((item) => JSON.stringify(item)) : [];
}

/** Whether a request without an answer was applied all the same: a later answer about its records says that they are there. */
function wasApplied({ exchanges }: Recording, index: number): boolean {
  const lost = exchanges[index]!;
  if (lost.body === null || lost.status === 429) return false;
  const names = new Set(namesIn(lost));
  const isOurs = (each: Exchange, text?: string): boolean =>
    namesIn(each, text).some((name) => names.has(name));
  const next = exchanges
    .slice(index + 1)
    .find((each) => each.status !== null && each.status !== 401 && !isBusy(each.status) && isOurs(each));
  if (!next) return false;
  const { answer, status } = next;
  const items = itemsIn(answer).filter((item) => isOurs(next, item));
  // Where only some are there, the platform failed in its middle, and the twin cannot.
  if (items.length > 0) return items.every(saysThere);
  // A refusal without codes can say the same. A request that it refuses for another reason stores nothing here, either.
  return saysThere(answer ?? '') || (status === 400 && codesIn(answer ?? '').length === 0);
}

/** How often the request of an exchange has failed before. */
function failuresBefore({ exchanges }: Recording, index: number): number {
  const { body, path } = exchanges[index]!;
  return exchanges
    .slice(0, index)
    .filter((each) => each.body === body && each.path === path && (each.status ?? 0) >= 500).length;
}

/** What names the records of a request in all of a recording. An account has one instruction alone, and so its name is enough. */
function namesIn({ path, body }: Exchange, text = body ?? ''): readonly string[] {
  const [, account = ''] = /"external_account_number":"([^"]*)"/.exec(body ?? '') ?? [];
  const names = [...text.matchAll(/"(?:transaction_id|statement_id|body)":("(?:[^"\\]|\\.)*")/g)];
  const place = [path.split('?')[0], account];
  return names.length === 0
    ? [place.join('\n')]
    : names.map(([, name]) => [...place, plainJson(name!)].join('\n'));
}

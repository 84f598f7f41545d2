import { THERE_ALREADY } from '../push/ports/report.ts';
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
  limited: 'the platform asked to wait (429)',
  before: 'the platform had a record that no earlier answer of the recording names',
  doubt: 'an earlier request with its records has no answer, so they may have been there',
  parted: 'only one of the platforms has its records, because an earlier answer differs',
} as const;
export type Unsaid = keyof typeof UNSAID;

/** What earlier exchanges say of a record. Each fact is one of the recorded platform, but for `theirs`, which is one of the twin. */
type Fact = 'sent' | 'ours' | 'theirs' | 'refused among others' | 'in doubt';

function records() {
  const facts = new Set<string>();
  /** The ids that the recorded platform has created, on any account. */
  const created = new Set<string>();
  const is = (name: string, fact: Fact): boolean => facts.has(`${fact} ${name}`);
  return {
    is,
    /** Whether the id of a record that was never sent was created on another account. */
    isElsewhere: (name: string): boolean => !is(name, 'sent') && created.has(idIn(name) ?? ''),
    learn: (names: readonly string[], fact: Fact, isSo = true): void => {
      for (const name of names) {
        const id = idIn(name);
        if (isSo) facts.add(`${fact} ${name}`);
        else facts.delete(`${fact} ${name}`);
        if (fact === 'ours' && id !== undefined) created.add(id);
      }
    },
  };
}

/** Plays a recording to a twin, in its order, and compares answer by answer. @throws AppError those of `startTwin` */
export async function played(recording: Recording, options: TwinOptions): Promise<Play> {
  const twin = await startTwin(recording, options);
  const exchanges: PlayedExchange[] = [];
  const known = records();
  try {
    for (const [index, exchange] of recording.exchanges.entries()) {
      const { status } = exchange;
      const names = namesIn(exchange);
      const isJudged = status !== null && !isBusy(status);
      const isPlayed = isJudged ? !isOlder(exchange, known) : wasApplied(recording, index);
      const before = twin.tolerated();
      const answer = isPlayed ? await twin.play(exchange) : undefined;
      const unjudged = status === null ? 'unanswered' : status === 429 ? 'limited' : 'busy';
      exchanges.push({
        endpoint: endpointOfExchange(exchange),
        exchange,
        twin: answer,
        repeatsRefused: names.some((name) => known.is(name, 'refused among others')),
        tolerates: twin.tolerated() > before,
        ...(isJudged && answer
          ? judged(exchange, answer, known)
          : { differences: [], unsaid: isJudged ? 'before' : unjudged }),
      });
      if (!isJudged && status !== 429) known.learn(names, 'in doubt');
      if (!answer || status === 401) continue;
      known.learn(names, 'sent');
      if (isJudged ? status < 300 : answer.status < 300) known.learn(names, 'ours');
      if (answer.status < 300) known.learn(names, 'theirs');
      known.learn(names, 'refused among others', status === 400 && names.length > 1);
    }
    return { exchanges, rules: await twin.rules() };
  } finally {
    await twin.close();
  }
}

type Judged = Pick<PlayedExchange, 'differences' | 'unsaid'>;
type Known = ReturnType<typeof records>;

function judged(exchange: Exchange, answer: PlayedAnswer, known: Known): Judged {
  const all = differencesOf(exchange, answer);
  const [unsaid, isOutside] = outside(exchange, answer, known);
  const differences = all.filter((each) => !isOutside(each));
  if (differences.length === 0) return { differences, unsaid: all.length > 0 ? unsaid : undefined };
  // All others follow from the one that is named instead.
  if (!onlyOurs(exchange, answer).some(known.isElsewhere)) return { differences, unsaid: undefined };
  const headers = differences.filter(({ kind }) => kind === 'header');
  return { differences: [...headers, OF_ANOTHER_ACCOUNT], unsaid: undefined };
}

const OF_ANOTHER_ACCOUNT: Difference = {
  kind: 'identity',
  at: '',
  recorded: 'there already, because its id was created on another account',
  twin: 'created',
};

type IsOutside = (difference: Difference) => boolean;

/** Which differences of an exchange say nothing about the twin, and why. */
function outside(exchange: Exchange, answer: PlayedAnswer, known: Known): readonly [Unsaid, IsOutside] {
  const names = namesIn(exchange);
  const isThere = [exchange, answer].some((each) => saysThere(each.answer));
  if (names.some((name) => known.is(name, 'ours') !== known.is(name, 'theirs')))
    return ['parted', ({ kind }) => isThere && kind !== 'header'];
  const isRefused = exchange.status === 400 && answer.status < 300;
  if (isRefused && names.some((name) => known.is(name, 'in doubt')))
    return ['doubt', ({ kind }) => kind !== 'header'];
  const old = onlyOurs(exchange, answer);
  const isBefore = old.length > 0 && old.every((name) => !known.is(name, 'sent') && !known.isElsewhere(name));
  return ['before', ({ at }) => isBefore && /^(?:results)?\[\]/.test(at)];
}

/** The records that only the recorded platform says it had. */
function onlyOurs(exchange: Exchange, answer: PlayedAnswer): readonly string[] {
  const [ours, theirs] = [exchange, answer].map(({ status, answer: text }) =>
    (status ?? 0) >= 300
      ? saysThere(text) && namesIn(exchange)
      : itemsIn(text)
          .filter(saysThere)
          .flatMap((item) => namesIn(exchange, item)),
  );
  return [...new Set(ours || []).difference(new Set(theirs || []))];
}

/** Whether a platform refused a request because it had a record of it, which no earlier request of the recording can have stored. */
function isOlder(exchange: Exchange, known: Known): boolean {
  const isRefused = (exchange.status ?? 0) >= 300 && saysThere(exchange.answer);
  return isRefused && namesIn(exchange).some((name) => !known.is(name, 'sent') && !known.isElsewhere(name));
}

/** Statuses of a platform that has not judged the request. The twin is never busy by itself. */
const isBusy = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Whether an answer says that the platform has a record. A refusal of an instruction has its code in a sentence. */
const saysThere = (answer: string | null): boolean =>
  ['ALREADY_EXISTS', ...THERE_ALREADY].some((word) => answer?.includes(word));

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
  return saysThere(answer) || (status === 400 && codesIn(answer ?? '').length === 0);
}

/** What names the records of a request in all of a recording. An account has one instruction alone, and so its name is enough. */
function namesIn({ path, body }: Exchange, text = body ?? ''): readonly string[] {
  const [, account = ''] = /"external_account_number":"([^"]*)"/.exec(body ?? '') ?? [];
  const names = [...text.matchAll(/"(transaction_id|statement_id|body)":("(?:[^"\\]|\\.)*")/g)];
  const place = [path.split('?')[0], account];
  return names.length === 0
    ? [JSON.stringify(place)]
    : names.map(([, field, name]) => JSON.stringify([...place, plainJson(name!), field]));
}

/** The identifier in a name, whatever its account; undefined where it has none. */
function idIn(name: string): string | undefined {
  const [path, , text, field] = plainJson(name) as readonly string[];
  return text === undefined || field === 'body' ? undefined : JSON.stringify([path, text]);
}

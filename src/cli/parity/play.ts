import { THERE_ALREADY } from '../../core/contract/resources.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { endpointOfExchange, type EndpointName, type Exchange } from '../recording/exchange.ts';
import type { Recording } from '../recording/recording.ts';
import { codesIn, differenceAt, differencesOf, isTaken, type Difference } from './differences.ts';
import { startTwin, type TwinOptions } from './twin.ts';

/** An exchange beside the answer of the twin. */
export interface PlayedExchange {
  readonly endpoint: EndpointName;
  readonly exchange: Exchange;
  /** The exchange as the twin answers it; undefined for a request that was not played. */
  readonly twin: Exchange | undefined;
  /** Whether a refused request of several records had one of its records. */
  readonly repeatsRefused: boolean;
  /** Whether the twin has taken values of it in a form that the interface does not show. */
  readonly tolerates: boolean;
  readonly differences: readonly Difference[];
  /** Why the twin cannot say whether it answers the same; undefined where it can. */
  readonly unsaid: Unsaid | undefined;
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
type Known = ReturnType<typeof records>;

/** Plays a recording to a twin, in its order, and compares answer by answer. @throws AppError those of `startTwin` */
export async function played(recording: Recording, options: TwinOptions) {
  const platform = await startTwin(recording, options);
  const exchanges: PlayedExchange[] = [];
  const known = records();
  try {
    for (const [index, exchange] of recording.exchanges.entries()) {
      const names = namesIn(exchange);
      const unjudged = unjudgedReason(exchange);
      const isPlayed = unjudged === undefined ? !isOlder(exchange, known) : wasApplied(recording, index);
      const before = platform.tolerated();
      const twin = isPlayed ? await platform.play(exchange) : undefined;
      exchanges.push({
        endpoint: endpointOfExchange(exchange),
        exchange,
        twin,
        repeatsRefused: names.some((name) => known.is(name, 'refused among others')),
        tolerates: platform.tolerated() > before,
        ...(unjudged === undefined && twin
          ? judged(exchange, twin, known)
          : { differences: [], unsaid: unjudged ?? 'before' }),
      });
      if (unjudged === 'unanswered' || unjudged === 'busy') known.learn(names, 'in doubt');
      if (!twin || exchange.status === 401) continue;
      known.learn(names, 'sent');
      known.learn(names, 'refused among others', exchange.status === 400 && names.length > 1);
      if (isTaken(unjudged === undefined ? exchange : twin)) known.learn(names, 'ours');
      if (isTaken(twin)) known.learn(names, 'theirs');
    }
    return { exchanges, rules: await platform.rules() };
  } finally {
    await platform.close();
  }
}

/** Why nothing can be said of an answer by itself. The twin is never busy. */
function unjudgedReason({ status }: Exchange): Unsaid | undefined {
  if (status === null) return 'unanswered';
  if (status === 429) return 'limited';
  return status === 408 || status >= 500 ? 'busy' : undefined;
}

type Judged = Pick<PlayedExchange, 'differences' | 'unsaid'>;

/** The differences that say something about the twin, or why none does. */
function judged(exchange: Exchange, twin: Exchange, known: Known): Judged {
  const all = differencesOf(exchange, twin);
  const left = (differences: readonly Difference[], reason: Unsaid): Judged => ({
    differences,
    unsaid: differences.length === 0 && all.length > 0 ? reason : undefined,
  });
  const headers = all.filter(({ kind }) => kind === 'header');
  const names = namesIn(exchange);
  const isParted = names.some((name) => known.is(name, 'ours') !== known.is(name, 'theirs'));
  if (isParted && (saysThere(exchange.answer) || saysThere(twin.answer))) return left(headers, 'parted');
  const isDoubted = names.some((name) => known.is(name, 'in doubt'));
  if (isDoubted && exchange.status === 400 && isTaken(twin)) return left(headers, 'doubt');
  const old = onlyOurs(exchange, twin);
  // All other differences follow from the one that is named instead.
  if (old.some(known.isElsewhere)) {
    const why = 'there already, because its id was created on another account';
    return left([...headers, differenceAt(exchange, 'identity', '', why, 'created')], 'before');
  }
  const isBefore = old.length > 0 && !old.some((name) => known.is(name, 'sent'));
  const others = all.filter(({ at }) => !/^(?:results)?\[\]/.test(at));
  return left(isBefore ? others : all, 'before');
}

/** The records that only the recorded platform says it had. */
function onlyOurs(exchange: Exchange, twin: Exchange): readonly string[] {
  const [ours, theirs] = [exchange, twin].map((each) => {
    if (!isTaken(each)) return saysThere(each.answer) ? namesIn(exchange) : [];
    return itemsIn(each.answer)
      .filter(saysThere)
      .flatMap((item) => namesIn(exchange, item));
  });
  return [...new Set(ours).difference(new Set(theirs))];
}

/** Whether a platform refused a request because it had a record of it, which no earlier request of the recording can have stored. */
function isOlder(exchange: Exchange, known: Known): boolean {
  const isRefused = !isTaken(exchange) && saysThere(exchange.answer);
  return isRefused && namesIn(exchange).some((name) => !known.is(name, 'sent') && !known.isElsewhere(name));
}

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
    .find((each) => unjudgedReason(each) === undefined && each.status !== 401 && isOurs(each));
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

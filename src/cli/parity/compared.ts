import type { EndpointName } from '../recording/exchange.ts';
import type { Recording } from '../recording/recording.ts';
import type { Difference } from './differences.ts';
import { compared, fittingSwitches, isNearer } from './fitting.ts';
import { played, type Play, type Unsaid } from './play.ts';
import { ruleOf } from './rules-touched.ts';
import { ruleOfSwitch, type Switch } from './switches.ts';
import { seedObject, type GivenOptions, type PlayedRule } from './twin.ts';

/** A difference, however often it occurs. */
export interface FoundDifference extends Difference {
  /** Names the difference in a file of accepted ones. */
  readonly id: string;
  /** A header has the same difference at all endpoints; any other difference is that of one endpoint. */
  readonly endpoints: readonly EndpointName[];
  /** How many exchanges have it. */
  readonly count: number;
  /** How often they have it: one answer may have it in several items. */
  readonly items: number;
  /** Number of the first exchange that has it, from 1. */
  readonly first: number;
  readonly rule: string;
  /** The flag of `serve` that removes it. */
  readonly switch: Switch | undefined;
  /** Whether other answers of the recording are as without this flag. */
  readonly isMixed: boolean;
}

/** How many exchanges of an endpoint the twin answers as the recorded platform did. */
export interface EndpointCounts {
  readonly endpoint: EndpointName;
  readonly exchanges: number;
  readonly same: number;
  readonly differs: number;
  readonly unsaid: number;
}

/** A recording beside the answers of the twin. */
export interface Comparison {
  readonly counts: readonly EndpointCounts[];
  /** Why the twin cannot say anything of an exchange, for each of them. */
  readonly unsaid: readonly Unsaid[];
  readonly differences: readonly FoundDifference[];
  readonly rules: readonly PlayedRule[];
  /** All flags that together make the twin answer as the recorded platform. */
  readonly switches: readonly Switch[];
}

/** Compares a recording with a twin, and finds the flags that fit. @throws AppError those of `startTwin` */
export async function comparedRecording(recording: Recording, given: GivenOptions): Promise<Comparison> {
  // Without the key no seed can be disguised, and one with other accounts says nothing of the recorded ones.
  const readable = given.seeds.filter(({ text }) => isReadable(recording, text));
  const { salt } = recording;
  const disguise = salt === undefined ? undefined : { salt, kept: given.kept };
  const seeds = () => readable.map((seed) => seedObject(seed, disguise));
  // The problems of a file have lines.
  const options = { ...given, seeds: disguise ? seeds() : readable.map(({ path }) => path) };
  const first = await played(recording, options);
  const { steps, nearest } = await fittingSwitches(recording, { ...options, seeds: seeds() }, first);
  const plays = [first, ...steps.map(({ play }) => play)];
  /** By their names, flags and rules. */
  const found = new Map<string, FoundDifference & { readonly exchanges: ReadonlySet<number> }>();
  const add = (changed: Difference, index: number, flag: Switch | undefined, isMixed: boolean): void => {
    const place = first.exchanges[index]!;
    // A flag can change a difference that it does not remove.
    const difference = place.differences.find((each) => isAlike(each, changed)) ?? changed;
    const id = idOf(place.endpoint, difference);
    const rule = flag ? ruleOfSwitch(flag, place) : ruleOf(difference, place, first.rules);
    const key = `${id}\n${flag?.text}\n${rule}`;
    const before = found.get(key);
    const exchanges = new Set(before?.exchanges).add(index + 1);
    const where = { count: exchanges.size, items: (before?.items ?? 0) + 1, first: Math.min(...exchanges) };
    const endpoints = [...new Set(before?.endpoints).add(place.endpoint)];
    const { changes = [] } = changed;
    // A change of a value is one of the platform where all items of the difference have it.
    const all = {
      ...difference,
      changes: before?.changes?.filter((each) => changes.includes(each)) ?? changes,
    };
    found.set(key, { ...all, id, endpoints, exchanges, ...where, rule, switch: flag, isMixed });
  };
  for (const [step, { flag, play }] of steps.entries()) {
    const before = plays[step]!.exchanges;
    // A later flag can set right what this one has changed.
    const isMixed = [play, plays.at(-1)!].every(({ exchanges }) =>
      exchanges.some((each, index) => isNearer([before[index]!], [each])),
    );
    for (const [index, after] of play.exchanges.entries())
      if (isNearer([after], [before[index]!]))
        for (const difference of before[index]!.differences)
          if (!after.differences.some((each) => isAlike(each, difference)))
            add(difference, index, flag, isMixed);
  }
  for (const index of recording.exchanges.keys()) {
    // A difference that a flag brings is no difference of the twin.
    const [best] = plays
      .map(({ exchanges }) => exchanges[index]!)
      .toReversed()
      .toSorted((a, b) => compared([a], [b]));
    for (const difference of best!.differences) {
      const flag = await nearest(index);
      add(difference, index, flag, flag !== undefined);
    }
  }
  return {
    counts: countsOf(first),
    unsaid: first.exchanges.flatMap((each) => each.unsaid ?? []),
    differences: toldApart([...found.values()].map(withChange).toSorted((a, b) => a.first - b.first)),
    rules: first.rules,
    switches: steps.map(({ flag }) => flag),
  };
}

/** A difference that says how the values were changed, where all were changed in one way. */
function withChange(found: FoundDifference): FoundDifference {
  const [recorded] = found.changes ?? [];
  if (recorded === undefined) return found;
  const changed = { ...found, recorded };
  return { ...changed, id: idOf(found.endpoints[0]!, changed) };
}

/** Where several differences have one name, each gets its flag or else its rule in its name, because a file accepts them by name. */
function toldApart(all: readonly FoundDifference[]): readonly FoundDifference[] {
  const apart = (
    found: readonly FoundDifference[],
    sign: (of: FoundDifference) => string | undefined,
  ): readonly FoundDifference[] => {
    const isRepeated = (id: string): boolean => found.filter((each) => each.id === id).length > 1;
    return found.map((each) => {
      const by = isRepeated(each.id) ? sign(each) : undefined;
      return by === undefined ? each : { ...each, id: `${each.id} (${by})` };
    });
  };
  return apart(
    apart(all, ({ switch: flag }) => flag?.text),
    ({ rule }) => rule,
  );
}

/** Whether a seed is as the recording names accounts, or can be made so. One name of many is there by chance. */
function isReadable({ exchanges, isDisguised, salt }: Recording, seed: string): boolean {
  if (!isDisguised || salt !== undefined) return true;
  const accounts = new Set(
    exchanges.flatMap(({ body }) => /"external_account_number":"([^"]*)"/.exec(body ?? '')?.[1] ?? []),
  );
  const words = new Set(seed.split(/[\s"',:{}[\]]+/));
  return accounts.size > 0 && accounts.intersection(words).size * 2 >= accounts.size;
}

/** Whether two differences are the same, whatever the twin answers. A name is missing where another one is there. */
function isAlike(one: Difference, other: Difference): boolean {
  const isSame = one.kind === other.kind && one.at === other.at && one.recorded === other.recorded;
  return isSame && (one.kind !== 'name' || one.twin === other.twin);
}

const idOf = (endpoint: EndpointName, { kind, at, recorded, twin }: Difference): string =>
  `${kind === 'header' ? '' : `${endpoint}: `}${kind}${at === '' ? '' : ` at ${at}`}: ${recorded}, twin ${twin}`;

function countsOf({ exchanges }: Play): readonly EndpointCounts[] {
  return [...Map.groupBy(exchanges, ({ endpoint }) => endpoint)].map(([endpoint, each]) => {
    const differs = each.filter(({ differences }) => differences.length > 0).length;
    const unsaid = each.filter((one) => one.unsaid !== undefined).length;
    return { endpoint, exchanges: each.length, same: each.length - differs - unsaid, differs, unsaid };
  });
}

import type { Recording } from '../recording/recording.ts';
import { played, type Play, type PlayedExchange } from './play.ts';
import { refusingSwitches, shownSwitches, withSwitches, type Switch } from './switches.ts';
import type { TwinOptions } from './twin.ts';

/** The flags with which the twin answers most like a recorded platform. */
export interface Fit {
  /** The flags in the order in which they were found, and the recording played with each of them and those before it. */
  readonly steps: readonly { readonly flag: Switch; readonly play: Play }[];
  /** The flag that comes nearest for one exchange, although other exchanges speak against it. No guess is made then. */
  nearest(index: number): Promise<Switch | undefined>;
}

/** After so many plays no further flag is tried. A platform that is like ours in nothing suggests many flags. */
const MOST_PLAYS = 100;

/**
 * Plays the recording with each flag that its differences suggest, and keeps those that bring the twin nearer, the best first, until no
 * flag does, alone or with another value of a kept one. Then it leaves out each kept flag again.
 */
export async function fittingSwitches(recording: Recording, options: TwinOptions, first: Play): Promise<Fit> {
  const plays = new Map([['', first]]);
  const playWith = async (switches: readonly Switch[]): Promise<Play> => {
    const name = switches
      .map(({ text }) => text)
      .toSorted()
      .join(' ');
    const play = plays.get(name) ?? (await played(recording, withSwitches(options, switches), first.rules));
    plays.set(name, play);
    return play;
  };
  const suggested = (exchanges: readonly PlayedExchange[], isGuessing: boolean): readonly Switch[] => {
    if (plays.size >= MOST_PLAYS) return [];
    const places = exchanges.flatMap((each) => each.differences.map(({ kind }) => ({ ...each, kind })));
    const found = places.flatMap((place) => [
      ...shownSwitches(place, recording, options),
      ...refusingSwitches(place, true),
      ...(isGuessing ? refusingSwitches(place, false) : []),
    ]);
    return [...new Map(found.map((each) => [each.text, each])).values()];
  };

  let switches: readonly Switch[] = [];
  let play = first;
  /** They replace other values of the same flags. */
  const added = (...flags: readonly Switch[]): readonly Switch[] => [
    ...switches.filter((each) => flags.every(({ flag }) => flag !== each.flag)),
    ...flags,
  ];
  const keep = async (kept: readonly Switch[], isBetter: (next: Play) => boolean): Promise<void> => {
    const next = await playWith(kept);
    if (isBetter(next)) [switches, play] = [kept, next];
  };
  const seen = new Map<string, Switch>();
  /** Keeps those that are nearer, the nearest first. A guess is none where it refuses what the platform took. */
  const keepBetter = async (sets: readonly (readonly Switch[])[], isGuessing: boolean): Promise<void> => {
    const isBetter = ({ exchanges }: Pick<Play, 'exchanges'>): boolean =>
      isNearer(exchanges, play.exchanges) &&
      !(isGuessing && exchanges.some((each, index) => refusesMore(each, play.exchanges[index]!)));
    const tried: { flags: readonly Switch[]; exchanges: readonly PlayedExchange[] }[] = [];
    for (const flags of sets)
      if (plays.size < MOST_PLAYS)
        tried.push({ flags, exchanges: (await playWith(added(...flags))).exchanges });
    const better = tried.filter(isBetter).toSorted((a, b) => compared(a.exchanges, b.exchanges));
    for (const { flags } of better) await keep(added(...flags), isBetter);
  };
  // A shape without codes suggests every flag that refuses something, and most differences need none of them.
  for (const isGuessing of [false, true])
    for (let before: Play | undefined; before !== play;) {
      before = play;
      const flags = suggested(play.exchanges, isGuessing);
      for (const each of flags) seen.set(each.text, each);
      await keepBetter(
        flags.map((each) => [each]),
        isGuessing,
      );
      // A flag may help only beside another value of one that is kept.
      const others = [...seen.values()].filter(
        (other) => !switches.includes(other) && switches.some(({ flag }) => flag === other.flag),
      );
      if (play === before && isGuessing)
        await keepBetter(
          flags.flatMap((each) => others.map((other) => [other, each])),
          isGuessing,
        );
    }
  const mostItems = (flags: Iterable<Switch>): number =>
    Math.max(0, ...[...flags].map(({ limits }) => limits?.maxItems ?? 0));
  // Of limits that explain the same the largest one refuses least.
  const limits = [...seen.values()].toSorted((a, b) => mostItems([a]) - mostItems([b]));
  for (const flag of mostItems(switches) > 0 ? limits : [])
    if (mostItems([flag]) > mostItems(switches))
      await keep(added(flag), (next) => !isNearer(play.exchanges, next.exchanges));
  // A flag can bring the twin nearer than none, and be worth nothing beside a later one.
  for (const flag of switches)
    await keep(
      switches.filter((each) => each !== flag),
      (next) => !isNearer(play.exchanges, next.exchanges),
    );
  const steps: { flag: Switch; play: Play }[] = [];
  for (const [index, flag] of switches.entries())
    steps.push({ flag, play: await playWith(switches.slice(0, index + 1)) });
  return {
    steps,
    async nearest(index) {
      let best: { flag?: Switch; at: PlayedExchange } = { at: play.exchanges[index]! };
      for (const flag of suggested([best.at], false)) {
        const at = (await playWith(added(flag))).exchanges[index]!;
        if (isNearer([at], [best.at])) best = { flag, at };
      }
      return best.flag;
    },
  };
}

/** Whether only the first of two plays has another status than the recording. */
const refusesMore = (ours: PlayedExchange, theirs: PlayedExchange): boolean =>
  distancesOf([ours])[0]! > distancesOf([theirs])[0]!;

export const isNearer = (ours: readonly PlayedExchange[], theirs: readonly PlayedExchange[]): boolean =>
  compared(ours, theirs) < 0;

/** Below zero where the first exchanges are nearer to the recording. */
export function compared(ours: readonly PlayedExchange[], theirs: readonly PlayedExchange[]): number {
  const [left, right] = [distancesOf(ours), distancesOf(theirs)];
  return left.map((each, index) => each - right[index]!).find((each) => each !== 0) ?? 0;
}

/** Other statuses, then exchanges that are not the same, then differences. */
function distancesOf(exchanges: readonly PlayedExchange[]): readonly number[] {
  const differences = exchanges.flatMap((each) => each.differences);
  return [
    differences.filter(({ kind }) => kind === 'status').length,
    exchanges.filter((each) => each.differences.length > 0 || each.unsaid !== undefined).length,
    differences.length,
  ];
}

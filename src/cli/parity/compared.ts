import type { EndpointName } from '../recording/exchange.ts';
import type { Recording } from '../recording/recording.ts';
import type { Difference } from './differences.ts';
import { flagOfRule } from './flag-of-rule.ts';
import { played, type Play, type Unsaid } from './play.ts';
import { ruleOf } from './rules-touched.ts';
import { shownFlags } from './shown-flags.ts';
import type { PlayedRule, TwinOptions } from './twin.ts';

/** A difference, however often it occurs. */
export interface FoundDifference extends Difference {
  /** Names the difference; two rules may show in answers of one name. */
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
  /** The flag of `serve` that is about the rule, with the value that the recording shows. */
  readonly flag: string | undefined;
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
}

/** Plays a recording to a twin, and says of each difference which rule it is about. @throws AppError those of `startTwin` */
export async function comparedRecording(recording: Recording, given: TwinOptions): Promise<Comparison> {
  const { exchanges, rules } = await played(recording, given);
  const shown = shownFlags(recording.exchanges);
  /** By their names and rules. */
  const found = new Map<string, FoundDifference & { readonly exchanges: ReadonlySet<number> }>();
  for (const [index, place] of exchanges.entries())
    for (const difference of place.differences) {
      const id = idOf(place.endpoint, difference);
      const rule = ruleOf(difference, place, rules);
      const before = found.get(`${id}\n${rule}`);
      const numbers = new Set(before?.exchanges).add(index + 1);
      const { changes = [] } = difference;
      found.set(`${id}\n${rule}`, {
        ...difference,
        // A change of a value is one of the platform where all items of the difference have it.
        changes: before?.changes?.filter((each) => changes.includes(each)) ?? changes,
        id,
        endpoints: [...new Set(before?.endpoints).add(place.endpoint)],
        exchanges: numbers,
        count: numbers.size,
        items: (before?.items ?? 0) + 1,
        first: before?.first ?? index + 1,
        rule,
        flag: before?.flag ?? flagOfRule(rule, place, { shown, places: exchanges }),
      });
    }
  return {
    counts: countsOf(exchanges),
    unsaid: exchanges.flatMap((each) => each.unsaid ?? []),
    differences: [...found.values()].map(withChange),
    rules,
  };
}

/** A difference that says how the values were changed, where all were changed in one way. */
function withChange(found: FoundDifference): FoundDifference {
  const [recorded] = found.changes ?? [];
  if (recorded === undefined) return found;
  const changed = { ...found, recorded };
  return { ...changed, id: idOf(found.endpoints[0]!, changed) };
}

const idOf = (endpoint: EndpointName, { kind, at, recorded, twin }: Difference): string =>
  `${kind === 'header' ? '' : `${endpoint}: `}${kind}${at === '' ? '' : ` at ${at}`}: ${recorded}, twin ${twin}`;

function countsOf(exchanges: Play['exchanges']): readonly EndpointCounts[] {
  return [...Map.groupBy(exchanges, ({ endpoint }) => endpoint)].map(([endpoint, each]) => {
    const differs = each.filter(({ differences }) => differences.length > 0).length;
    const unsaid = each.filter((one) => one.unsaid !== undefined).length;
    return { endpoint, exchanges: each.length, same: each.length - differs - unsaid, differs, unsaid };
  });
}

import { commandLine } from '../../core/command-line.ts';
import { total } from '../../core/values/counts.ts';
import type { Result } from '../output/result.ts';
import { counted } from '../output/text/text.ts';
import type { Recording } from '../recording/recording.ts';
import type { Comparison, FoundDifference, Shown } from './compared.ts';
import { typedBehaviour } from './behaviour-flags.ts';
import { UNSAID } from './play.ts';

/** What `dataimport parity` found out. */
export interface ParityResult extends Comparison {
  readonly recording: Recording;
  /** Decisions that the twin was started with. */
  readonly given: readonly string[];
  readonly seeds: readonly string[];
  /** As the command line names it. */
  readonly contract: string | undefined;
}

const COLUMNS = ['endpoint', 'exchanges', 'same', 'differs', 'twin cannot say'] as const;
const FIGURES = ['exchanges', 'same', 'differs', 'unsaid'] as const;

export const shownParity = (result: ParityResult): Result => {
  const { recording, counts, differences, given } = result;
  return {
    next: nextOf(result),
    fields: {
      recording: recording.file,
      exchanges: recording.exchanges.length,
      disguised: recording.isDisguised,
      behaviour: given,
      endpoints: counts.map(({ unsaid, ...rest }) => ({ ...rest, twin_cannot_say: unsaid })),
      cannot_say: reasonsOf(result).map(([exchanges, reason]) => ({ reason, exchanges })),
      differences: differences.map(({ rule, decision, shows }) => ({
        rule,
        behaviour: decision?.text ?? null,
        between: decision?.between ?? null,
        shows: shows.map(({ endpoints, exchanges, ...each }) => ({
          ...each,
          endpoints: [...endpoints],
          count: exchanges.size,
          first_exchange: [...exchanges][0],
        })),
      })),
      warnings: recording.warnings,
    },
    text: () => [
      ...recording.warnings.map((warning) => `warning: ${warning}`),
      headOf(result),
      { table: [COLUMNS, ...rowsOf(result)], right: [1, 2, 3, 4] },
      ...unsaidLines(result),
      ...differences.flatMap((difference) => ['', ...linesOf(difference, result)]),
      ...(differences.length === 0 ? [] : ['']),
      sentenceOf(result),
    ],
  };
};

const headOf = ({ recording: { file, exchanges }, given }: ParityResult): string =>
  `${file}: ${counted(exchanges.length, 'exchange')}, played to a local platform${given.length === 0 ? '' : ` with ${typedBehaviour(given).join(' ')}`}`;

const rowsOf = ({ counts }: ParityResult): readonly (readonly string[])[] => [
  ...counts.map((each) => [each.endpoint, ...FIGURES.map((name) => String(each[name]))]),
  ['all', ...FIGURES.map((name) => String(total(counts, (each) => each[name])))],
];

function linesOf({ rule, decision, shows }: FoundDifference, result: ParityResult): readonly string[] {
  const known = result.rules.find(({ name }) => name === rule);
  const between =
    decision?.between === undefined ? '' : `, as the recording shows a limit ${decision.between}`;
  return [
    `${rule}${known ? ` (${known.authority}): ${known.says}` : ''}`,
    ...shows.map((each) => `  ${each.id}; ${occurrenceOf(each)}`),
    `  serve: ${decision ? `--behaviour ${decision.text}${between}` : 'no key of --behaviour fits'}`,
  ];
}

function occurrenceOf({ exchanges, items, endpoints }: Shown): string {
  const among = endpoints.size > 1 ? `, of ${[...endpoints].join(', ')}` : '';
  const first = `${counted(exchanges.size, 'exchange')}, the first is number ${[...exchanges][0]}`;
  return `${first}${items > exchanges.size ? `, ${items} items in them` : ''}${among}`;
}

const comparedIn = ({ counts }: ParityResult): number => total(counts, ({ same, differs }) => same + differs);

/** Endpoints of the recording of which no exchange could be compared. */
const uncompared = ({ counts }: ParityResult): readonly string[] =>
  counts.filter(({ same, differs }) => same + differs === 0).map(({ endpoint }) => endpoint);

/** Whether tokens are all that could be compared. */
const isEmpty = ({ counts }: ParityResult): boolean =>
  counts.every(({ endpoint, same, differs }) => endpoint === 'token' || same + differs === 0);

/** Whether exchanges of every endpoint could be compared, and nothing differs. */
export const isSame = (result: ParityResult): boolean =>
  result.differences.length === 0 && !isEmpty(result) && uncompared(result).length === 0;

/** How many exchanges the twin cannot say anything of, by reason. */
const reasonsOf = ({ unsaid }: ParityResult): readonly (readonly [exchanges: number, reason: string])[] =>
  [...Map.groupBy(unsaid, (reason) => reason)].map(([reason, each]) => [each.length, UNSAID[reason]]);

const unsaidLines = (result: ParityResult): readonly string[] =>
  reasonsOf(result).map(
    ([exchanges, reason]) => `twin cannot say: ${counted(exchanges, 'exchange')}: ${reason}`,
  );

function sentenceOf(result: ParityResult): string {
  const found = result.differences.length;
  const unsaid = result.unsaid.length;
  const none = uncompared(result);
  const among = none.length === 0 || isEmpty(result) ? '' : `, among them all of ${none.join(', ')}`;
  const rest = unsaid === 0 ? '' : `; ${counted(unsaid, 'exchange')} could not be compared${among}`;
  if (found > 0) return `${counted(found, 'difference')}${rest}`;
  if (isEmpty(result)) return `nothing was compared${comparedIn(result) > 0 ? ' but tokens' : ''}${rest}`;
  return `the local platform answers ${counted(comparedIn(result), 'exchange')} as the recorded one did${rest}`;
}

/** The command that plays the recording with the decisions that are named, too; null where none is. */
function nextOf({ recording, seeds, contract, given, differences }: ParityResult): string | null {
  const named = differences.flatMap(({ decision }) => decision?.text ?? []);
  if (named.length === 0) return null;
  const files = [...seeds.map((seed) => ['--seed', seed] as const), ['--contract', contract] as const];
  const behaviour = typedBehaviour([...new Set([...given, ...named])]);
  return [commandLine('parity', [recording.file], files), ...behaviour].join(' ');
}

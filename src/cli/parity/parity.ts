import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { collect } from '../command/flags.ts';
import { readText } from '../command/typed-file.ts';
import { lackedKey, type EndpointName, type Exchange } from '../recording/exchange.ts';
import { readRecording, type Recording } from '../recording/recording.ts';
import { declareBehaviour, type BehaviourFlags, typedBehaviour } from './behaviour-flags.ts';
import { comparedRecording, type Comparison, type FoundDifference } from './compared.ts';
import type { Result } from '../output/result.ts';
import { counted } from '../output/text/text.ts';
import { UNSAID } from './play.ts';

export interface ParityOptions extends BehaviourFlags {
  readonly file: string;
  readonly seed: readonly string[];
}

export const command: CommandDeclaration<ParityOptions> = {
  description:
    'Plays a recording of a platform (`--record`) to a local platform in this process, in its order and at its times, and compares answer by answer. Each difference has the rule of docs/parity.md that it is about, which names the key of `--behaviour` that decides it. Ends with 0 only when nothing differs.',
  examples: [
    'dataimport parity pilot.jsonl --seed seed.yaml',
    'dataimport parity pilot.jsonl --seed seed.yaml --behaviour statements-status=200',
  ],
  settings: ['contract'],
  declare(command) {
    command
      .argument('<file>', 'recording of `--record`')
      .requiredOption('--seed <file>', 'content of the recorded platform; may be given again', collect);
    declareBehaviour(command);
  },
  run,
};

async function run(
  { file, seed: seeds, behaviour = [] }: ParityOptions,
  { io, ...context }: CommandContext,
): Promise<CommandEnd> {
  const settings = await context.settings();
  const read = (name: string): string => readText(name, io.cwd);
  const contract = settings.get('contract');
  const recording = readRecording(file, read);
  if (recording.isDisguised && !recording.disguise) requireNames(recording, seeds.map(read).join('\n'));
  const compared = await comparedRecording(recording, {
    seeds: seeds.map((name) => ({ name, path: resolve(io.cwd, name), text: read(name) })),
    contract: contract === undefined ? undefined : resolve(io.cwd, contract),
    behaviour,
    timeZone: settings.need('timeZone'),
    version: io.version(),
  });
  const result: ParityResult = { recording, ...compared, given: behaviour };
  return { exit: conclusionOf(result).isSame ? 'OK' : 'DIFFERENT', result: shownParity(result) };
}

/** Without its key a recording is compared only with a seed that has its suppliers. @throws AppError `document_invalid` */
function requireNames({ file, exchanges }: Recording, seeds: string): void {
  const supplierIn = ({ path, body }: Exchange): string =>
    /"import_supplier":"([^"]+)"/.exec(body ?? '')?.[1] ?? path.split('/').at(-2)!;
  if (exchanges.some((each) => !each.token && seeds.includes(supplierIn(each)))) return;
  const todo = 'Put the key beside the recording, or give a seed with the names and dates of the recording.';
  throw new AppError('document_invalid', { kind: 'recording', file, reason: lackedKey(file), todo });
}

/** What `dataimport parity` found out. */
export interface ParityResult extends Comparison {
  readonly recording: Recording;
  readonly given: readonly string[];
}

const COLUMNS = ['endpoint', 'exchanges', 'same', 'differs', 'twin_cannot_say'] as const;

/** How many of some exchanges the twin answers as the recorded platform did. */
function countsOf(exchanges: Comparison['exchanges']) {
  const differs = exchanges.filter(({ differences }) => differences.length > 0).length;
  const unsaid = exchanges.filter((each) => each.unsaid !== undefined).length;
  const same = exchanges.length - differs - unsaid;
  return { exchanges: exchanges.length, same, differs, twin_cannot_say: unsaid };
}

export const shownParity = (result: ParityResult): Result => {
  const { recording, exchanges, differences, given, unsaid } = result;
  const { file, warnings } = recording;
  const reasons = [...Map.groupBy(unsaid, (reason) => reason)].map(([reason, each]) => ({
    reason: UNSAID[reason],
    exchanges: each.length,
  }));
  const counts = [...Map.groupBy(exchanges, ({ endpoint }) => endpoint)].map(([endpoint, own]) => ({
    endpoint,
    ...countsOf(own),
  }));
  const rows = [...counts, { endpoint: 'all', ...countsOf(exchanges) }].map((each) =>
    COLUMNS.map((name) => String(each[name])),
  );
  const twin = `a local platform${given.length === 0 ? '' : ` with ${typedBehaviour(given).join(' ')}`}`;
  return {
    next: nextOf(result),
    fields: {
      recording: file,
      exchanges: exchanges.length,
      disguised: recording.isDisguised,
      behaviour: given,
      endpoints: counts,
      cannot_say: reasons,
      differences: differences.map(({ rule, shows }) => ({
        rule,
        shows: shows.map(({ endpoints, exchanges: numbers, ...each }) => ({
          ...each,
          endpoints: [...endpoints],
          count: numbers.size,
          first_exchange: [...numbers][0],
        })),
      })),
      warnings,
    },
    text: () => [
      ...warnings.map((warning) => `warning: ${warning}`),
      `${file}: ${counted(exchanges.length, 'exchange')}, played to ${twin}`,
      { table: [COLUMNS.map((name) => name.replaceAll('_', ' ')), ...rows], right: [1, 2, 3, 4] },
      ...reasons.map((each) => `twin cannot say: ${counted(each.exchanges, 'exchange')}: ${each.reason}`),
      ...differences.flatMap((difference) => ['', ...linesOf(difference, result)]),
      ...(differences.length === 0 ? [] : ['']),
      conclusionOf(result).sentence,
    ],
  };
};

function linesOf({ rule, shows }: FoundDifference, { rules }: ParityResult): readonly string[] {
  const known = rules.find(({ name }) => name === rule);
  return [
    `${rule}${known ? ` (${known.authority}): ${known.says}` : ''}`,
    ...shows.map(({ id, exchanges, items, endpoints }) => {
      const first = `${counted(exchanges.size, 'exchange')}, the first is number ${[...exchanges][0]}`;
      const more = items > exchanges.size ? `, ${items} items in them` : '';
      return `  ${id}; ${first}${more}${endpoints.size > 1 ? `, of ${[...endpoints].join(', ')}` : ''}`;
    }),
  ];
}

/** Whether exchanges of every endpoint could be compared and nothing differs, and what of it is told. */
function conclusionOf({ differences, unsaid, exchanges }: ParityResult) {
  const byEndpoint = Map.groupBy(exchanges, ({ endpoint }) => endpoint);
  const isLeftOut = (endpoint: EndpointName): boolean =>
    byEndpoint.get(endpoint)!.every((each) => each.unsaid !== undefined);
  const leftOut = [...byEndpoint.keys()].filter(isLeftOut);
  const isEmpty = byEndpoint.keys().every((each) => each === 'token' || isLeftOut(each));
  const compared = exchanges.length - unsaid.length;
  const among = leftOut.length === 0 || isEmpty ? '' : `, among them all of ${leftOut.join(', ')}`;
  const rest =
    unsaid.length === 0 ? '' : `; ${counted(unsaid.length, 'exchange')} could not be compared${among}`;
  const sentence =
    differences.length > 0
      ? counted(differences.length, 'difference')
      : isEmpty
        ? `nothing was compared${compared > 0 ? ' but tokens' : ''}`
        : `the local platform answers ${counted(compared, 'exchange')} as the recorded one did`;
  const isSame = differences.length === 0 && !isEmpty && leftOut.length === 0;
  return { isSame, sentence: `${sentence}${rest}` };
}

/** Null where no rule that differs has a key. */
function nextOf({ differences, rules }: ParityResult): string | null {
  const hasKey = ({ rule }: FoundDifference): boolean =>
    rules.some(({ name, says }) => name === rule && says.includes('--behaviour'));
  return differences.some(hasKey)
    ? 'give the `--behaviour` that a rule names to this command, and then to `dataimport serve`'
    : null;
}

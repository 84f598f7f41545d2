import { relative, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { collect } from '../command/flags.ts';
import { readText } from '../command/typed-file.ts';
import { lackedKey, type EndpointName, type Exchange } from '../recording/exchange.ts';
import { readRecording, type Recording } from '../recording/recording.ts';
import { declareBehaviour, type BehaviourFlags, typedBehaviour } from './behaviour-flags.ts';
import { comparedRecording, type Comparison, type FoundDifference } from './compared.ts';
import { commandLine } from '../../core/command-line.ts';
import type { Result } from '../output/result.ts';
import { counted } from '../output/text/text.ts';
import { UNSAID } from './play.ts';

export interface ParityOptions extends BehaviourFlags {
  readonly file: string;
  readonly seed: readonly string[];
}

export const command: CommandDeclaration<ParityOptions> = {
  description:
    'Plays a recording of a platform (`--record`) to a local platform in this process, in its order and at its times, and compares answer by answer. Each difference has the rule of docs/parity.md that it is about, and the key of `--behaviour` with which `serve` answers so, too. Ends with 0 only when nothing differs.',
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
  const resolved = settings.resolved('contract');
  const result: ParityResult = {
    recording,
    ...compared,
    given: behaviour,
    seeds,
    contract: resolved?.source.kind === 'flag' ? relative(io.cwd, resolved.value) : undefined,
  };
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
  readonly seeds: readonly string[];
  /** As the command line names it. */
  readonly contract: string | undefined;
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
      differences: differences.map(({ rule, decision, shows }) => ({
        rule,
        behaviour: decision?.text ?? null,
        between: decision?.between ?? null,
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

function linesOf({ rule, decision, shows }: FoundDifference, { rules }: ParityResult): readonly string[] {
  const known = rules.find(({ name }) => name === rule);
  const between =
    decision?.between === undefined ? '' : `, as the recording shows a limit ${decision.between}`;
  return [
    `${rule}${known ? ` (${known.authority}): ${known.says}` : ''}`,
    ...shows.map(({ id, exchanges, items, endpoints }) => {
      const first = `${counted(exchanges.size, 'exchange')}, the first is number ${[...exchanges][0]}`;
      const more = items > exchanges.size ? `, ${items} items in them` : '';
      return `  ${id}; ${first}${more}${endpoints.size > 1 ? `, of ${[...endpoints].join(', ')}` : ''}`;
    }),
    `  serve: ${decision ? `--behaviour ${decision.text}${between}` : 'no key of --behaviour fits'}`,
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

/** The command that plays the recording with the decisions that are named, too; null where none is. */
function nextOf({ recording, seeds, contract, given, differences }: ParityResult): string | null {
  const named = differences.flatMap(({ decision }) => decision?.text ?? []);
  if (named.length === 0) return null;
  const files = [...seeds.map((seed) => ['--seed', seed] as const), ['--contract', contract] as const];
  const behaviour = typedBehaviour([...new Set([...given, ...named])]);
  return [commandLine('parity', [recording.file], files), ...behaviour].join(' ');
}

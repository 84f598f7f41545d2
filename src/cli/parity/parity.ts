import { relative, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { collect } from '../command/flags.ts';
import { readText } from '../command/typed-file.ts';
import { readRecording } from '../recording/recording.ts';
import { declareBehaviour, type BehaviourFlags } from './behaviour-flags.ts';
import { comparedRecording } from './compared.ts';
import { isSame, shownParity, type ParityResult } from './parity-result.ts';

export interface ParityOptions extends BehaviourFlags {
  readonly file: string;
  readonly seed?: readonly string[];
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
      .option('--seed <file>', 'content of the recorded platform; may be given several times', collect);
    declareBehaviour(command);
  },
  run,
};

async function run(
  { file, seed: seeds, behaviour = [] }: ParityOptions,
  { io, ...context }: CommandContext,
): Promise<CommandEnd> {
  if (!seeds)
    throw new AppError('usage', { reason: '--seed says what the recorded platform has', command: 'parity' });
  const settings = await context.settings();
  const read = (name: string): string => readText(name, io.cwd);
  const contract = settings.get('contract');
  const recording = readRecording(file, read);
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
  return { exit: isSame(result) ? 'OK' : 'DIFFERENT', result: shownParity(result) };
}

import type { Argument, Command, Option } from 'commander';
import { RESOURCES } from '../../core/contract/resources.ts';

/** One word that a shell may complete to. */
export interface CompletionCandidate {
  readonly value: string;
  /** Empty when there is nothing to say. */
  readonly says: string;
}

/** Values that are not in the command line itself, and have to be looked up. */
export type LookedUp = 'runs' | 'codes' | 'suppliers';

/** The completions of the last word of a command line. */
export interface Completions {
  readonly candidates: readonly CompletionCandidate[];
  /** Values that are candidates, too, and that only the caller knows. */
  readonly lookedUp: LookedUp | null;
  /** Whether the shell also completes names of files. */
  readonly hasFiles: boolean;
  /** Text before each value in the word: `--run=` of `--run=2026`. */
  readonly prefix: string;
}

const NOTHING: Completions = { candidates: [], lookedUp: null, hasFiles: false, prefix: '' };

/**
 * Completes the last of the words after `dataimport`, which is empty after a space. `program`: the surface
 * with every command loaded that the words name.
 */
export function completionsOf(program: Command, words: readonly string[]): Completions {
  const last = words.at(-1) ?? '';
  const place = placeOf(program, words.slice(0, -1));
  if (place.option) return valuesOf(place.option);
  if (place.hasOptions && last.startsWith('-')) {
    const flag = /^--[a-z-]+=/.exec(last)?.[0];
    if (flag === undefined) return { ...NOTHING, candidates: flagsOf(place.command) };
    const option = optionOf(flag.slice(0, -1), place.command);
    return option ? { ...valuesOf(option), prefix: flag } : NOTHING;
  }
  const { command, typedArguments } = place;
  const argument =
    command.registeredArguments[typedArguments] ??
    command.registeredArguments.findLast(({ variadic }) => variadic);
  const values = argument ? valuesOf(argument) : NOTHING;
  if (typedArguments > 0) return values;
  return { ...values, candidates: [...namesOf(command), ...values.candidates] };
}

/** The part of a command line that its last word completes. */
interface Place {
  readonly command: Command;
  /** The option whose value is next. */
  readonly option: Option | undefined;
  readonly typedArguments: number;
  /** False after `--`. */
  readonly hasOptions: boolean;
}

function placeOf(program: Command, words: readonly string[]): Place {
  let command = program;
  let option: Option | undefined;
  let typedArguments = 0;
  let hasOptions = true;
  for (const word of words) {
    if (option) option = undefined;
    else if (hasOptions && word === '--') hasOptions = false;
    else if (hasOptions && word.startsWith('-')) {
      const found = word.includes('=') ? undefined : optionOf(word, command);
      if (found?.required) option = found;
    } else if (command !== program || word !== 'help') {
      const below = typedArguments === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (below) command = below;
      else typedArguments++;
    }
  }
  return { command, option, typedArguments, hasOptions };
}

/** The option of a flag, in the command or a command above it. */
function optionOf(flag: string, command: Command): Option | undefined {
  const own = command.options.find(({ long, short }) => flag === long || flag === short);
  return own ?? (command.parent ? optionOf(flag, command.parent) : undefined);
}

function namesOf(command: Command): readonly CompletionCandidate[] {
  const names = command.commands.map((each) => ({ value: each.name(), says: each.summary() }));
  return command.parent ? names : [...names, { value: 'help', says: 'print help for a command' }];
}

/** The flags of a command and of the program. A family's own flags are not those of its commands. */
function flagsOf(command: Command): readonly CompletionCandidate[] {
  let program = command;
  while (program.parent) program = program.parent;
  const options = command === program ? program.options : [...command.options, ...program.options];
  const flags = options.map(({ long, description }) => ({ value: long!, says: description }));
  return [...flags, { value: '--help', says: 'print help' }];
}

/** The values that the name of an argument, or the placeholder of an option, means. */
const LOOKED_UP: Readonly<Record<string, LookedUp>> = {
  run: 'runs',
  '--supplier': 'suppliers',
  code: 'codes',
};

const NAMES_OF_FILES = /^(?:file|url\|file|folder|dir|document|mapping|cohort|old|new)$/;

function valuesOf(of: Argument | Option): Completions {
  const isOption = 'flags' in of;
  const name = isOption ? (/[<[](.*?)(?:\.\.\.)?[\]>]/.exec(of.flags)?.[1] ?? '') : of.name();
  // `check` and `verify` take a cohort file in the place of a resource.
  const isResource = name === 'resource';
  const choices = of.argChoices ?? (isResource ? RESOURCES : []);
  return {
    candidates: choices.map((value) => ({ value, says: '' })),
    lookedUp: LOOKED_UP[isOption ? (of.long ?? '') : name] ?? null,
    hasFiles: isResource ? of.argChoices === undefined : NAMES_OF_FILES.test(name),
    prefix: '',
  };
}

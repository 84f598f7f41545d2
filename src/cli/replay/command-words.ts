import { isAbsolute } from 'node:path';
import { AppError } from '../../core/app-error.ts';

/** A fixture may be a stranger's, so its steps are these commands. Each reads files and sends them to the platform of the replay. */
const COMMANDS = new Set(['check', 'push', 'migrate', 'resume']);

/** The flags of steps. None of them writes a file, runs a program or names another platform. */
const FLAGS = new Set(
  `--again --batch-size --check-previously-added --concurrency --documents --dry-run --map --max-errors --max-records
  --force-add-to-current-statement --no-check-previously-added --no-force-add-to-current-statement --on-existing
  --on-reject --retry-for --shard --skip-invalid --supplier --wait-for-accounts -j -n`.split(/\s+/),
);

/** The words of a step, which writes no file, sends nothing to another platform, and names no file outside of its folder. */
export function stepWords(command: string): readonly string[] {
  const words = commandWords(command);
  const [name = '', ...others] = words;
  if (!COMMANDS.has(name)) throw stepInvalid(command, `a step is one of: ${[...COMMANDS].join(', ')}`);
  for (const word of others) {
    const [, flag, value = ''] = /^(-[a-z](?=\d|$)|--[^=]*|-)?=?(.*)$/s.exec(word)!;
    if (flag !== undefined && !FLAGS.has(flag)) throw stepInvalid(command, `\`${flag}\` cannot be replayed`);
    if (isAbsolute(value) || value.split(/[/\\]/).includes('..'))
      throw stepInvalid(command, 'it names a file outside of the folder');
  }
  return words;
}

/** The words of a command line as a shell splits them. Knows both kinds of quotes and the backslash, but no expansion. */
export function commandWords(command: string): readonly string[] {
  if (command.replaceAll(WORD, '').trim() !== '')
    throw stepInvalid(command, 'a quotation mark is not closed');
  return (command.match(WORD) ?? []).map((word) => word.replaceAll(PART, unquoted));
}

const stepInvalid = (command: string, reason: string): AppError =>
  new AppError('document_invalid', {
    kind: 'expectation',
    reason: `the step \`${command}\` cannot be run: ${reason}`,
  });

const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gs;
const WORD = new RegExp(`(?:${PART.source})+`, 'gs');

function unquoted(_part: string, ...groups: readonly (string | undefined)[]): string {
  const [single, double, escaped, plain] = groups;
  return single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? plain ?? '';
}

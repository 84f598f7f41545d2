import { existsSync, readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { readYaml } from '../../core/yaml/yaml-text.ts';
import { readText } from '../command/typed-file.ts';
import { commandWords, stepInvalid } from './command-words.ts';

/** A fixture may be a stranger's, so its steps are these commands. Each reads files and sends them to the platform of the replay. */
const COMMANDS = new Set(['check', 'push', 'migrate', 'resume']);

/** The flags of steps. None of them writes a file, runs a program or names another platform. */
const FLAGS = new Set(
  `--again --batch-size --check-previously-added --concurrency --documents --dry-run --map --max-errors --max-records
  --force-add-to-current-statement --no-check-previously-added --no-force-add-to-current-statement --on-existing
  --on-reject --retry-for --shard --show-values --skip-invalid --supplier
  --wait-for-accounts -j -n`.split(/\s+/),
);

/** Files and folders of a fixture, at most. A folder with more is no fixture. */
const MOST_ENTRIES = 10_000;

const IS_DOCUMENT = /\.ya?ml$/i;

/** Makes sure that a step only reads, and only in its folder. @throws AppError `expectation_invalid` */
export function assertStep(command: string): void {
  const refused = (reason: string): AppError => stepInvalid(command, reason);
  const [name = '', ...words] = commandWords(command);
  if (!COMMANDS.has(name)) throw refused(`a step is one of: ${[...COMMANDS].join(', ')}`);
  // Only documents with this ending are searched for names of files.
  if (name === 'migrate' && !IS_DOCUMENT.test(words[0] ?? ''))
    throw refused('`migrate` is followed by the name of a .yaml file');
  for (const [index, word] of words.entries()) {
    const [, flag, value = ''] = /^(-[a-z](?=\d|$)|--[^=]*|-)?=?(.*)$/s.exec(word)!;
    if (flag !== undefined && !FLAGS.has(flag)) throw refused(`\`${flag}\` cannot be replayed`);
    if (leaves(value)) throw refused('it names a file outside of the folder');
    const map = word === '--map' ? words[index + 1] : flag === '--map' ? value : undefined;
    if (map !== undefined && !IS_DOCUMENT.test(map)) throw refused('`--map` takes the name of a .yaml file');
  }
}

/**
 * Makes sure that nothing in a fixture leads out of it: no link, no device, and no name of a file in one of its documents. `shown`: the folder
 * as it was typed.
 * @throws AppError `file_not_readable`
 */
export function assertEnclosed(folder: string, shown: string): void {
  const root = realpathSync(folder);
  const entries = entriesOf(folder, shown);
  if (entries.length > MOST_ENTRIES) throw outside(shown, `it contains more than ${MOST_ENTRIES} files`);
  for (const name of entries.toSorted()) {
    const file = join(shown, name);
    assertInside(join(folder, name), { root, file });
    if (IS_DOCUMENT.test(name)) assertDocument(join(folder, name), { root, file });
  }
}

/**
 * The paths of everything in a folder, up to a few more than a fixture has. Follows no link: what a link inside of the folder leads to is in
 * the list by its own name, and a link to elsewhere may lead to a whole disk.
 * @throws AppError `file_not_readable`
 */
function entriesOf(folder: string, shown: string): readonly string[] {
  const found: string[] = [];
  for (const waiting = ['']; waiting.length > 0 && found.length <= MOST_ENTRIES;) {
    const inside = waiting.pop()!;
    for (const entry of listed(join(folder, inside), join(shown, inside))) {
      const name = join(inside, entry.name);
      found.push(name);
      if (entry.isDirectory()) waiting.push(name);
    }
  }
  return found;
}

function listed(folder: string, shown: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw outside(shown, fileReason(error));
  }
}

interface Place {
  /** The fixture folder, after links. */
  readonly root: string;
  /** Name of a file, as it was typed. */
  readonly file: string;
}

function assertInside(path: string, { root, file }: Place): void {
  let reason: string | undefined;
  try {
    const found = realpathSync(path);
    const stats = statSync(found);
    if (leaves(relative(root, found))) reason = 'it is a link that leads out of the fixture';
    else if (!stats.isFile() && !stats.isDirectory()) reason = 'it is neither a file nor a folder';
  } catch (error) {
    reason = fileReason(error);
  }
  if (reason !== undefined) throw outside(file, reason);
}

/** A document that is not readable YAML names no file. The command that reads it reports it. */
function assertDocument(path: string, { file }: Place): void {
  const { yaml } = readYaml({ file, text: readText(path, dirname(path)), schema: 'failsafe' });
  if (!yaml) return;
  for (const { key, text } of textsIn(yaml.value)) {
    if (leaves(text)) throw outside(file, 'it names a file outside of the fixture');
    if (key === 'map' && !IS_DOCUMENT.test(text))
      throw outside(file, 'the name of a mapping under `map` does not end with .yaml');
  }
}

/** Every text of a document, with the nearest key above it. */
function* textsIn(value: unknown, key?: string): Generator<{ key: string | undefined; text: string }> {
  if (typeof value === 'string') yield { key, text: value };
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, key);
  else if (value !== null && typeof value === 'object')
    for (const [name, item] of Object.entries(value)) yield* textsIn(item, name);
}

/**
 * Whether a text names a file above the folder of its document: it goes up, or begins at a root. `/` and `/x` are often values, so a text that
 * begins with `/` is a name only where the first folder exists or has a wildcard.
 */
function leaves(text: string): boolean {
  if (text.split(/[/\\]/).includes('..')) return true;
  if (!isAbsolute(text)) return false;
  const { root } = parse(text);
  const first = resolve(text).slice(root.length).split(sep)[0]!;
  return first !== '' && (/[*?[\]{}!()]/.test(first) || existsSync(join(root, first)));
}

function outside(file: string, reason: string): AppError {
  return new AppError('file_not_readable', { file, reason });
}

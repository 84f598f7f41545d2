import { hash } from 'node:crypto';
import { existsSync, readdirSync, type Dirent } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { folderUnreadable } from './database/access.ts';
import { platformOf, type JournalScope, type RunScope } from './database/run-header.ts';
import { headBeside } from './journal-head.ts';
import { Journal } from './journal.ts';
import type { JournalBeside } from './merge/comparison.ts';

const SUFFIX = '.sqlite';

/** A journal that cannot be read now, and why: another process has it, it is damaged, or it is gone. */
export type UnreadJournal = { readonly file: string; readonly error: AppError };

/**
 * The folder with the journals, `.dataimport/journal` unless `--run-dir` says otherwise:
 *
 *     <target>/<supplier>/<resource>.sqlite         the journal
 *     <target>/<supplier>/<resource>.2of4.sqlite    that of a shard
 *     <target>/<supplier>/<resource>.sqlite.head    how far its chain has grown
 */
export class JournalsFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Where the journal of a scope is, or will be. */
  fileOf(scope: JournalScope): string {
    const { target, supplier, resource, shard } = scope;
    const key = hash('sha256', platformOf(scope)).slice(0, 8);
    // One platform may have several addresses, and its folder has the name of the first.
    const known = entriesIn(this.path).find(({ name }) => name.endsWith(`-${key}`));
    const folder = known?.name ?? `${plainTarget(target)}-${key}`;
    const part = shard === null ? '' : `.${shard.replace('/', 'of')}`;
    return join(this.path, folder, supplierName(supplier), `${resource}${part}${SUFFIX}`);
  }

  files(): readonly string[] {
    return this.named(SUFFIX);
  }

  private named(suffix: string): readonly string[] {
    // A file in its place is an error. Below it, files and links of others are left alone.
    const below = (entry: Dirent) => (entry.isDirectory() ? entriesIn(pathOf(entry)) : []);
    const found = entriesIn(this.path).flatMap(below).flatMap(below);
    return found.map(pathOf).filter((path) => path.endsWith(suffix));
  }

  /** The file of a journal with a name; see `nameOf`. */
  fileNamed(name: string): string {
    return join(this.path, name + SUFFIX);
  }

  /** The other journals of the resource and target of a scope: of other suppliers, and of other shards. */
  beside(scope: JournalScope): readonly JournalBeside[] {
    const own = this.fileOf(scope);
    return this.files().flatMap((path) => {
      const [resource, part] = basename(path).split('.');
      const isOther = path !== own && dirname(dirname(path)) === dirname(dirname(own));
      if (!isOther || resource !== scope.resource) return [];
      const kind =
        dirname(path) !== dirname(own)
          ? 'supplier'
          : countIn(part) === countIn(scope.shard?.replace('/', 'of'))
            ? 'shard'
            : 'count';
      return { path, kind, name: nameOf(this, path) };
    });
  }

  /**
   * Opens the journal of a scope; undefined when there is none. @throws AppError those of `Journal.open`, `run_inaccessible`, `run_removed` when there was one
   */
  open(scope: JournalScope): Journal | undefined {
    const file = this.fileOf(scope);
    if (existsSync(file)) return Journal.open(file, undefined, (journal) => this.assertNamed(journal));
    const removed = removedJournal(file, scope.target);
    if (removed) throw removed;
    return undefined;
  }

  /** A copy under another name has records that another journal has, too. */
  assertNamed(journal: Journal): void {
    const { path: file, scope } = journal;
    if (this.fileOf(scope) === file) return;
    const { resource, supplier, target } = scope;
    throw new AppError('run_inaccessible', {
      reason: `it is the journal of other records, ${resource} of ${supplier} to ${target}, and two journals of the same records would send them twice`,
      remedy: 'Move this copy out of the folder, or to its own place if the journal there is gone',
      file,
    });
  }

  /** The journals that were there, and are gone. */
  removed(): readonly UnreadJournal[] {
    return this.named(`${SUFFIX}.head`).flatMap((head) => {
      const file = head.slice(0, -'.head'.length);
      const error = existsSync(file) ? undefined : removedJournal(file);
      return error ? { file, error } : [];
    });
  }

  /** The removed journals of a resource whose records went to an address. */
  removedOf({ resource, target }: RunScope): readonly UnreadJournal[] {
    const folder = join(this.path, `${plainTarget(target)}-`);
    return this.removed().filter(({ file }) => file.startsWith(folder) && resourceIn(file) === resource);
  }

  /** The database behind an address, as a journal of it knows; null when none does. */
  databaseOf(target: string): string | null {
    const scopes = this.files().values().map(scopeIn);
    return scopes.find((scope) => scope?.target === target && scope.database !== null)?.database ?? null;
  }
}

/** The error of a journal that was removed. Undefined when its chain had no link yet, so that nothing is lost with it. */
function removedJournal(file: string, target = basename(dirname(dirname(file)))): AppError | undefined {
  const { links } = headBeside(file) ?? { links: 0 };
  const facts = { file, head: `${file}.head`, resource: resourceIn(file), target, links };
  return links === 0 ? undefined : new AppError('run_removed', facts);
}

const resourceIn = (file: string): string => basename(file).split('.')[0]!;

/** The number of shards, from the part of a name such as `2of4`. */
const countIn = (part: string | undefined): string => /of(\d+)$/.exec(part ?? '')?.[1] ?? '1';

/** What a journal is of; undefined when it cannot be read now. */
function scopeIn(file: string): RunScope | undefined {
  try {
    const journal = Journal.open(file);
    journal.close();
    return journal.scope;
  } catch {
    return undefined;
  }
}

/** The name of a journal in messages: its path below the folder. */
export const nameOf = (folder: JournalsFolder, file: string): string =>
  relative(folder.path, file).slice(0, -SUFFIX.length);

const plain = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^[-.]+|-+$/g, '')
    .slice(0, 60);

const plainTarget = (target: string): string => plain(target.replace(/^https?:\/\//, ''));

/** A supplier as the name of a folder. */
const supplierName = (supplier: string): string =>
  /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}$/.test(supplier)
    ? supplier
    : `${plain(supplier)}-${hash('sha256', supplier).slice(0, 6)}`;

/** What a folder has; nothing without the folder. */
function entriesIn(folder: string): readonly Dirent[] {
  if (!existsSync(folder)) return [];
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw folderUnreadable(folder, error);
  }
}

const pathOf = ({ parentPath, name }: Dirent): string => join(parentPath, name);

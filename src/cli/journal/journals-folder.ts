import { hash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { folderUnreadable } from './database/access.ts';
import { platformOf, type JournalScope, type RunScope } from './database/run-header.ts';
import { olderRun } from './database/older-run.ts';
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
    const known = namesIn(this.path).find((name) => name.endsWith(`-${key}`));
    const folder = known ?? `${plainTarget(target)}-${key}`;
    const part = shard === null ? '' : `.${shard.replace('/', 'of')}`;
    return join(this.path, folder, supplierName(supplier), `${resource}${part}${SUFFIX}`);
  }

  /** The files of all journals. @throws AppError `run_folder_unreadable` */
  files(): readonly string[] {
    return this.named(SUFFIX);
  }

  private named(suffix: string): readonly string[] {
    // A file in its place is an error. Below it, files of others are left alone.
    const targets = existsSync(this.path) ? readable(this.path, () => readdirSync(this.path).toSorted()) : [];
    return targets.flatMap((target) =>
      namesIn(join(this.path, target)).flatMap((supplier) =>
        namesIn(join(this.path, target, supplier)).flatMap((name) =>
          name.endsWith(suffix) ? join(this.path, target, supplier, name) : [],
        ),
      ),
    );
  }

  /** The file of a journal with a name; see `nameOf`. */
  fileNamed(name: string): string {
    return join(this.path, name + SUFFIX);
  }

  /** Whether the folder has a journal. @throws AppError `run_folder_unreadable` */
  get isKnown(): boolean {
    return this.files().length > 0;
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
      return { path, kind, name: path.slice(this.path.length + 1, -SUFFIX.length) };
    });
  }

  /**
   * Opens the journal of a scope; undefined when there is none. @throws AppError those of `Journal.open`, `run_misnamed`, `run_removed` when there was one
   */
  open(scope: JournalScope): Journal | undefined {
    const file = this.fileOf(scope);
    if (existsSync(file)) {
      const journal = Journal.open(file);
      this.assertNamed(journal);
      return journal;
    }
    const removed = removedJournal(file, scope);
    if (removed) throw removed;
    return undefined;
  }

  /** A copy under another name has records that another journal has, too. It is closed. @throws AppError `run_misnamed` */
  assertNamed(journal: Journal): void {
    const { path: file, scope } = journal;
    if (this.fileOf(scope) === file) return;
    journal.close();
    const { resource, supplier, target } = scope;
    throw new AppError('run_misnamed', { file, resource, supplier, target });
  }

  /** The journals that were there, and are gone. @throws AppError `run_folder_unreadable` */
  removed(): readonly UnreadJournal[] {
    return this.named(`${SUFFIX}.head`).flatMap((head) => {
      const file = head.slice(0, -'.head'.length);
      if (existsSync(file)) return [];
      const [resource = ''] = basename(file).split('.');
      const error = removedJournal(file, { resource, target: basename(dirname(dirname(file))) });
      return error ? [{ file, error }] : [];
    });
  }

  /**
   * What an older program left, here or in the folder beside it that was the default; undefined without any. `isOpen`: whether something may
   * be left to send. @throws AppError `run_folder_unreadable`
   */
  older(): (UnreadJournal & { readonly isOpen: boolean }) | undefined {
    const { path } = this;
    const folders = basename(path) === 'journal' ? [path, join(dirname(path), 'runs')] : [path];
    const files = folders.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
    const runs = files.filter((file) => file.endsWith(SUFFIX)).map((file) => ({ file, ...olderRun(file) }));
    const told = runs.find(({ isOpen }) => isOpen) ?? runs[0];
    if (!told) return undefined;
    const { file, tool, isOpen } = told;
    const remedy = isOpen
      ? `Finish it with that version, or remove ${dirname(file)} if it is not to be finished`
      : `Nothing to do: every run in ${dirname(file)} is finished`;
    const facts = { what: `the run ${file}`, tool: tool ?? 'another version', remedy };
    return { file, error: new AppError('run_version_differs', facts), isOpen };
  }

  /** Why journals of a resource are gone that had records of an address. @throws AppError `run_folder_unreadable` */
  removedOf({ resource, target }: RunScope): readonly AppError[] {
    const folder = plainTarget(target);
    return this.removed().flatMap(({ file, error }) => {
      const isOfTarget = basename(dirname(dirname(file))).startsWith(`${folder}-`);
      return isOfTarget && basename(file).split('.')[0] === resource ? [error] : [];
    });
  }

  /** The database behind an address, as the newest journal of it knows; null when none does. */
  databaseOf(target: string): string | null {
    for (const file of this.files().toSorted().toReversed()) {
      const scope = scopeIn(file);
      if (scope?.target === target && scope.database !== null) return scope.database;
    }
    return null;
  }
}

/** The error of a journal that is gone; undefined for one that had no links. */
function removedJournal(
  file: string,
  { resource, target }: { readonly resource: string; readonly target: string },
): AppError | undefined {
  const seen = headBeside(file);
  if (!seen || seen.links === 0) return undefined;
  return new AppError('run_removed', { file, head: `${file}.head`, resource, target, links: seen.links });
}

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

/** The names in a folder; none without the folder, or for a file. @throws AppError `run_folder_unreadable` */
function namesIn(folder: string): readonly string[] {
  return readable(folder, () =>
    lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).toSorted() : [],
  );
}

function readable<T>(folder: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw folderUnreadable(folder, error);
  }
}

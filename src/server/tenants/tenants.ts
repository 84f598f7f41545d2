import { join } from 'node:path';
import { SENDABLE } from '../../core/sendable-secret.ts';
import { Refusal, refusal } from '../http/answer.ts';
import { IN_MEMORY } from '../store/database.ts';
import { keyIdOf } from '../auth/tokens.ts';
import type { World } from './tenant.ts';

/** The worlds of a server. */
export interface Worlds {
  /** The only one; with `--isolate` that of nobody, which tells of the server. */
  readonly root: World;
  /** Whether each API key has a world of its own. */
  readonly isolated: boolean;
  /**
   * The world of a key, made by its first use.
   * @throws Refusal 400 for a key that can have none, or one too many
   */
  ofKey(key: string): World;
  /** The world whose tokens have this key id; undefined when there is none. */
  ofKeyId(keyId: string): World | undefined;
  /** Those that requests come to. */
  inUse(): readonly World[];
  close(): void;
}

/** Most worlds at a time: each holds a database. */
export const MOST_WORLDS = 500;

/** One world for all. */
export function oneWorld(root: World): Worlds {
  return {
    root,
    isolated: false,
    ofKey: () => root,
    ofKeyId: () => root,
    inUse: () => [root],
    close: () => root.close(),
  };
}

/** What a server that isolates has beside the worlds of its keys. */
interface Ground {
  readonly root: World;
  /** The database that those of the worlds lie beside. */
  readonly base: Closable;
}

interface Closable {
  close(): void;
}

/** One world for each key. `open` makes that of a key; its id names files, too. */
export function worldPerKey({ root, base }: Ground, open: (key: string, keyId: string) => World): Worlds {
  const byKeyId = new Map<string, World>();
  return {
    root,
    isolated: true,
    ofKey: (key) => {
      const keyId = keyIdOf(key);
      const known = byKeyId.get(keyId);
      if (known) return known;
      if (!isWorldKey(key)) throw new Refusal(refusal('world_key_invalid'));
      if (byKeyId.size >= MOST_WORLDS) throw new Refusal(refusal('worlds_exhausted', { limit: MOST_WORLDS }));
      const world = open(key, keyId);
      byKeyId.set(keyId, world);
      return world;
    },
    ofKeyId: (keyId) => byKeyId.get(keyId),
    inUse: () => [...byKeyId.values()],
    close: () => closeAll([...byKeyId.values(), root, base]),
  };
}

/** @throws AppError `database_not_whole` the first one, when all that can be closed are */
function closeAll(opened: readonly Closable[]): void {
  const failures = opened.flatMap((each) => {
    try {
      each.close();
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (failures.length > 0) throw failures[0];
}

function isWorldKey(key: string): boolean {
  return key.length <= 256 && SENDABLE.test(key);
}

/** Where a world keeps its data: beside the database of the server, or in memory as that. */
export function databaseOfWorld(database: string, keyId: string): string {
  return database === IN_MEMORY ? IN_MEMORY : join(`${database}.worlds`, `${keyId}.sqlite`);
}

/** Where texts of states are kept by name. Names are checked by the caller: see `isSnapshotName`. */
export interface Snapshots {
  /** In alphabetical order. */
  names(): readonly string[];
  /** Undefined when there is none of that name. @throws UnfitState when it cannot be read */
  read(name: string): string | undefined;
  /** All of it or nothing, also when the machine stops meanwhile; one of the same name is replaced. */
  write(name: string, text: string): void;
  /** Says whether there was one. */
  delete(name: string): boolean;
}

/** Whether a name is one: it becomes the name of a file, so it can be no path and is the same on every file system. */
export function isSnapshotName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);
}

export function snapshotsInMemory(): Snapshots {
  const texts = new Map<string, string>();
  return {
    names: () => [...texts.keys()].toSorted(),
    read: (name) => texts.get(name),
    write: (name, text) => void texts.set(name, text),
    delete: (name) => texts.delete(name),
  };
}

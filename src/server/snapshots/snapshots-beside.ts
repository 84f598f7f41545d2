import { IN_MEMORY } from '../store/database.ts';
import { snapshotFolder } from './snapshot-folder.ts';
import { snapshotsInMemory, type Snapshots } from './snapshots.ts';

/** Beside the database; those of a database in memory are in memory, too. */
export function snapshotsBeside(database: string): Snapshots {
  return database === IN_MEMORY ? snapshotsInMemory() : snapshotFolder(`${database}.snapshots`);
}

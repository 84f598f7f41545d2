import { holdDatabase } from './database-hold.ts';
import { openStore, type Store } from './store.ts';

/** A store whose database no other server opens before it is closed. @throws AppError `database_in_use`, `database_unusable` */
export function openHeldStore(file: string): Store {
  const hold = holdDatabase(file);
  try {
    const store = openStore(file);
    return { ...store, close: () => closeBoth(store, hold) };
  } catch (error) {
    hold.release();
    throw error;
  }
}

function closeBoth(store: Store, hold: { release(): void }): void {
  try {
    store.close();
  } finally {
    hold.release();
  }
}

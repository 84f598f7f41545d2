import { fileReason } from '../../../core/file-reason.ts';
import { refusal, Refusal, type Answer } from '../../http/answer.ts';
import { NdJson } from '../../http/ndjson.ts';
import {
  headOfState,
  LARGEST_STATE_BYTES,
  lineOfRow,
  rowsOfState,
  stateText,
  UnfitState,
} from '../../snapshots/state-text.ts';
import { isSnapshotName, type Snapshots } from '../../snapshots/snapshots.ts';
import { UnfitRow } from '../../store/contents.ts';
import type { Store } from '../../store/store.ts';
import { countsOf } from './health.ts';
import type { Call, Route } from '../route.ts';
import type { ServerContext } from '../server-context.ts';

/** Everything that the platform remembers, as a text that it takes again, and such texts under names. */
export function stateRoutes({ platform, identity, snapshots }: ServerContext): readonly Route[] {
  const { store } = platform;
  const state = { path: '/_local/state', access: 'loopback', linesUpToBytes: LARGEST_STATE_BYTES } as const;
  const named = { path: '/_local/snapshots/:name', access: 'loopback' } as const;
  const text = () =>
    fitting(() => store.write(() => stateText(store.contents, { at: platform.now(), by: identity.version })));
  return [
    { ...state, method: 'GET', answer: () => ({ status: 200, body: new NdJson([text().trimEnd()]) }) },
    {
      ...state,
      method: 'PUT',
      answer: ({ body }: Call) => restored(Buffer.from(body ?? []).toString(), store),
    },
    {
      method: 'GET',
      path: '/_local/snapshots',
      access: 'loopback',
      answer: () => ({
        status: 200,
        body: { snapshots: snapshots.names().map((name) => listed(name, readable(name, snapshots))) },
      }),
    },
    {
      ...named,
      method: 'PUT',
      answer: ({ segments }: Call) => {
        const name = nameIn(segments);
        const saved = text();
        written(() => snapshots.write(name, saved));
        return { status: 200, body: listed(name, saved) };
      },
    },
    {
      ...named,
      method: 'DELETE',
      answer: ({ segments }: Call) => {
        if (!snapshots.delete(nameIn(segments))) throw new Refusal(refusal('snapshot_not_found'));
        return { status: 200, body: { deleted: true } };
      },
    },
    {
      path: '/_local/snapshots/:name/restore',
      access: 'loopback',
      method: 'POST',
      answer: ({ segments }: Call) => {
        const name = nameIn(segments);
        const saved = fitting(() => snapshots.read(name));
        if (saved === undefined) throw new Refusal(refusal('snapshot_not_found'));
        return restored(saved, store);
      },
    },
  ];
}

/** @throws Refusal 500 when the disk does not take it */
function written(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Refusal(refusal('snapshot_not_written', { reason: fileReason(error) }));
  }
}

/** Puts a state in the place of all there is, or changes nothing. @throws Refusal 400 */
function restored(text: string, store: Store): Answer {
  fitting(() => {
    const rows = rowsOfState(text, store.contents.version);
    store.write(() => store.contents.replace(rows));
  });
  return { status: 200, body: { counts: countsOf(store) } };
}

/** @throws Refusal 400 for a state that is none, or does not fit */
function fitting<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof UnfitRow) {
      const line = error.index === undefined ? '' : ` (line ${lineOfRow(error.index)})`;
      throw unfit(`${error.message}${line}`);
    }
    if (error instanceof UnfitState) throw unfit(error.message);
    throw error;
  }
}

function unfit(reason: string): Refusal {
  return new Refusal(refusal('state_unfit', { reason }));
}

/** The text of a snapshot; that of a damaged one is empty. */
function readable(name: string, snapshots: Snapshots): string {
  try {
    return snapshots.read(name) ?? '';
  } catch (error) {
    if (error instanceof UnfitState) return '';
    throw error;
  }
}

/** A snapshot as the list shows it; `written_at` is null for one whose first line cannot be read. */
function listed(name: string, text: string) {
  const head = headOfState(text);
  return {
    name,
    bytes: Buffer.byteLength(text),
    written_at: head?.written_at ?? null,
    written_by: head?.written_by ?? null,
  };
}

/** @throws Refusal 400 */
function nameIn({ name = '' }: Readonly<Record<string, string>>): string {
  if (!isSnapshotName(name)) throw new Refusal(refusal('snapshot_name_invalid'));
  return name;
}

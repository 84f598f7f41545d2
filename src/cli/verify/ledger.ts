import { createInterface } from 'node:readline';
import { AppError } from '../../core/app-error.ts';
import { moveInNote } from '../../core/contract/period-move.ts';
import { DESCRIPTORS, type Descriptors, type Resource } from '../../core/contract/resources.ts';
import { fileReason } from '../../core/file-reason.ts';
import { exactJson, withNumbers } from '../../core/values/exact-json.ts';
import { isJsonObject, type JsonObject } from '../../core/values/plain-json.ts';
import type { OnClose } from '../command/command-ports.ts';
import { streamOf } from '../command/typed-file.ts';
import type { LedgerStore } from '../scratch/ledger-store.ts';
import { isLoopback } from '../settings/parsers.ts';
import { recordForm } from '../comparison/stored-record.ts';

interface LedgerChoice {
  readonly resource: Resource;
  readonly descriptors: Descriptors | undefined;
  readonly cwd: string;
  readonly onClose: OnClose;
}

/**
 * Loads the records of one resource from a ledger onto the disk. `ledger`: the address of a local platform, or a file with
 * the output of `admin ledger`.
 * @throws AppError `file_not_readable`, `ledger_unreadable`, `serve_not_there`, `connection_failed`, `serve_not_running`
 */
export async function loadLedger(ledger: string, choice: LedgerChoice): Promise<LedgerStore> {
  const { resource, descriptors = DESCRIPTORS, onClose } = choice;
  const [{ openLedgerStore }, { identityOf }] = await Promise.all([
    import('../scratch/ledger-store.ts'),
    import('../journal/stage/staging.ts'),
  ]);
  const store = openLedgerStore();
  onClose(() => store.close());
  const { kind, idField } = descriptors[resource];
  const idIn = (data: JsonObject): string => (idField === null ? '' : String(data[idField]));
  let line = 0;
  for await (const text of linesOf(ledger, choice)) {
    line++;
    if (text === '') continue;
    const entry = exactJson(text);
    if (!isLedgerLine(entry)) throw new AppError('ledger_unreadable', { ledger, line });
    const { import_supplier, external_account_number } = entry;
    const move = entry.kind === DESCRIPTORS.notes.kind ? moveInNote(String(entry.data['body'])) : undefined;
    if (move) store.addMove({ import_supplier, external_account_number, ...move });
    if (entry.kind !== kind) continue;
    const data = JSON.stringify(withNumbers(entry.data));
    const form = recordForm(descriptors[resource] as never, data);
    // A stored record may have lost its form. Its id still ties it to its row.
    const { key, variant } = form ? identityOf(form) : { key: idIn(entry.data), variant: '' };
    store.add({
      import_supplier,
      external_account_number,
      key,
      variant,
      seq: line,
      type: form?.type ?? null,
      amount: form?.amount ?? null,
      content: form?.content ?? Buffer.alloc(0),
      data,
    });
  }
  return store;
}

interface LedgerLine {
  readonly kind: string;
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly data: JsonObject;
}

function isLedgerLine(entry: unknown): entry is LedgerLine {
  return (
    isJsonObject(entry) &&
    isJsonObject(entry['data']) &&
    ['kind', 'import_supplier', 'external_account_number'].every((name) => typeof entry[name] === 'string')
  );
}

async function* linesOf(ledger: string, { resource, cwd }: LedgerChoice): AsyncGenerator<string> {
  if (/^https?:/.test(ledger)) {
    if (!URL.canParse(ledger) || !isLoopback(new URL(ledger).hostname))
      throw new AppError('serve_not_there', { url: ledger, reason: 'it is not on this machine' });
    const { ledgerLines } = await import('../client/local-admin.ts');
    // Notes say which transactions were moved. The other resources need their own records alone.
    const kind = resource === ('transactions' satisfies Resource) ? undefined : DESCRIPTORS[resource].kind;
    yield* ledgerLines(ledger.replace(/\/+$/, ''), kind);
    return;
  }
  try {
    yield* createInterface({ input: streamOf(ledger, cwd), crlfDelay: Infinity });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('file_not_readable', { file: ledger, reason: fileReason(error) }, error);
  }
}

import { hash } from 'node:crypto';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { moveInNote } from '../../core/contract/period-move.ts';
import { DESCRIPTORS, type Descriptors, type Resource } from '../../core/contract/resources.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { fileReason } from '../../core/file-reason.ts';
import { trimmed } from '../../core/operator/trimmed.ts';
import { isSameMoney } from '../../core/values/decimal.ts';
import { exactJson, withNumbers } from '../../core/values/exact-json.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { isJsonObject, plainJson, type JsonObject } from '../../core/values/plain-json.ts';
import type { CheckedFiles } from '../check/checked-files.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { streamOf } from '../command/typed-file.ts';
import { guard } from '../journal/database/integrity.ts';
import type { FoundReading, OpenJournals } from '../journal/found-readings.ts';
import { identityOf } from '../journal/stage/staging.ts';
import { ARRIVED } from '../push/ports/report.ts';
import { textsOf } from '../push/stage/stage-record.ts';
import { isLoopback } from '../settings/parsers.ts';
import {
  openLedgerStore,
  openUnpairedStore,
  type ComparedRecord,
  type ComparedRow,
  type LedgerStore,
} from './ledger-store.ts';
import { reconcile, type Comparison, type Difference } from './reconcile.ts';
import type { Standings } from './standings.ts';
import { judgeStored, recordForm, type RecordForm } from './stored-record.ts';
import type { ComparedSide, ListedDifference } from './verification-schema.ts';

/** A ledger, and what is known of the records in it. */
interface LedgerChoice {
  /** The address of a local platform, or a file with the output of `admin ledger`. */
  readonly ledger: string;
  readonly descriptor: Descriptors[Resource];
  /** How the rows stand by the journals; undefined when no journal knows what was sent. */
  readonly standings: Standings | undefined;
  /** The readings that went to the platform of the ledger. */
  readonly ofPlatform: readonly FoundReading[];
}

/** The form of the JSON text of a record; undefined when it is no record of the resource. */
type FormOf = (text: string) => RecordForm | undefined;

type LedgerPorts = Pick<CommandPorts, 'io' | 'onClose'> & { readonly journals: OpenJournals };

/**
 * Compares the files with the records that a local platform has stored. Rows that no answer has proven, and that it has with equal content,
 * are settled.
 */
export async function comparedWithLedger(
  checked: Pick<CheckedFiles, 'sources' | 'run'>,
  choice: LedgerChoice,
  ports: LedgerPorts,
): Promise<ComparedSide> {
  const { sources, run } = checked;
  const { resource } = run.header;
  const { ledger, standings, descriptor } = choice;
  const formOf: FormOf = (text) => recordForm(descriptor as never, text);
  // A platform that removes blanks may have kept them all the same.
  const formsOf = (payload: string) =>
    [descriptor.trims && recordForm(descriptor as never, payload, trimmed), formOf(payload)].filter(
      (form) => form !== undefined,
    );
  const store = openLedgerStore(run, (payload) => formsOf(payload)[0]?.content ?? Buffer.alloc(0));
  await loadLedger(resource, store, { ledger, formOf, sentIn: standings?.here ?? [] }, ports.io.cwd);
  let moved = 0;
  const proven = new Map<number, KnownRecord>();
  const isEndIn = ({ end }: ComparedRow, ends: Ends): boolean =>
    standings !== undefined && ends.includes(end);
  const addProven = (row: ComparedRow): void => {
    const known = isEndIn(row, SETTLED) && standings?.recordOf(row.seq);
    if (known) proven.set(row.seq, known);
  };
  const differing = (row: ComparedRow, record: ComparedRecord): readonly string[] => {
    if (row.content.length > 0 && row.content.equals(record.content)) return [];
    const [ours, theirs] = [formsOf(store.payloadOf(row.seq)), formOf(store.dataOf(record.seq))];
    if (ours.length === 0 || !theirs) return ['content'];
    const { import_supplier, external_account_number } = row;
    const move = { import_supplier, external_account_number, id: String(theirs.id) };
    const verdicts = ours.map(({ fields }) =>
      judgeStored(descriptor as never, fields, theirs.fields, (before, after) =>
        store.hasMove({ ...move, from: String(before), to: String(after) }),
      ),
    );
    const verdict = verdicts.find(({ fields }) => fields.length === 0) ?? verdicts[0]!;
    if (verdict.isMoved) moved++;
    return verdict.fields;
  };
  const unpaired = openUnpairedStore();
  ports.onClose(() => unpaired.close());
  const originOf = originsIn(store, { ...choice, formOf, resource }, ports.journals);
  const { differences, ...totals } = guard(run.db, () =>
    reconcile({
      sorted: store.sorted(),
      keepsOne: descriptor.repetition.exactIsHarmless,
      differing(row, record) {
        const fields = differing(row, record);
        if (fields.length === 0) addProven(row);
        return fields;
      },
      unpaired,
      originOf,
      mayMiss: (row) => isEndIn(row, MISSING),
      isChanged: (row) => isEndIn(row, CONFLICTING),
    }),
  );
  settle(proven, choice, ports);
  const files = sources.files.map(({ file }) => file.name);
  return {
    name: ledger,
    ...totals,
    // Differences are found in the order of accounts. A person reads them along the file.
    differences: differences
      .toSorted(
        ({ row: a }, { row: b }) => (a?.source ?? 0) - (b?.source ?? 0) || (a?.line ?? 0) - (b?.line ?? 0),
      )
      .map((difference) => listedDifference(difference, files)),
    rows_proven: proven.size,
    dates_moved: moved,
  };
}

type Ends = readonly ComparedRow['end'][];

/** Rows that a ledger can settle: the platform has them, and no answer has proven their content. */
const SETTLED: Ends = ['verify', 'uncompared'];

/** Rows whose record is there otherwise. */
const CONFLICTING: Ends = ['changed', 'moved'];

/** Rows that are missing by their journal, so that a ledger may lack them, too. */
const MISSING: Ends = [...CONFLICTING, 'verify', 'rejected', 'unknown', 'not_sent', 'invalid'];

/** The record of a row in the journal that knows it best. */
type KnownRecord = NonNullable<ReturnType<Standings['recordOf']>>;

/** Settles rows in their journals, so that the next command knows it, too. */
function settle(
  proven: ReadonlyMap<number, KnownRecord>,
  { ledger, standings }: LedgerChoice,
  { journals, io: { timing } }: LedgerPorts,
): void {
  if (!standings) return;
  const now = preciseInstantOfClock(timing.nowMs());
  for (const [file, ofJournal] of Map.groupBy(proven.values(), (record) => record.file)) {
    const journal = journals.at(file);
    for (const [reading, records] of Map.groupBy(ofJournal, (record) => record.reading))
      journal.reading(reading).confirming.confirm(
        records.map(({ there }) => there),
        { verdict: 'arrived', by: 'dataimport verify', ledger, now },
      );
    journal.see();
  }
  standings.prove([...proven.keys()]);
}

/** Says of a record of a ledger that no row explains where it comes from. */
function originsIn(
  store: LedgerStore,
  { ofPlatform, ...sentIn }: Pick<LedgerChoice, 'ofPlatform'> & SentForm,
  journals: OpenJournals,
): Comparison['originOf'] {
  const senders = [...Map.groupBy(ofPlatform, ({ file }) => file)].map(([file, readings]) => ({
    journal: journals.at(file),
    ids: new Map(readings.map(({ number, header }) => [number, header.id])),
  }));
  return (record) => {
    const run = senderOf(record);
    if (run !== undefined) return { kind: 'run', run };
    if (!store.hasAccount(record)) return 'account_without_rows';
    // Notes alone have a body.
    const { body } = plainJson(store.dataOf(record.seq)) as JsonObject;
    return moveInNote(String(body)) === undefined ? undefined : { kind: 'platform', run: null };
  };

  function senderOf(record: ComparedRecord): string | undefined {
    const contents = sentContents(record, store, sentIn);
    const { import_supplier, external_account_number, key, variant } = record;
    for (const { journal, ids } of senders) {
      const recordOf = (of: string) =>
        journal.recordOf({ import_supplier, external_account_number, key, variant: of });
      // The platform gives a time to a note that has none, and then its variant is another.
      const sent = recordOf(variant) ?? recordOf('');
      if (!sent || !THERE.includes(sent.outcome)) continue;
      if (sent.type !== record.type || !isSameMoney(sent.amount, record.amount)) continue;
      if (contents?.some((each) => each.equals(sent.content)) !== false) return ids.get(sent.reading);
    }
    return undefined;
  }
}

/** How a record of the ledger was sent. */
type SentForm = Pick<LedgerChoice, 'descriptor'> & Readonly<{ resource: Resource; formOf: FormOf }>;

/** Outcomes of records that the platform has. */
const THERE: readonly string[] = [...ARRIVED, 'verify'];

/**
 * The hashes that a journal may have of a record which a platform has stored (`record.content`): as it is stored, and without what the
 * platform may have filled in. Undefined for a record whose date the platform says to have moved, because it has changed texts, too. A
 * record that has lost its form has none.
 */
function sentContents(
  { seq, import_supplier, external_account_number }: ComparedRecord,
  store: LedgerStore,
  { resource, descriptor: { filled = [], answer }, formOf }: SentForm,
): readonly Buffer[] | undefined {
  const form = formOf(store.dataOf(seq));
  if (!form) return [];
  const date = answer.movableDate && form.fields[answer.movableDate.field];
  const account = { import_supplier, external_account_number };
  const move = { ...account, id: String(form.id), from: null, to: String(date) };
  if (date !== undefined && store.hasMove(move)) return undefined;
  return [[], filled].map((left) => {
    const names: readonly string[] = left;
    const fields = Object.entries(form.fields).filter(([name]) => !names.includes(name));
    return hash('sha256', textsOf(resource, Object.fromEntries(fields)).valueText, 'buffer');
  });
}

async function loadLedger(
  resource: Resource,
  store: LedgerStore,
  { ledger, formOf, sentIn }: Readonly<{ ledger: string; formOf: FormOf; sentIn: readonly FoundReading[] }>,
  cwd: string,
): Promise<void> {
  const { kind, idField } = DESCRIPTORS[resource];
  const idIn = (data: JsonObject): string => (idField === null ? '' : String(data[idField]));
  let line = 0;
  for await (const text of linesOf(ledger, { resource, sentIn }, cwd)) {
    line++;
    if (text === '') continue;
    const { data: entry } = LEDGER_LINE.safeParse(exactJson(text));
    if (!entry)
      throw new AppError('file_not_readable', {
        reason: `line ${line} is no line of a ledger`,
        todo: 'Save the ledger again: `dataimport admin ledger > ledger.ndjson`.',
        file: ledger,
      });
    const { import_supplier, external_account_number } = entry;
    const move = entry.kind === DESCRIPTORS.notes.kind ? moveInNote(String(entry.data['body'])) : undefined;
    if (move) store.addMove({ import_supplier, external_account_number, ...move });
    if (entry.kind !== kind) continue;
    const data = JSON.stringify(withNumbers(entry.data));
    const form = formOf(data);
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
}

const LEDGER_LINE = z.object({
  kind: z.string(),
  import_supplier: z.string(),
  external_account_number: z.string(),
  data: z.custom<JsonObject>(isJsonObject),
});

/** Another database may have equal records, which prove nothing about those that were sent. */
function assertSentThere(ledger: string, database: string | null, [reading]: readonly FoundReading[]): void {
  if (!reading) return;
  const { target, database: sent } = reading.header;
  // Only the local platform names its database, and it is on this machine.
  if (sent === null ? isLoopback(new URL(target).hostname) : sent === database) return;
  const isThere = new URL(target).host === new URL(ledger).host;
  throw new AppError('usage', {
    reason: `the ledger ${ledger} is of another database than the one at ${target} to which the records were sent`,
    todo: isThere
      ? 'The platform was reset since, or started with another database. Push again.'
      : `Give --ledger ${target}; or --base-url ${ledger} for the records that were sent there.`,
  });
}

async function* linesOf(
  ledger: string,
  { resource, sentIn }: { resource: Resource; sentIn: readonly FoundReading[] },
  cwd: string,
): AsyncGenerator<string> {
  if (/^https?:/.test(ledger)) {
    if (!URL.canParse(ledger) || !isLoopback(new URL(ledger).hostname))
      throw new AppError('usage', {
        reason: `${ledger} is no local platform: it is not on this machine`,
        todo: 'Give the address that `dataimport serve` printed.',
      });
    const { openLocalAdmin } = await import('../client/local-admin.ts');
    const admin = await openLocalAdmin(ledger.replace(/\/+$/, ''), 'admin ledger');
    assertSentThere(ledger, admin.database, sentIn);
    // Notes say which transactions were moved. The other resources need their own records alone.
    const isWhole = resource === ('transactions' satisfies Resource);
    yield* admin.lines(isWhole ? 'ledger' : `ledger?kind=${DESCRIPTORS[resource].kind}`);
    return;
  }
  try {
    yield* createInterface({ input: streamOf(ledger, cwd), crlfDelay: Infinity });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('file_not_readable', { file: ledger, reason: fileReason(error) }, error);
  }
}

function listedDifference(
  { code, severity, row, record, fields }: Difference,
  files: readonly string[],
): ListedDifference {
  const what = fields.join(', ');
  return {
    code,
    severity,
    file: row === null ? null : files[row.source - 1]!,
    line: row?.line ?? null,
    detail: what === '' ? sentenceOf(code) : `${sentenceOf(code)}: ${what}`,
    fields,
    ledger_line: record?.seq ?? null,
  };
}

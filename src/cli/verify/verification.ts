import { total } from '../../core/values/counts.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import type { OnClose } from '../command/command-ports.ts';
import type { ComparedSide, ComparedWith, ListedDifference } from './verification-schema.ts';
import type { Reading } from '../journal/reading.ts';
import { openUnpairedStore } from '../scratch/unpaired-store.ts';
import { inOrder } from '../comparison/pairing.ts';
import type { FoundRecord, SentRecord, SourceRecord } from '../comparison/ports.ts';
import { groupsOf } from '../comparison/record-groups.ts';
import {
  reconcile,
  LISTED,
  type Difference,
  type DifferenceCode,
  type Reconciliation,
} from '../comparison/reconcile.ts';
import type { RecordOutcome } from '../push/ports/report.ts';
import { NONE_APART, ROWS_APART, SentPart, type SentReadings } from './sent-part.ts';
import { judgeSent } from '../comparison/sent-record.ts';
import type { CheckedFiles } from '../check/checked-files.ts';

/** The source files, read and mapped anew. */
type Source = Pick<CheckedFiles, 'sources' | 'run'>;

type ComparisonPorts = { readonly onClose: OnClose };

/** Whether a run has read the very bytes of the files. */
const hasRead = ({ header }: Reading, { files }: Source['sources']): boolean =>
  header.sources.map(({ sha256 }) => sha256).join() ===
  files.map(({ file }) => file.fingerprint.sha256).join();

/** A run with its chain, computed anew. */
export type ProvenRun = { readonly run: Reading; readonly chain: ReturnType<Reading['proving']['chain']> };

/** Compares the files with what was sent of them. */
export function comparedWithRuns(
  { sources, run: checked }: Source,
  { sent, proven }: { sent: SentReadings; proven: readonly ProvenRun[] },
  ports: ComparisonPorts,
): ComparedSide {
  const { readings } = sent;
  const isSameFile = readings.map((run) => hasRead(run, sources));
  const part = new SentPart(sent);
  const judge = (row: SourceRecord, found: SentRecord) => {
    const isOwn = found.reading === readings[found.origin]!.number;
    return judgeSent(row, found, isOwn && isSameFile[found.origin]!);
  };
  const totals = reconcile<SentRecord>({
    groups: part.compared(checked.proving.sourceRecords()),
    pairing: inOrder,
    judge,
    unpaired: unpairedStore<SentRecord>(ports),
  });
  const others = readings.filter((_, index) => !isSameFile[index]);
  return sideOf('run', totals, {
    names: proven.map(({ run }) => run.header.id),
    differences: totals.differences.map((difference) => ofRuns(difference, sources, readings)),
    rows_apart: part.apart,
    confirmed_by: [...new Set(proven.flatMap(({ run }) => run.proving.confirmedBy()))],
    chains: proven.map(comparedChain),
    notes: others.map(
      ({ header }) =>
        `the run ${header.id} read other bytes than these files have: the records are compared by their ids and contents`,
    ),
  });
}

const comparedChain = ({ run, chain: { head, links, broken } }: ProvenRun) => ({
  run: run.header.id,
  head,
  links,
  broken,
});

/** What follows from a comparison without differences, row for row. */
const PROVES: Readonly<Record<ComparedWith, string>> = {
  run: 'source = what was sent = what was answered. The platform has no endpoint to read records back, so this does not prove what it stores now.',
  ledger: 'source = what the local platform has stored.',
  asking:
    'the platform was asked for each record once more, and has answered that the record is already there.',
};

type SideFacts = Pick<ComparedSide, 'names' | 'differences'> &
  Partial<
    Pick<ComparedSide, 'rows_apart' | 'confirmed_by' | 'rows_proven' | 'dates_moved' | 'chains' | 'notes'>
  >;

/** The document of a comparison. */
export function sideOf<F extends FoundRecord>(
  side: ComparedWith,
  totals: Reconciliation<F>,
  { differences, rows_apart: apart = NONE_APART, chains = [], ...facts }: SideFacts,
): ComparedSide {
  const equal = totals.errors_total === 0;
  const isApart = ROWS_APART.some((kind) => apart[kind] > 0);
  return {
    with: side,
    confirmed_by: [],
    rows_proven: 0,
    dates_moved: 0,
    notes: [],
    ...totals,
    ...facts,
    rows_apart: apart,
    chains,
    equal,
    proves: equal && !isApart && chains.every(({ broken }) => broken === null) ? PROVES[side] : null,
    differences: inFileOrder(differences),
  };
}

/** The codes of outcomes in a run that asks again: it proves only the records that are there already. */
const OF_ASKING: Readonly<Partial<Record<RecordOutcome, DifferenceCode>>> = {
  created: 'record_added_by_asking',
  verify: 'record_not_arrived',
  rejected: 'record_not_arrived',
  unknown: 'record_not_arrived',
  not_sent: 'record_not_arrived',
};

/** Compares the files with what the platform has answered when it was asked for each record again. No row is counted apart. */
export function comparedByAsking({ sources, run }: Source, ports: ComparisonPorts): ComparedSide {
  const totals = reconcile<SentRecord>({
    groups: groupsOf(run.proving.sourceRecords(), run.proving.sentRecords(0)),
    pairing: inOrder,
    judge(row, sent) {
      const code = OF_ASKING[sent.outcome];
      return code === undefined ? judgeSent(row, sent, true) : { code, fields: [] };
    },
    unpaired: unpairedStore<SentRecord>(ports),
  });
  return sideOf('asking', totals, {
    names: [run.header.id],
    differences: totals.differences.map((difference) => ofRuns(difference, sources, [run])),
    chains: [comparedChain({ run, chain: run.proving.chain() })],
  });
}

/** Differences are found in the order of accounts. A person reads them along the file. */
function inFileOrder(differences: readonly ListedDifference[]): readonly ListedDifference[] {
  const files = [...new Set(differences.map(({ file }) => file))];
  return differences.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0),
  );
}

/** The rows that are no valid records, so that nothing was sent of them. */
export function invalidRowsOf({ sources, run }: Source): readonly ListedDifference[] {
  return run.proving
    .invalidRows(LISTED)
    .map((row) =>
      listedDifference(
        { code: 'row_not_valid', severity: 'error', source: row, found: null, fields: [] },
        fileOf(row, sources),
      ),
    );
}

/** How many rows a comparison has looked at, or counted apart. */
export function comparedRows({ types, repeated_rows: repeats, rows_apart: apart }: ComparedSide): number {
  return repeats + total(types, ({ source }) => source.count) + total(ROWS_APART, (kind) => apart[kind]);
}

/** A store for the records without a counterpart, until the command ends. */
export function unpairedStore<F extends FoundRecord>({ onClose }: ComparisonPorts) {
  const store = openUnpairedStore<F>();
  onClose(() => store.close());
  return store;
}

export function fileOf(
  row: Pick<SourceRecord, 'source'> | null,
  { files }: Source['sources'],
): string | null {
  return row === null ? null : files[row.source - 1]!.file.name;
}

/** A difference from a run, with the request of its record. A record without a row names the row that it came from. */
function ofRuns(
  difference: Difference<SentRecord>,
  sources: Source['sources'],
  runs: readonly Reading[],
): ListedDifference {
  const { source, found } = difference;
  const run = found === null ? null : runs[found.origin]!;
  const answer = run?.proving.answerTo(found!.seq);
  const file = source ? fileOf(source, sources) : (run?.mappedSources()[found!.source - 1]?.name ?? null);
  return {
    ...listedDifference(
      difference,
      file,
      difference.code === 'record_not_arrived' ? found!.outcome.replace('_', ' ') : undefined,
    ),
    line: (source ?? found)?.line ?? null,
    run: run?.header.id ?? null,
    batch: answer?.batch ?? null,
    http_status: answer?.status ?? null,
  };
}

export function listedDifference(
  { code, severity, source, fields }: Difference<FoundRecord>,
  file: string | null,
  what = fields.join(', '),
): ListedDifference {
  return {
    code,
    severity,
    file,
    line: source?.line ?? null,
    detail: what === '' ? sentenceOf(code) : `${sentenceOf(code)}: ${what}`,
    fields,
    run: null,
    batch: null,
    http_status: null,
    ledger_line: null,
  };
}

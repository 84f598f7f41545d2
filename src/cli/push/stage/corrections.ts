import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { failure } from '../../../core/problem.ts';
import {
  isUnder,
  type Candidate,
  type CellProblem,
  type MappingPlan,
  type RecordRows,
} from '../../mapping/mapping-plan.ts';
import type { LeftOutCause } from '../ports/staging.ts';
import type { FileRow, StageSource } from '../stage-job.ts';

/** A record as it was checked, with its problems. */
export type CheckedRow = { readonly candidate: Candidate; readonly problems: readonly CellProblem[] };

/** A corrected row, and what becomes of it. */
interface Correction {
  readonly rows: RecordRows;
  readonly plan: MappingPlan;
  readonly identity: string | undefined;
  /** The source that it is a row of. */
  readonly of: CorrectionStaging;
}

/** Where a correction is staged, left out or refused. */
export interface CorrectionStaging {
  readonly source: StageSource;
  accept(rows: RecordRows, plan: MappingPlan): void;
  leaveOut(rows: RecordRows, plan: MappingPlan, cause: LeftOutCause): void;
  /** Refuses it, unless it is of another shard. */
  refuse(rows: RecordRows, plan: MappingPlan, problem: ReturnType<typeof failure>): void;
}

/** Corrections that take the place of the same rows. */
export interface CorrectedPlace {
  corrections: readonly Correction[];
  /** Whether one of the rows was met, so that the corrections are staged. */
  isMet: boolean;
}

/** Most rows of all files of `--corrections`: they are kept in memory until their rows come by. */
export const MOST_CORRECTIONS = 100_000;

/**
 * The rows of `--corrections`. They are read first, and staged when a row comes by whose place they take, so that the order of an
 * account stays.
 *
 * A file with a reasons file beside it that names a row for each of its rows takes the place of just those. The rows of any other file
 * take the place of the rows with their identity. A later file may correct the rows of an earlier one.
 */
export class Corrections {
  count = 0;
  private readonly resource: Resource;
  private readonly places = new Set<CorrectedPlace>();
  /** By the identity of the rows whose place is taken. */
  private readonly byIdentity = new Map<string, CorrectedPlace>();
  /** By the row whose place is taken, and by the corrections themselves. */
  private readonly byRow = new Map<string, CorrectedPlace>();
  /** By the identity of the corrections themselves. */
  private readonly correcting = new Map<string, CorrectedPlace>();
  private reading: Correction[] = [];

  constructor(resource: Resource) {
    this.resource = resource;
  }

  /** Keeps a row of the file that is being read. */
  keep(
    rows: RecordRows,
    plan: MappingPlan,
    { checked, of }: { checked: CheckedRow; of: CorrectionStaging },
  ): void {
    this.count++;
    this.reading.push({ rows, plan, identity: readableIdentity(this.resource, checked), of });
  }

  /** Ends the file that was read: from now on it is known which rows its rows are for. */
  endFile({ sha256, corrects = new Map() }: Pick<StageSource, 'sha256' | 'corrects'>): void {
    const isTied =
      corrects.size === this.reading.length &&
      this.reading.every(({ rows }) => corrects.has(rows[0].firstLine));
    const added = new Map<CorrectedPlace, Correction[]>();
    for (const correction of this.reading) {
      const { firstLine } = correction.rows[0];
      const place = this.placeOf(correction, isTied ? corrects.get(firstLine) : undefined);
      added.set(place, [...(added.get(place) ?? []), correction]);
      if (sha256 !== undefined) this.byRow.set(rowText({ sha256, line: firstLine }), place);
    }
    for (const [place, corrections] of added) {
      const cause = causeOf(corrections);
      for (const { of, rows, plan } of place.corrections) of.leaveOut(rows, plan, cause);
      place.corrections = corrections;
      for (const { identity } of corrections)
        if (identity !== undefined) this.correcting.set(identity, place);
    }
    this.reading = [];
  }

  /** The corrections of the row that begins on a line of a file. */
  ofRow({ sha256 }: Pick<StageSource, 'sha256'>, line: number): CorrectedPlace | undefined {
    return sha256 === undefined ? undefined : this.byRow.get(rowText({ sha256, line }));
  }

  /** The corrections of a record, by its identity. */
  ofRecord(checked: CheckedRow): CorrectedPlace | undefined {
    const identity = this.byIdentity.size === 0 ? undefined : readableIdentity(this.resource, checked);
    return identity === undefined ? undefined : this.byIdentity.get(identity);
  }

  /** Stages corrections, once. Returns why the row is left out whose place they take. */
  stage(place: CorrectedPlace): LeftOutCause {
    if (!place.isMet) for (const { of, rows, plan } of place.corrections) of.accept(rows, plan);
    place.isMet = true;
    return causeOf(place.corrections);
  }

  /** Leaves corrections out with the row whose place they take. */
  leaveOut(place: CorrectedPlace, cause: LeftOutCause): void {
    if (!place.isMet) for (const { of, rows, plan } of place.corrections) of.leaveOut(rows, plan, cause);
    place.isMet = true;
  }

  /** Refuses the corrections whose row no file has. */
  finish(): void {
    for (const { isMet, corrections } of this.places)
      for (const { of, rows, plan } of isMet ? [] : corrections) {
        const { name, corrects } = of.source;
        const reasons = corrects === undefined ? '' : `; ${name}.reasons.csv names other rows`;
        of.refuse(rows, plan, failure('correction_replaces_nothing', [], { reasons }));
      }
  }

  private placeOf({ identity }: Correction, tied: FileRow | undefined): CorrectedPlace {
    if (tied === undefined && identity === undefined) return this.newPlace();
    if (tied !== undefined) {
      const text = rowText(tied);
      const known = this.byRow.get(text) ?? this.newPlace();
      this.byRow.set(text, known);
      return known;
    }
    const known = this.correcting.get(identity!) ?? this.byIdentity.get(identity!) ?? this.newPlace();
    this.byIdentity.set(identity!, known);
    return known;
  }

  private newPlace(): CorrectedPlace {
    const place: CorrectedPlace = { corrections: [], isMet: false };
    this.places.add(place);
    return place;
  }
}

const rowText = ({ sha256, line }: FileRow): string => `${sha256} ${line}`;

function causeOf([first]: readonly Correction[]): LeftOutCause {
  return { kind: 'corrected', place: first!.of.source.name };
}

/** Account and identity of a record, if the cells that they come from can be read; undefined otherwise. */
function readableIdentity(
  resource: Resource,
  { candidate: { account, record }, problems }: CheckedRow,
): string | undefined {
  const ofIdentity = [...ACCOUNT_FIELDS, ...IDENTITY_FIELDS[resource]];
  const isWrong = problems.some(
    ({ problem: { severity, path } }) =>
      severity === 'error' && path.length > 0 && ofIdentity.some((field) => isUnder(path, [field])),
  );
  if (isWrong) return undefined;
  const { key, variant } = DESCRIPTORS[resource].identity(record as never);
  return JSON.stringify([account.import_supplier, account.external_account_number, key, variant ?? null]);
}

const ACCOUNT_FIELDS = ['import_supplier', 'external_account_number'];

/** The fields that the identities of core/contract/resources are made of. */
const IDENTITY_FIELDS: Readonly<Record<Resource, readonly string[]>> = {
  notes: ['body', 'document_paths', 'created_at'],
  statements: ['statement_id'],
  transactions: ['transaction_id'],
  'payment-instructions': [],
};

import { failure } from '../../../core/problem.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import { DESCRIPTORS, type RecordOf, type Resource } from '../../../core/contract/resources.ts';
import type { Candidate, CellProblem, MappingPlan, RecordRows } from '../../mapping/mapping-plan.ts';
import { checkCandidate, looksLikeRecord } from './check-candidate.ts';
import type { LeftOutCause } from '../ports/report.ts';
import type { NamedRecord, SourcePosition, StagedRecord, StagingRun } from '../ports/staging.ts';
import type { RepeatedIdentities } from './repeated-identities.ts';
import type { Look } from '../look/look.ts';
import type { SourceReport, SourceParts } from './source-report.ts';
import type { RecordSink } from './stage-source.ts';
import type { StageJob } from '../stage-job.ts';
import type { Oddities } from '../odd-values/oddities.ts';
import { Decimal, withoutLastZeros } from '../../../core/values/decimal.ts';
import { UnreadableNumber } from '../../../core/values/exact-json.ts';
import { parseInstant } from '../../../core/values/instant.ts';
import { plainText } from '../../../core/values/plain-text.ts';

interface RecordStagingParts extends SourceParts {
  readonly job: StageJob;
  readonly run: StagingRun;
  readonly oddities: Oddities;
  readonly look: Look | null;
  readonly repeated: RepeatedIdentities;
}

const OTHER_SHARD: LeftOutCause = { kind: 'shard', place: '' };

const SUM_DIFFERS: ErrorCode =
  'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount';

/** Such records that are remembered. */
const MOST_WRONG_SUMS = 10_000;

/** Maps and checks the records of one source, and appends them to the run. */
export class RecordStaging implements RecordSink {
  /** The first lines of records whose amount is not the sum of their items. */
  private readonly wrongSums = new Map<string, number>();
  private readonly parts: RecordStagingParts;
  private readonly report: SourceReport;

  constructor(parts: RecordStagingParts, report: SourceReport) {
    this.parts = parts;
    this.report = report;
  }

  accept(rows: RecordRows, plan: MappingPlan): void {
    const { job, run, oddities, look, repeated } = this.parts;
    const { firstLine } = rows[0];
    look?.seeRows(rows, plan);
    const number = job.inShard && plan.accountNumberIn(rows);
    if (this.isOfOtherShard(number)) {
      plan.passOver(rows);
      return this.leaveOutOfShard(rows);
    }
    const candidate = plan.candidateOf(rows);
    const { external_account_number } = candidate.account;
    // Where other fields decide about the account number, a row of another shard is mapped, too. It is not checked.
    if (this.isOfOtherShard(external_account_number)) return this.leaveOutOfShard(rows);
    const { record, problems } = checkCandidate(job, candidate);
    const position = this.report.positionOf(rows);
    const hasWrongSum = problems.some(({ problem }) => problem.code === SUM_DIFFERS);
    const reported = (hasWrongSum && this.apartFrom(candidate, firstLine)) || problems;
    this.report.reportRecord(reported, rows[0], { plan, parts: candidate.parts });
    if (record === undefined)
      return this.appendInvalid(position, namedRecord(job.resource, candidate, problems));
    const staged = stagedRecord(job.resource, candidate, { record, position });
    const line = { source: position.source, line: position.firstLine };
    const seen = { fields: record, counted: staged, line, isFirst: repeated.add(staged, record) };
    oddities.see(seen);
    look?.seeRecord(seen);
    run.appendRecord(staged);
  }

  /** The problem of a record whose rows are at several places of the file. Its amount is not wrong, but the order of its rows. */
  private apartFrom({ account, record }: Candidate, line: number): readonly CellProblem[] | undefined {
    const id = (record as Readonly<Record<string, unknown>>)['transaction_id'];
    const key = JSON.stringify([account.external_account_number, id]);
    const first = this.wrongSums.get(key);
    if (this.wrongSums.size < MOST_WRONG_SUMS) this.wrongSums.set(key, first ?? line);
    const what = `the record of line ${first}, and other records are between them`;
    return first === undefined
      ? undefined
      : [{ problem: failure('rows_not_joined', [], { reason: `the row continues ${what}` }), cell: null }];
  }

  looksLikeRecord(candidate: Candidate): boolean {
    return looksLikeRecord(this.parts.job, candidate);
  }

  appendInvalid(position: SourcePosition, named?: NamedRecord): void {
    this.parts.counts.invalid++;
    this.parts.run.appendInvalid(position, named);
  }

  leaveOut(cause: LeftOutCause, rows: RecordRows, plan?: MappingPlan): void {
    plan?.leaveOut(rows);
    this.parts.run.appendFiltered(this.report.positionOf(rows), cause);
    this.parts.look?.leaveOut(cause, rows, plan);
  }

  /** A row without an account number belongs to no shard, so that each of them reports it. */
  private isOfOtherShard(accountNumber: unknown): boolean {
    const { inShard } = this.parts.job;
    return (
      inShard !== null && typeof accountNumber === 'string' && accountNumber !== '' && !inShard(accountNumber)
    );
  }

  private leaveOutOfShard(rows: RecordRows): void {
    this.parts.counts.ofOtherShards++;
    this.leaveOut(OTHER_SHARD, rows);
  }
}

/** The record of an invalid row whose account and id can be read. Another file may have a corrected copy of the row. */
function namedRecord(
  resource: Resource,
  { account, record }: Candidate,
  problems: readonly CellProblem[],
): NamedRecord | undefined {
  const { idField, amount } = DESCRIPTORS[resource];
  const fields = record as Readonly<Record<string, unknown>>;
  const [id, sum] = [idField && fields[idField], amount && fields[amount.field]];
  const naming = [...Object.keys(account), idField];
  const isUnclear = problems.some(({ problem: { path } }) => naming.includes(String(path[0])));
  if (typeof id !== 'string' || isUnclear) return undefined;
  return { account, id, amount: sum instanceof Decimal ? sum.text : null };
}

/** A checked record as it is counted and kept. */
function stagedRecord<K extends Resource>(
  resource: K,
  { account, parts }: Candidate,
  { record, position }: { record: RecordOf[K]; position: SourcePosition },
): StagedRecord {
  const { identity, idField, typeField, amount } = DESCRIPTORS[resource];
  const fields: Readonly<Record<string, unknown>> = record;
  const total = amount && fields[amount.field];
  return {
    position,
    account,
    identity: identity(record),
    id: idField && (fields[idField] as string),
    type: typeField && (fields[typeField] as string),
    amount: total instanceof Decimal ? total.text : null,
    parts,
    texts: () => textsOf(resource, fields),
  };
}

/** Characters that JSON escapes in a text, and halves of characters, which it escapes when they are alone. */
// oxlint-disable-next-line no-control-regex -- JSON escapes them
const ESCAPED = /["\\\u0000-\u001F\uD800-\uDFFF]/;

/**
 * The JSON text of a record, and the same text with equal values written alike: decimals as numbers without zeros at their end, instants in
 * UTC without a fraction that is zero, and texts as `plainText` has them. Most records have one text for both, which takes half the time.
 */
export function textsOf(resource: Resource, record: Readonly<Record<string, unknown>>) {
  let isOne = true;
  const written = (sent: string, plain: string): string => {
    isOne &&= plain === sent;
    return plain;
  };
  const textOf = (value: unknown): string => {
    if (typeof value === 'string') {
      const plain = written(value, plainText(value));
      return ESCAPED.test(plain) ? JSON.stringify(plain) : `"${plain}"`;
    }
    // Some decimals are sent as texts.
    if (value instanceof Decimal)
      return written(value.isText ? '' : value.text, withoutLastZeros(value.text));
    if (value instanceof UnreadableNumber) return value.text;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
    let text = '';
    for (const [name, inner] of Object.entries(value))
      if (inner !== undefined) text += `${text === '' ? '' : ','}${textOf(name)}:${textOf(inner)}`;
    return `{${text}}`;
  };
  const plain: Record<string, unknown> = { ...record };
  for (const { field } of DESCRIPTORS[resource].dates) {
    const value = record[field];
    if (typeof value === 'string' && value.includes('T'))
      plain[field] = written(value, parseInstant(value) ?? value);
  }
  const valueText = textOf(plain);
  return { valueText, payload: isOne ? valueText : JSON.stringify(record) };
}

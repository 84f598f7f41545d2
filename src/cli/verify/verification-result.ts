import type { Resource } from '../../core/contract/resources.ts';
import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import type { OriginKind, OtherTotal } from '../comparison/account-tally.ts';
import type { DifferenceCode, Reconciliation } from '../comparison/reconcile.ts';
import type { FoundRecord, SentRecord } from '../comparison/ports.ts';
import type { ExitName } from '../output/exit-codes.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument, type JsonDocument } from '../output/json.ts';
import type { Paint } from '../output/text/paint.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { ProvenChain } from '../push/ports/report.ts';
import { ROWS_APART, type RowsApart } from '../runs/sent-part.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { columnsText } from '../output/text/table.ts';
import { counted, escapeControl, escapedLines } from '../output/text/text.ts';
import type { ComparedWith, DifferenceDocument } from './verification-schema.ts';

export type { ComparedWith };

/** A difference as the document lists it (verification-schema.ts). */
export type ListedDifference = Readonly<Omit<DifferenceDocument, 'fields'>> & {
  readonly code: DifferenceCode;
  readonly fields: readonly string[];
};

/** The source files beside one other side. */
export interface ComparedSide {
  readonly with: ComparedWith;
  /** Ids of the runs, or the ledger as it was typed. */
  readonly names: readonly string[];
  readonly totals: Pick<
    Reconciliation<FoundRecord>,
    'types' | 'accounts' | 'differingAccounts' | 'errors' | 'warnings' | 'byCode' | 'repeats' | 'others'
  >;
  readonly differences: readonly ListedDifference[];
  /** Rows that no answer proves. They are not compared. */
  readonly apart: RowsApart;
  /** Who has confirmed rows: people by their names, and ledgers. */
  readonly confirmedBy: readonly string[];
  /** Records that no answer proves, and that a ledger has with equal content. */
  readonly proven: readonly SentRecord[];
  /** Transactions whose dates the platform moved into the open statement period. */
  readonly moved: number;
  /** The chain of each run, as computed from its run file now. */
  readonly chains: readonly (ProvenChain & { readonly run: string })[];
  /** Further facts for a person, one line each. */
  readonly notes: readonly string[];
}

/** Source files, compared record by record with what was sent or stored. */
export interface VerificationResult {
  readonly resource: Resource;
  readonly rows: Readonly<{ read: number; valid: number; invalid: number; filtered: number }>;
  readonly invalidRows: readonly ListedDifference[];
  readonly sides: readonly ComparedSide[];
  readonly differs: boolean;
  /** Whether a run file differs from its chain. */
  readonly isDamaged: boolean;
  /** Rows that no side has compared. */
  readonly apart: RowsApart;
  readonly confirmedBy: readonly string[];
  /** How `report` ends: with the rows that no run has reported as arrived. They are missing, and no difference. */
  readonly ending: Ending;
  /** Null when nothing differs and no row is missing. */
  readonly next: string | null;
}

/** How a comparison ends. A damaged run file proves nothing at all. */
export function exitOfVerification({
  isDamaged,
  differs,
  ending,
}: Pick<VerificationResult, 'isDamaged' | 'differs' | 'ending'>): ExitName {
  if (isDamaged) return 'RUN_FILE';
  return differs ? 'UNRECONCILED' : ending.exit;
}

const PROVES: Readonly<Record<ComparedWith, string>> = {
  run: 'source = what was sent = what was answered. The platform has no endpoint to read records back, so this does not prove what it stores now.',
  ledger: 'source = what the local platform has stored.',
  asking:
    'the platform was asked for each record once more, and has answered that the record is already there.',
};

export const shownVerification = shownAs<VerificationResult>({
  document: verificationDocument,
  text: (result, { paint }) => verificationText(result, paint('stdout')),
});

export function verificationDocument(
  { resource, rows, invalidRows, sides, next }: VerificationResult,
  exit: ExitName,
): JsonDocument {
  return {
    version: 1,
    resource,
    exit: exitDocument(exit),
    rows,
    invalid_rows: invalidRows,
    comparisons: sides.map(sideDocument),
    next,
  };
}

/** The verdict of a comparison without differences. */
export const NOTHING_DIFFERS = 'nothing differs';

/** `, 18 rows were not sent yet, 2 rows have to be compared by hand` */
export function apartText({ apart, confirmedBy }: Pick<ComparedSide, 'apart' | 'confirmedBy'>): string {
  const words: Readonly<Record<keyof RowsApart, readonly [one: string, more: string]>> = {
    left: ['was not sent yet', 'were not sent yet'],
    refused: ['was refused by the platform', 'were refused by the platform'],
    conflicting: [
      'is there with other content or on another account',
      'are there with other content or on another account',
    ],
    unproven: ['has to be compared by hand', 'have to be compared by hand'],
    uncompared: [
      'is there already, and nobody has compared it',
      'are there already, and nobody has compared them',
    ],
    confirmed: [
      `was confirmed by ${confirmedBy.join(', ')}, and is not compared`,
      `were confirmed by ${confirmedBy.join(', ')}, and are not compared`,
    ],
  };
  return ROWS_APART.filter((kind) => apart[kind] > 0)
    .map((kind) => `, ${counted(apart[kind], 'row')} ${words[kind][apart[kind] === 1 ? 0 : 1]}`)
    .join('');
}

function sideDocument(compared: ComparedSide): object {
  const { with: side, names, totals, differences, apart, confirmedBy, proven, chains, moved } = compared;
  const { types, accounts, differingAccounts, errors, warnings, byCode, repeats } = totals;
  return {
    with: side,
    names,
    equal: errors === 0,
    proves: errors === 0 && apartText(compared) === '' && !chains.some(isBroken) ? PROVES[side] : null,
    types: types.map((type) => ({ ...type })),
    accounts,
    differing_accounts: differingAccounts.map((account) => ({ ...account })),
    chains,
    rows_apart: { ...apart },
    confirmed_by: confirmedBy,
    rows_proven: proven.length,
    dates_moved: moved,
    repeated_rows: repeats,
    other_records: totals.others.map((total) => ({ ...total })),
    by_code: byCode,
    differences,
    errors_total: errors,
    warnings_total: warnings,
  };
}

export function verificationText(
  { resource, rows, invalidRows, sides, next }: VerificationResult,
  paint: Paint,
): string {
  const others = [
    rows.invalid > 0 ? `, ${rows.invalid} invalid` : '',
    rows.filtered > 0 ? `, ${rows.filtered} left out` : '',
  ].join('');
  return [
    `${resource}: ${counted(rows.read, 'row')} read: ${rows.valid} valid${others}\n`,
    ...listed(invalidRows, rows.invalid, paint),
    ...sides.map((side) => sideText(side, paint)),
    next === null ? '' : `next: ${escapeControl(next)}\n`,
  ].join('');
}

/** `3 CREDIT records that no row explains, together 60.60: sent by the run X` */
function otherText({ kind, run, type, count, sum }: OtherTotal): string {
  const records = `${count} ${type === null ? '' : `${type} `}${count === 1 ? 'record' : 'records'}`;
  const together = sum === null ? '' : `, together ${sum}`;
  const origin = run === null ? ORIGINS[kind] : `sent by the run ${run}`;
  return `${records} that no row explains${together}: ${origin}`;
}

const ORIGINS: Readonly<Record<OriginKind, string>> = {
  run: 'sent by another run',
  platform: 'added by the platform when it moved a date',
  allowed: 'nobody here has sent them, and --others allowed says that they were there before',
  account_without_rows: 'on an account without rows',
};

const HEADINGS: Readonly<Record<ComparedWith, string>> = {
  run: 'compared with the run',
  ledger: 'compared with the ledger',
  asking: 'asked the platform again, as the run',
};

function sideText(compared: ComparedSide, paint: Paint): string {
  const { with: side, names, totals, differences, chains, moved, proven, notes } = compared;
  const { types, accounts, errors, warnings, repeats } = totals;
  const facts = [
    ...totals.others.map(otherText),
    repeats > 0 ? `${counted(repeats, 'row')} of equal records: the platform keeps one record of them` : '',
    proven.length > 0
      ? `${counted(proven.length, 'row')} that no answer proves ${proven.length === 1 ? 'is' : 'are'} in the ledger with equal content`
      : '',
    moved > 0 ? `${counted(moved, 'date')} moved into the open statement period` : '',
    ...notes,
  ].filter((fact) => fact !== '');
  const doubts = errors + chains.filter(isBroken).length;
  const rest = apartText(compared);
  const others = totals.others.reduce((sum, { kind, count }) => sum + (kind === 'platform' ? 0 : count), 0);
  const equal =
    others > 0
      ? `${NOTHING_DIFFERS} in the rows; ${counted(others, 'record')} that no row explains ${others === 1 ? 'is' : 'are'} there as well`
      : rest === ''
        ? `${NOTHING_DIFFERS}: ${PROVES[side]}`
        : `${NOTHING_DIFFERS} in the rows that were compared`;
  const verdict =
    doubts === 0 ? equal : `${counted(doubts, 'difference')}: this does not prove that everything arrived`;
  return [
    `\n${HEADINGS[side]} ${escapeControl(names.join(', '))}\n`,
    totalsText(types),
    escapedLines([`${counted(accounts.total, 'account')}, ${accounts.equal} without a difference`, ...facts]),
    ...listed(differences, errors + warnings, paint),
    ...chains.map((chain) => chainText(chain, paint)),
    escapedLines([verdict + rest]),
  ].join('');
}

type ComparedChain = ComparedSide['chains'][number];

/** Whether the run file differs from the chain of its run. */
export const isBroken = ({ broken }: ComparedChain): boolean => broken !== null;

function chainText({ run, head, links, broken }: ComparedChain, paint: Paint): string {
  if (broken === null) return `the chain of ${run} holds: ${head}, ${counted(links, 'link')}\n`;
  const detail = `${sentenceOf('chain_broken')} (${run}): ${broken}`;
  const line = problemLine(
    { code: 'chain_broken', severity: 'error', file: null, line: null, detail },
    paint,
  );
  return `${line}\nhelp: chain_broken: ${nextStepOf('chain_broken')}\n`;
}

function totalsText(types: Reconciliation<FoundRecord>['types']): string {
  if (types.length === 0) return '';
  const cells = types.map(({ type, source, found }) => [
    type ?? 'all',
    String(source.count),
    String(found.count),
    source.sum ?? '',
    found.sum ?? '',
  ]);
  const head = ['type', 'rows', 'there', 'read', 'there'];
  return columnsText(
    [head, ...cells].map((row) => row.map(escapeControl)),
    ['left', 'right', 'right', 'right', 'right'],
  );
}

/** Differences that get a line of their own. `--json` lists more. */
const LINES = 20;

function listed(differences: readonly ListedDifference[], total: number, paint: Paint): readonly string[] {
  const shown = differences.slice(0, LINES);
  const steps = new Map(
    shown.filter(({ severity }) => severity === 'error').map(({ code }) => [code, nextStepOf(code)]),
  );
  return [
    ...shown.map((difference) => `${problemLine(difference, paint)}${whereText(difference)}\n`),
    total > shown.length ? `… and ${total - shown.length} more (--json lists up to 1000)\n` : '',
    ...[...steps].map(([code, step]) => `help: ${code}: ${step}\n`),
  ];
}

/** ` (run …, batch 3, status 201)` */
function whereText(difference: ListedDifference): string {
  const { run, batch, http_status: status, ledger_line: line } = difference;
  const parts = [
    run === null ? '' : `run ${run}`,
    batch === null ? '' : `batch ${batch}`,
    status === null ? '' : `status ${status}`,
    line === null ? '' : `ledger line ${line}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : escapeControl(` (${parts.join(', ')})`);
}

import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import { addedByName, total } from '../../core/values/counts.ts';
import type { OriginKind, OtherTotal } from '../comparison/account-tally.ts';
import { furthestFromDone } from '../ending/ending.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import type { Paint } from '../output/text/paint.ts';
import type { Ending } from '../output/run/run-document.ts';
import { ROWS_APART, type RowsApart } from './sent-part.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { columnsText } from '../output/text/table.ts';
import { counted, escapeControl, escapedLines } from '../output/text/text.ts';
import type {
  CohortVerificationDocument,
  ComparedSide,
  ComparedWith,
  ListedDifference,
  VerificationDocument,
} from './verification-schema.ts';

type Compared = Pick<VerificationDocument, 'comparisons'>;

/** Compared files, and how their runs ended: with the rows that no run has reported as arrived. They are missing, and no difference. */
export type Verification<Document extends Compared = VerificationDocument> = {
  readonly document: Document;
  readonly ending: Ending;
};

const isDamaged = ({ document }: Verification<Compared>): boolean =>
  document.comparisons.some(({ chains }) => chains.some(isBroken));

const differs = ({ document }: Verification<Compared>): boolean =>
  document.comparisons.some(({ equal }) => !equal);

/** How a comparison of one resource, or of those of a cohort, ends, and the next command. A damaged journal proves nothing at all. */
export function endingOfVerification(parts: readonly Verification<Compared>[]): Ending {
  const damaged = parts.find(isDamaged);
  const differing = damaged ?? parts.find(differs);
  if (!differing) return furthestFromDone(parts.map(({ ending }) => ending));
  const [first] = differing.document.comparisons.flatMap(({ differences }) =>
    differences.filter(({ severity }) => severity === 'error'),
  );
  const code = damaged ? 'chain_broken' : (first?.code ?? 'record_missing');
  const exit = damaged ? 'RUN_FILE' : 'UNRECONCILED';
  return { exit, resumable: false, next: `dataimport explain ${code}` };
}

export const shownVerification = shownAs<VerificationDocument>({
  document: (document) => document,
  text: (document, { paint }) => verificationText(document, paint('stdout')) + nextText(document),
});

export const shownCohortVerification = shownAs<CohortVerificationDocument>({
  document: (document) => document,
  text: ({ cohort, resources, next }, { paint }) => {
    const sides = resources.flatMap(({ comparisons }) => comparisons);
    const isEqual = sides.every(({ equal, chains }) => equal && !chains.some(isBroken));
    const apart = apartText({
      rows_apart: addedByName(resources.map(({ comparisons }) => rowsApart(comparisons))),
      confirmed_by: [...new Set(sides.flatMap(({ confirmed_by }) => confirmed_by))],
    });
    return [
      ...resources.map((each) => `${verificationText(each, paint('stdout'))}\n`),
      escapedLines([`cohort ${cohort}: ${isEqual ? NOTHING_DIFFERS : 'something differs'}${apart}`]),
      nextText({ next }),
    ].join('');
  },
});

/** The rows that nothing proves. The journal knows what it misses; a ledger has compared the rows that are only said to be there. */
function rowsApart([first, ...more]: readonly ComparedSide[]): RowsApart {
  const { rows_apart: apart } = first!;
  return more.length === 0 ? apart : { ...apart, uncompared: 0, confirmed: 0 };
}

/** The verdict of a comparison without differences. */
const NOTHING_DIFFERS = 'nothing differs';

/** `, 18 rows were not sent yet, 2 rows have to be compared by hand` */
function apartText({
  rows_apart: apart,
  confirmed_by: confirmedBy,
}: Pick<ComparedSide, 'rows_apart' | 'confirmed_by'>): string {
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

const nextText = ({ next }: Pick<VerificationDocument, 'next'>): string =>
  next === null ? '' : `next: ${escapeControl(next)}\n`;

function verificationText(
  { resource, rows, invalid_rows: invalidRows, comparisons }: VerificationDocument,
  paint: Paint,
): string {
  const others = [
    rows.invalid > 0 ? `, ${rows.invalid} invalid` : '',
    rows.filtered > 0 ? `, ${rows.filtered} left out` : '',
  ].join('');
  return [
    `${resource}: ${counted(rows.read, 'row')} read: ${rows.valid} valid${others}\n`,
    ...listed(invalidRows, rows.invalid, paint),
    ...comparisons.map((side) => sideText(side, paint)),
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
  const { names, types, accounts, differences, chains, other_records, proves } = compared;
  const { errors_total: errors, repeated_rows: repeats, rows_proven: proven, dates_moved: moved } = compared;
  const facts = [
    ...other_records.map(otherText),
    repeats > 0 ? `${counted(repeats, 'row')} of equal records: the platform keeps one record of them` : '',
    proven > 0
      ? `${counted(proven, 'row')} that no answer proves ${proven === 1 ? 'is' : 'are'} in the ledger with equal content`
      : '',
    moved > 0 ? `${counted(moved, 'date')} moved into the open statement period` : '',
    ...compared.notes,
  ].filter((fact) => fact !== '');
  const doubts = errors + chains.filter(isBroken).length;
  const others = total(other_records, ({ kind, count }) => (kind === 'platform' ? 0 : count));
  const equal =
    others > 0
      ? `${NOTHING_DIFFERS} in the rows; ${counted(others, 'record')} that no row explains ${others === 1 ? 'is' : 'are'} there as well`
      : proves !== null
        ? `${NOTHING_DIFFERS}: ${proves}`
        : `${NOTHING_DIFFERS} in the rows that were compared`;
  const verdict =
    doubts === 0 ? equal : `${counted(doubts, 'difference')}: this does not prove that everything arrived`;
  return [
    `\n${HEADINGS[compared.with]} ${escapeControl(names.join(', '))}\n`,
    totalsText(types),
    escapedLines([`${counted(accounts.total, 'account')}, ${accounts.equal} without a difference`, ...facts]),
    ...listed(differences, errors + compared.warnings_total, paint),
    ...chains.map((chain) => chainText(chain, paint)),
    escapedLines([verdict + apartText(compared)]),
  ].join('');
}

type ComparedChain = ComparedSide['chains'][number];

/** Whether the journal differs from the chain of its run. */
const isBroken = ({ broken }: ComparedChain): boolean => broken !== null;

function chainText({ run, head, links, broken }: ComparedChain, paint: Paint): string {
  if (broken === null) return `the chain of ${run} holds: ${head}, ${counted(links, 'link')}\n`;
  const detail = `${sentenceOf('chain_broken')} (${run}): ${broken}`;
  const line = problemLine(
    { code: 'chain_broken', severity: 'error', file: null, line: null, detail },
    paint,
  );
  return `${line}\nhelp: chain_broken: ${nextStepOf('chain_broken')}\n`;
}

function totalsText(types: ComparedSide['types']): string {
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

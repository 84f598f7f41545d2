import type { OperatorContract } from '../../core/operator/contract.ts';
import type { Change } from '../../core/operator/difference.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../core/operator/value-changes.ts';
import { nameOf } from '../../core/operator/finding.ts';
import type { LocatedProblem } from '../push/ports/report.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { counted, escapedLines } from '../output/text/text.ts';

type ComparedContract = { readonly file: string; readonly document: OperatorContract['document'] };

/** What a new contract means for files. */
export interface FilesUnderBoth {
  readonly read: number;
  /** Rows that each contract refuses. */
  readonly invalid: { readonly old: number; readonly new: number };
  /** The first errors that rows have under the new contract only. */
  readonly broken: readonly LocatedProblem[];
  /** All of these errors, also those that are not listed. */
  readonly brokenTotal: number;
}

export interface ContractDifferenceResult {
  readonly old: ComparedContract;
  readonly new: ComparedContract;
  readonly changes: readonly Change[];
  /** The files of --check; null without. */
  readonly checked: FilesUnderBoth | null;
}

export const shownContractDifference = shownAs<ContractDifferenceResult>({
  document: (result, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    old: result.old,
    new: result.new,
    counts: Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, ofKind(result.changes, kind).length])),
    changes: result.changes.map((change) => ({ name: nameOf(change), ...change })),
    check:
      result.checked === null
        ? null
        : {
            rows: { read: result.checked.read, invalid: result.checked.invalid },
            problems: result.checked.broken,
            problems_total: result.checked.brokenTotal,
          },
  }),
  text: (result) => {
    const named = ({ file, document }: ComparedContract): string =>
      `${file} (${document.title} ${document.version})`;
    const sections = CHANGE_KINDS.flatMap((kind) => {
      const found = ofKind(result.changes, kind);
      return found.length === 0 ? [] : ['', `${kind}: ${found.length}`, ...found.map(lineOf)];
    });
    return escapedLines([
      `${named(result.old)} → ${named(result.new)}`,
      ...(sections.length > 0 ? sections : ['', 'Both contracts demand the same.']),
      ...(result.checked === null ? [] : checkLines(result.checked)),
    ]);
  },
});

function checkLines({ read, invalid, broken, brokenTotal }: FilesUnderBoth): readonly string[] {
  return [
    '',
    `${counted(read, 'row')} read: the old contract refuses ${invalid.old}, the new one ${invalid.new}.`,
    ...broken.map((problem) => problemLine(problem)),
    ...(brokenTotal > broken.length ? [`… and ${counted(brokenTotal - broken.length, 'more error')}`] : []),
  ];
}

function ofKind(changes: readonly Change[], kind: ChangeKind): readonly Change[] {
  return changes.filter((change) => change.kind === kind);
}

function lineOf(change: Change): string {
  const pointer = change.from.new ?? change.from.old;
  const name = nameOf(change);
  return `  ${name === '' ? '' : `${name}: `}${change.says}${pointer === null ? '' : ` [${pointer}]`}`;
}

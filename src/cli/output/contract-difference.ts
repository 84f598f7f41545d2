import type { OperatorContract } from '../../core/operator/contract.ts';
import { CHANGE_KINDS, type Change, type ChangeKind } from '../../core/operator/difference.ts';
import { nameOf } from '../../core/operator/finding.ts';
import type { ResultFormats } from './formats.ts';
import { exitDocument } from './json.ts';
import { escapedLines } from './text.ts';

interface ComparedContract {
  readonly file: string;
  readonly document: OperatorContract['document'];
}

/** Two contracts that were compared. */
export interface ContractDifferenceResult {
  readonly kind: 'contract_difference';
  readonly old: ComparedContract;
  readonly new: ComparedContract;
  readonly changes: readonly Change[];
}

export const contractDifferenceFormats: ResultFormats<ContractDifferenceResult> = {
  document: (result, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    old: result.old,
    new: result.new,
    counts: Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, ofKind(result.changes, kind).length])),
    changes: result.changes.map((change) => ({ name: nameOf(change), ...change })),
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
    ]);
  },
};

function ofKind(changes: readonly Change[], kind: ChangeKind): readonly Change[] {
  return changes.filter((change) => change.kind === kind);
}

function lineOf(change: Change): string {
  const pointer = change.from.new ?? change.from.old;
  return `  ${nameOf(change)}: ${change.says}${pointer === null ? '' : ` [${pointer}]`}`;
}

import { commandLine } from '../../core/command-line.ts';
import type { OperatorContract } from '../../core/operator/contract.ts';
import { enforcementOf } from '../../core/operator/enforcement.ts';
import { countsOf, FINDING_KINDS, lineOf, nameOf, sectionsOf, type FindingKind } from './finding.ts';
import type { LocatedFinding } from './import-contract.ts';
import type { Result } from '../output/result.ts';
import { counted } from '../output/text/text.ts';

export interface ImportedContractResult {
  readonly contract: OperatorContract;
  readonly findings: readonly LocatedFinding[];
  /** The file that was written; `-` for none. */
  readonly out: string;
  /** The contract itself, when it was written to no file. */
  readonly text: string | null;
}

export const shownImportedContract = (result: ImportedContractResult): Result => {
  const { contract, findings, out, text } = result;
  const report = reportOf(result);
  return {
    next: out === '-' ? null : commandLine('contract show', [out]),
    fields: {
      contract: out,
      document: contract.document,
      counts: countsOf(FINDING_KINDS, findings),
      findings: findings.map(({ failsAll = false, ...finding }) => ({
        name: nameOf(finding),
        ...finding,
        refuses_all: failsAll,
      })),
      ...(text !== null && { content: contract }),
    },
    text: ({ json }) =>
      text === null || json ? report : [...report.map((line) => ({ stderr: line })), { lines: text }],
  };
};

const HEADINGS: Readonly<Record<FindingKind, string>> = {
  added: 'adds to the interface',
  tightened: 'tightens the interface',
  changed: 'says how decimals are sent, and which fields it gives up',
  names: 'names the account number of the platform',
  rules: 'has rules with codes',
  deprecates: 'deprecates requests',
  contradicts: 'contradicts the interface',
  not_understood: 'says what was not understood (not applied: look at each line)',
};

function reportOf({ contract, findings, out }: ImportedContractResult): readonly string[] {
  const { title, version, openapi } = contract.document;
  const sections = sectionsOf(FINDING_KINDS, findings, HEADINGS, locatedLine);
  const failing = findings.filter(({ failsAll }) => failsAll);
  const unenforced = contract.rules.filter((rule) => enforcementOf(rule) === 'nowhere');
  const steps = [
    ...(out === '-' ? [] : ['', `${out} was written.`]),
    ...(unenforced.length > 0
      ? [
          `NOT ENFORCED ${unenforced.length === 1 ? 'is 1 rule' : `are ${unenforced.length} rules`}: ${unenforced.map(({ code }) => code).join(', ')}. A record that breaks one passes check and serve, and only the platform refuses it.`,
        ]
      : []),
    ...(failing.length > 0
      ? [
          `Every push would fail because of ${counted(failing.length, 'line')} above:`,
          ...failing.map(locatedLine),
          'Ask the operator whether the document is right about these before you migrate.',
        ]
      : []),
  ];
  return [`${title} ${version} (OpenAPI ${openapi})`, ...sections, ...steps];
}

function locatedLine(finding: LocatedFinding): string {
  const { file, line, column, from } = finding;
  return `  ${file}:${line}:${column} ${lineOf(finding, from)}`;
}

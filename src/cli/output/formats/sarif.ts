import { sentenceOf, nextStepOf } from '../../../core/error-codes/sentence.ts';
import { isErrorCode } from '../../../core/error-codes/table.ts';
import type { ProblemGroup } from '../../push/ports/report.ts';
import { NO_ENDINGS } from '../explanation.ts';
import { isGiven, type ReportedProblem } from '../text/problem-line.ts';
import { counted } from '../text/text.ts';

/** What a check of files has found. */
export interface CheckedRows {
  /** As they were typed, at least one. */
  readonly files: readonly string[];
  readonly problems: readonly ReportedProblem[];
  readonly problemsTotal: number;
  readonly errorGroups: readonly ProblemGroup[];
  /** Whether the rows were read. A mapping that cannot be used, or a missing file, ends a check before. */
  readonly isRead: boolean;
  /** How long the check took. */
  readonly seconds: number;
  /** Of this program. */
  readonly version: string;
}

/**
 * The problems of a check as SARIF 2.1.0, for code scanning. A column of SARIF counts characters, and ours counts cells, so the number
 * of the cell is a property.
 */
export function sarifText({ problems, problemsTotal, isRead, version }: CheckedRows): string {
  const codes = [...new Set(problems.map(({ code }) => code))].toSorted();
  const hidden = problemsTotal - problems.length;
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'dataimport', version, rules: codes.map(ruleOf) } },
        columnKind: 'unicodeCodePoints',
        invocations: [
          {
            executionSuccessful: isRead,
            toolExecutionNotifications:
              hidden === 0
                ? []
                : [
                    {
                      level: 'warning',
                      message: { text: `${counted(hidden, 'more problem')} are not listed.` },
                    },
                  ],
          },
        ],
        results: problems.map((problem) => resultOf(problem, codes.indexOf(problem.code))),
        properties: { problems_total: problemsTotal },
      },
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function ruleOf(code: string) {
  if (!isErrorCode(code)) return { id: code };
  return {
    id: code,
    shortDescription: { text: sentenceOf(code, NO_ENDINGS) },
    help: { text: nextStepOf(code, NO_ENDINGS) },
  };
}

function resultOf(
  { code, severity, file, line, column, header, detail }: ReportedProblem,
  ruleIndex: number,
) {
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: isGiven(header) ? `${header} ${detail}` : detail },
    locations: isGiven(file)
      ? [
          {
            physicalLocation: {
              artifactLocation: { uri: uriOf(file) },
              ...(isGiven(line) && { region: { startLine: line } }),
            },
          },
        ]
      : [],
    properties: { ...(isGiven(column) && { cell: column }), ...(isGiven(header) && { header }) },
  };
}

/** A relative name stays relative, so that code scanning finds the file in the repository. */
function uriOf(file: string): string {
  if (file === '-') return 'stdin';
  const path = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}

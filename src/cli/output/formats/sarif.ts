import { sentenceOf, nextStepOf } from '../../../core/error-codes/sentence.ts';
import { isErrorCode } from '../../../core/error-codes/table.ts';
import type { LocatedProblem, RunReport } from '../../push/ports/report.ts';
import { NO_ENDINGS } from '../explanation.ts';
import { counted } from '../text/text.ts';

export interface CheckedRows extends Pick<RunReport, 'problems' | 'problemsTotal'> {
  /** Of this program. */
  readonly version: string;
}

/**
 * The problems of a check as SARIF 2.1.0, for code scanning. A column of SARIF counts characters, and ours counts cells, so the number
 * of the cell is a property.
 */
export function sarifText({ problems, problemsTotal, version }: CheckedRows): string {
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
            executionSuccessful: true,
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

function resultOf({ code, severity, file, line, column, header, detail }: LocatedProblem, ruleIndex: number) {
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: header === null ? detail : `${header} ${detail}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          ...(line !== null && { region: { startLine: line } }),
        },
      },
    ],
    properties: { ...(column !== null && { cell: column }), ...(header !== null && { header }) },
  };
}

/** A relative name stays relative, so that code scanning finds the file in the repository. */
function uriOf(file: string): string {
  if (file === '-') return 'stdin';
  const path = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}

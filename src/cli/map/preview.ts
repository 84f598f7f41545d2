import { shellWord } from '../../core/command-line.ts';
import type { AccountKey } from '../../core/contract/account.ts';
import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument, jsonText } from '../output/json.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { columnsText } from '../output/text/table.ts';
import { escapeControl } from '../output/text/text.ts';
import type { LocatedProblem } from '../push/ports/report.ts';

/** One record of a file, and the request that it becomes. */
export interface PreviewResult {
  readonly file: string;
  /** Whether the filter of the mapping leaves the record out. */
  readonly filtered: boolean;
  /** The rows of the record, cell by cell. */
  readonly rows: readonly {
    readonly line: number;
    readonly cells: readonly { readonly column: number; readonly header: string; readonly value: string }[];
  }[];
  readonly account: AccountKey;
  readonly record: unknown;
  readonly problems: readonly LocatedProblem[];
  /** Null when the record would not be sent. */
  readonly request: PreviewRequest | null;
}

export interface PreviewRequest {
  readonly method: string;
  readonly path: string;
  /** Null when no base URL is set. */
  readonly base_url: string | null;
  readonly body: unknown;
  /** The body byte for byte. */
  readonly body_text: string;
}

export const shownPreview = shownAs<PreviewResult>({
  document: (preview, exit) => ({ version: 1, exit: exitDocument(exit), ...preview }),
  text: previewText,
});

/** The cells of the record, the record, and its request as a curl line. */
function previewText({ file, rows, account, record, problems, request, filtered }: PreviewResult): string {
  const cells = rows.map(({ line, cells: of }) => {
    const table = of.map(({ column, header, value }) => [
      String(column),
      escapeControl(header),
      escapeControl(value),
    ]);
    return `${escapeControl(file)}:${line}\n${columnsText(table, ['right', 'left', 'left'])}`;
  });
  const problemLines = problems.map((problem) => `${problemLine(problem)}\n`).join('');
  return [
    ...cells,
    `account\n${indented(jsonText(account, 2))}`,
    `record\n${indented(jsonText(record, 2))}`,
    ...(problemLines === '' ? [] : [`problems\n${problemLines}`]),
    request
      ? requestText(request)
      : `no request: ${filtered ? 'the filter of the mapping leaves this record out' : 'the record is not valid'}\n`,
  ].join('\n');
}

function requestText({ method, path, base_url: baseUrl, body, body_text: text }: PreviewRequest): string {
  const url =
    baseUrl === null
      ? `"$DATAIMPORT_BASE_URL"${shellWord(path)}`
      : shellWord(baseUrl.replace(/\/$/, '') + path);
  const curl = [
    `curl -X ${method} ${url}`,
    `-H "Authorization: ${TOKEN_SCHEME} $DATAIMPORT_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellWord(text)}`,
  ].join(' \\\n    ');
  return `${method} ${escapeControl(path)}\n${indented(jsonText(body, 2))}\n  ${curl}\n`;
}

const indented = (text: string): string => `${text.replaceAll(/^/gm, '  ')}\n`;

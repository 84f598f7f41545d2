import type { Path } from '../../core/problem.ts';
import { JsonSyntaxError, parseExactJson } from '../../core/values/exact-json.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import type { DocumentProblem, ParsedYaml } from '../../core/yaml/yaml-text.ts';
import { readTextFile } from '../../files/text-file.ts';
import { SEED_VERSION } from './seed-file.ts';

/** Whether a seed is a list of accounts in JSON Lines. */
export const isAccountLines = (file: string): boolean => /\.(?:jsonl|ndjson)$/i.test(file);

/**
 * Reads accounts, one JSON object a line, as a seed that has nothing but these accounts. For tens of thousands of accounts: YAML
 * takes several times as long and as much memory.
 * @throws AppError `file_not_readable`, `file_not_utf8`
 */
export function readAccountLines(file: string): ParsedYaml {
  const accounts: unknown[] = [];
  const lines: number[] = [];
  const problems: DocumentProblem[] = [];
  for (const [index, text] of readTextFile(file).split('\n').entries()) {
    if (text.trim() === '') continue;
    try {
      accounts.push(valueOf(text));
      lines.push(index + 1);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      problems.push({ file, line: index + 1, column: error.position + 1, reason: error.message });
    }
  }
  const [first, ...rest] = problems;
  if (first) return { problems: [first, ...rest] };
  return {
    yaml: {
      file,
      value: { version: SEED_VERSION, accounts },
      positionOf: ([, index]: Path) => ({ file, line: lines[index as number] ?? 1, column: 1 }),
      has: ([, index]: Path) => lines[index as number] !== undefined,
    },
  };
}

/** @throws JsonSyntaxError also for a key that comes twice, of which JSON.parse takes the last in silence */
function valueOf(text: string): unknown {
  const value = plainJson(text);
  // A text that is written again as it was has no key twice. This takes a third of the time of the exact reader.
  if (value === undefined || JSON.stringify(value) !== text) parseExactJson(text);
  return value;
}

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { commandLine } from '../../core/command-line.ts';
import {
  contractText,
  importContract,
  type ImportedContract,
  type LocatedFinding,
} from './import-contract.ts';
import { enforcementOf } from '../../core/operator/rules-by-code.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { countsOf, isUnenforced, lineOf, nameOf, sectionsOf } from './finding.ts';
import type { Result } from '../output/result.ts';
import { counted } from '../output/text/text.ts';
import { MOST_BYTES } from './openapi/document.ts';
import { utf8Text } from '../../core/utf8-text.ts';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { notWritten } from '../command/typed-file.ts';
import { readBinaryFile } from '../../files/text-file.ts';

export interface ContractImportOptions {
  readonly document: string;
  /** `-` for standard output. */
  readonly out: string;
  readonly force?: boolean;
}

export const command: CommandDeclaration<ContractImportOptions> = {
  description:
    "Reads an operator's OpenAPI document (3.0 or 3.1, YAML or JSON) and writes a contract: the schemas of its requests, for check, push and serve. Says what the document adds and tightens, what contradicts the interface, and what it could not understand. Ends with 6 when every push would fail. Reads local files only and fetches nothing.",
  examples: [
    'dataimport contract import operator.yaml',
    'dataimport contract import operator.json --out contract.json',
  ],
  settings: [],
  declare: (command) =>
    void command
      .argument('<document>', "the operator's OpenAPI document")
      .option('--out <file>', 'file to write; - for standard output', 'contract.json')
      .option('--force', 'replace an existing contract'),
  run,
};

async function run(
  { document: file, out, force = false }: ContractImportOptions,
  context: CommandContext,
): Promise<CommandEnd> {
  const { cwd, timing } = context.io;
  const bytes = readBinaryFile(resolve(cwd, file), file, { mostBytes: MOST_BYTES });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const imported = importContract(
    { file, text: utf8Text(bytes, file), sha256 },
    dateInZone(timing.nowMs(), 'UTC'),
  );
  if (out !== '-') await write(resolve(cwd, out), out, contractText(imported.contract), force);
  return {
    // The contract is written and right, but no migration under it can succeed.
    exit: imported.findings.some((each) => each.refuses_all) ? 'PARTIAL' : 'OK',
    result: shownImport(imported, out),
  };
}

/** Only a contract is replaced, also by `--force`. @throws AppError `file_exists`, `file_not_writable` */
async function write(path: string, name: string, text: string, force: boolean): Promise<void> {
  try {
    const isOther = force && existsSync(path) && !isContract(readFileSync(path, 'utf8'));
    await writeFile(path, text, { flag: force && !isOther ? 'w' : 'wx' });
  } catch (error) {
    throw notWritten(
      name,
      error,
      'Give another name with --out, or --force to replace a contract; `dataimport contract diff` compares two contracts.',
    );
  }
}

function isContract(text: string): boolean {
  const value = plainJson(text);
  return isJsonObject(value) && typeof value['version'] === 'number' && isJsonObject(value['account_number']);
}

/** @param out the file that was written; `-` for standard output */
function shownImport({ contract, findings }: ImportedContract, out: string): Result {
  const { title, version, openapi } = contract.document;
  const failing = findings.filter((each) => each.refuses_all);
  const codes = contract.rules.filter((rule) => enforcementOf(rule) === 'nowhere').map(({ code }) => code);
  const words = contract.statements.filter(isUnenforced);
  const unenforced = [...codes, ...(words.length > 0 ? [`${counted(words.length, 'line')} above`] : [])];
  const report = [
    `${title} ${version} (OpenAPI ${openapi})`,
    ...sectionsOf(KINDS, findings, HEADINGS, locatedLine),
    ...(out === '-' ? [] : ['', `${out} was written.`]),
    ...(unenforced.length > 0
      ? [
          `NOT ENFORCED: ${unenforced.join(', ')}. A record that breaks one passes check and serve, and only the platform refuses it.`,
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
  return {
    next: out === '-' ? null : commandLine('contract show', [out]),
    fields: {
      contract: out,
      document: contract.document,
      counts: countsOf(KINDS, findings),
      findings: findings.map((each) => ({ name: nameOf(each), refuses_all: false, ...each })),
      ...(out === '-' && { content: contract }),
    },
    text: ({ json }) =>
      out !== '-' || json
        ? report
        : [...report.map((line) => ({ stderr: line })), { lines: contractText(contract) }],
  };
}

const HEADINGS = {
  added: 'adds to the interface',
  tightened: 'tightens the interface',
  changed: 'says how decimals are sent, which fields it does not name, and sizes and paths of requests',
  names: 'names the account number of the platform',
  rules: 'has rules with codes',
  contradicts: 'contradicts the interface',
  not_understood: 'says what was not understood (not applied: look at each line)',
} as const;
const KINDS = Object.keys(HEADINGS);

function locatedLine(finding: LocatedFinding): string {
  const { file, line, column, from } = finding;
  return `  ${file}:${line}:${column} ${lineOf(finding, from)}`;
}

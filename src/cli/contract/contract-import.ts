import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import { commandLine } from '../../core/command-line.ts';
import { importContract } from './import-contract.ts';
import { contractReport } from './contract-report.ts';
import { MOST_BYTES } from './openapi/document.ts';
import { utf8Text } from '../../core/utf8-text.ts';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { writeNewTypedFile, writeTypedFile } from '../command/typed-file.ts';
import { readBinaryFile } from '../../files/text-file.ts';

export interface ContractImportOptions {
  readonly document: string;
  readonly out: string;
  readonly force?: boolean;
}

export const command: CommandDeclaration<ContractImportOptions> = {
  description:
    "Reads an operator's OpenAPI document (3.0 or 3.1, YAML or JSON) and writes a contract: the schemas of its requests, for check, push and serve. Says what the document adds and tightens, what contradicts the interface, and what it could not understand. Ends with 6 when every push would fail. Reads local files only and fetches nothing.",
  examples: ['dataimport contract import operator.json --out contract.json'],
  settings: [],
  declare: (command) =>
    void command
      .argument('<document>', "the operator's OpenAPI document")
      .option('--out <file>', 'file to write', 'contract.json')
      .option('--force', 'replace an existing contract'),
  run,
};

async function run(
  { document: file, out, force = false }: ContractImportOptions,
  context: CommandContext,
): Promise<CommandEnd> {
  const { cwd, timing } = context.io;
  const bytes = readBinaryFile(resolve(cwd, file), file, { mostBytes: MOST_BYTES });
  const { contract, findings } = importContract(
    { file, text: utf8Text(bytes, file), sha256: hash('sha256', bytes) },
    dateInZone(timing.nowMs(), 'UTC'),
  );
  const json = `${JSON.stringify(contract, undefined, 2)}\n`;
  if (force) writeTypedFile(out, json, cwd, 'contract');
  else writeNewTypedFile(out, json, cwd, REMEDY);
  const { fields, text } = contractReport(out, contract, findings);
  return {
    // The contract is written and right, but no migration under it can succeed.
    exit: findings.some((each) => each.refuses_all) ? 'PARTIAL' : 'OK',
    result: {
      fields,
      text: (view) => [...text(view), '', `${out} was written.`],
      next: commandLine('serve --contract', [out]),
    },
  };
}

const REMEDY = 'Give another name with --out, or replace the contract with --force.';

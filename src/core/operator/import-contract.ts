import { DEFAULT_ACCOUNT_NUMBER_FIELD } from '../contract/account-number.ts';
import type { CalendarDate } from '../values/calendar-date.ts';
import type { TextPosition } from '../yaml/yaml-text.ts';
import { compareWithInterface } from './compare/compare.ts';
import { typesOf } from './resource-fields.ts';
import { ACCOUNT_ANSWERS, CONTRACT_VERSION, type OperatorContract } from './contract.ts';
import { Findings, type Finding } from './finding.ts';
import { openDocument } from './openapi/document.ts';
import { readOperations } from './openapi/operations.ts';
import type { Reading } from './openapi/reading.ts';

/** A document of an operator, as it was read from its file. */
export interface OperatorDocument {
  /** As it was typed. */
  readonly file: string;
  readonly text: string;
  /** Of its bytes, in hex digits. */
  readonly sha256: string;
}

/** A finding, and where it is in the file. */
export type LocatedFinding = Finding & TextPosition;

/** A contract, and everything that the import has to say about the document. */
export interface ImportedContract {
  readonly contract: OperatorContract;
  readonly findings: readonly LocatedFinding[];
  /** Names that were to be accepted and contradict nothing. */
  readonly unused: readonly string[];
}

/**
 * Makes a contract of an OpenAPI document. Nothing is fetched.
 * @param accept names of contradictions in which the document is followed
 * @throws AppError `operator_document_invalid`
 */
export function importContract(
  { file, text, sha256 }: OperatorDocument,
  { accept, today }: { accept: readonly string[]; today: CalendarDate },
): ImportedContract {
  const document = openDocument(file, text);
  const findings = new Findings();
  const reading: Reading = { document, findings, rules: new Map(), read: new Set(), definitions: [] };
  const read = readOperations(reading);
  const used = new Set<string>();
  const resources = compareWithInterface(read, { findings, accept: new Set(accept), used });

  const answers = ACCOUNT_ANSWERS.flatMap((answer) => {
    const named = read.accountNumbers.get(answer);
    if (!named) return [];
    const where = { resource: null, type: null, field: answer };
    if (named.name !== DEFAULT_ACCOUNT_NUMBER_FIELD)
      findings.add('names', where, `has the account number as \`${named.name}\``, named.from);
    return [[answer, named] as const];
  });
  const rules = [...reading.rules.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1));
  for (const { code, title, from } of rules)
    findings.add(
      'rules',
      { resource: null, type: null, field: code },
      title === '' ? 'without a title' : title,
      from,
    );

  const found = findings.all((resource) => [...typesOf(resource)]);
  return {
    contract: {
      version: CONTRACT_VERSION,
      document: {
        title: document.title,
        version: document.release,
        openapi: document.version,
        file: file.split(/[\\/]/).at(-1)!,
        sha256,
        imported: today,
      },
      accepted: [...used].toSorted(),
      account_number: Object.fromEntries(answers),
      resources,
      rules,
    },
    findings: found.map((finding) => ({ ...finding, ...document.positionOf(finding.from) })),
    unused: accept.filter((name) => !used.has(name)),
  };
}

/** The text of contract.json. */
export function contractText(contract: OperatorContract): string {
  return `${JSON.stringify(contract, undefined, 2)}\n`;
}

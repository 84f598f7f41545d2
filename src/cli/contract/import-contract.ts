import type { CalendarDate } from '../../core/values/calendar-date.ts';
import type { TextPosition } from '../../core/yaml/yaml-text.ts';
import { CONTRACT_VERSION, type OperatorContract, type Statement } from '../../core/operator/contract.ts';
import { demandsOf, statementsOf } from './difference.ts';
import { Findings, inOrder } from './finding.ts';
import { narrowedDescriptors } from '../../core/operator/narrow.ts';
import { TooManySchemas } from './openapi/fields.ts';
import { type Reading, openDocument, type OpenApiDocument } from './openapi/document.ts';
import { readOperations } from './openapi/operations.ts';

/** A document of an operator, as it was read from its file. */
export interface OperatorDocument {
  /** As it was typed. */
  readonly file: string;
  readonly text: string;
  /** Of its bytes, in hex digits. */
  readonly sha256: string;
}

/** A finding, and where it is in the file. */
export type LocatedFinding = Statement & TextPosition;

/** A contract, and everything that the import has to say about the document. */
export interface ImportedContract {
  readonly contract: OperatorContract;
  readonly findings: readonly LocatedFinding[];
}

/**
 * Makes a contract of an OpenAPI document. Nothing is fetched.
 * @throws AppError `document_invalid`
 */
export function importContract(source: OperatorDocument, today: CalendarDate): ImportedContract {
  const document = openDocument(source.file, source.text);
  try {
    return contractOf(document, source, today);
  } catch (error) {
    if (!(error instanceof TooManySchemas)) throw error;
    const todo = 'Ask the operator for a document in which schemas do not repeat each other endlessly.';
    throw document.failure(error.at, error.message, todo);
  }
}

function contractOf(
  document: OpenApiDocument,
  { file, sha256 }: OperatorDocument,
  today: CalendarDate,
): ImportedContract {
  const findings = new Findings();
  const reading: Reading = { document, findings, rules: new Map(), schemas: {} };
  const read = readOperations(reading);
  const rules = [...reading.rules.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const { title, release, version: openapi } = document;
  const name = file.split(/[\\/]/).at(-1)!;
  const contract: OperatorContract = {
    version: CONTRACT_VERSION,
    document: { title, version: release, openapi, file: name, sha256, imported: today },
    ...read,
    schemas: reading.schemas,
    statements: inOrder(findings.all),
    rules,
  };
  // Its schemas are compiled, so that no command finds out later that one is none.
  narrowedDescriptors(contract, 'file');
  const found = inOrder([...statementsOf(contract), ...demandsOf(contract)]);
  return {
    contract,
    findings: found.flatMap((each) =>
      /^(?:needs|says)$/.test(each.kind) ? [] : { ...each, ...document.positionOf(each.from) },
    ),
  };
}

export function contractText(contract: OperatorContract): string {
  return `${JSON.stringify(contract, undefined, 2)}\n`;
}

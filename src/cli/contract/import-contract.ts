import type { CalendarDate } from '../../core/values/calendar-date.ts';
import { CONTRACT_VERSION, type OperatorContract, type Statement } from '../../core/operator/contract.ts';
import { allOf } from './difference.ts';
import { inOrder, noteIn } from './finding.ts';
import { narrowedDescriptors } from '../../core/operator/narrow.ts';
import { TooManySchemas } from './openapi/fields.ts';
import { type Reading, openDocument } from './openapi/document.ts';
import { readOperations } from './openapi/operations.ts';

/** A contract, and everything that the import has to say about the document. */
export type ImportedContract = ReturnType<typeof importContract>;

/**
 * Makes a contract of an OpenAPI document. Nothing is fetched.
 * @param source its file as it was typed, and the SHA-256 of its bytes in hex digits
 * @throws AppError `document_invalid`
 */
export function importContract(
  { file, text, sha256 }: Readonly<Record<'file' | 'text' | 'sha256', string>>,
  today: CalendarDate,
) {
  const document = openDocument(file, text);
  const statements: Statement[] = [];
  const reading: Reading = { document, note: noteIn(statements), rules: new Map(), schemas: {} };
  try {
    const read = readOperations(reading);
    const { title, release, version: openapi } = document;
    const name = file.split(/[\\/]/).at(-1)!;
    const contract: OperatorContract = {
      version: CONTRACT_VERSION,
      document: { title, version: release, openapi, file: name, sha256, imported: today },
      ...read,
      schemas: reading.schemas,
      statements: inOrder(statements),
      rules: [...reading.rules.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    };
    // Its schemas are compiled, so that no command finds out later that one is none.
    narrowedDescriptors(contract, 'file');
    const findings = allOf(contract).map((each) => ({ ...each, ...document.positionOf(each.from) }));
    return { contract, findings };
  } catch (error) {
    if (!(error instanceof TooManySchemas)) throw error;
    const todo = 'Ask the operator for a document in which schemas do not repeat each other endlessly.';
    throw document.failure(error.at, error.message, todo);
  }
}

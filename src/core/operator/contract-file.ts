import { AppError } from '../app-error.ts';
import type { Path } from '../problem.ts';
import { IN_ENGLISH, keysAt } from '../schema.ts';
import { suggestion } from '../suggestion.ts';
import { readYaml } from '../yaml/yaml-text.ts';
import { unreadablePattern } from '../values/pattern.ts';
import { CONTRACT_VERSION, operatorContract, type OperatorContract } from './contract.ts';
import { childOf, membersOf, partAt, pointerIn, type Located } from './located.ts';

const AGAIN = 'type `dataimport contract import` with the document of the operator';

/**
 * Reads the text of contract.json. The first problem is reported with its position.
 * @throws AppError `document_invalid`
 */
export function readContract(file: string, text: string): OperatorContract {
  const { yaml, problems } = readYaml({ file, text, schema: 'core' });
  if (!yaml) {
    const [{ reason, ...position }] = problems;
    throw new AppError('document_invalid', {
      kind: 'contract',
      reason: `it is not readable JSON: ${reason}`,
      ...position,
    });
  }
  const { value, positionOf } = yaml;
  const invalid = (path: Path, says: string, what?: 'key'): AppError => {
    const { line, column } = positionOf(path, what);
    const reason = path.length === 0 ? says : `${path.join('.')}: ${says}`;
    return new AppError('document_invalid', { kind: 'contract', file, line, column, reason });
  };
  if (childOf(value, 'openapi') !== undefined)
    throw invalid([], `it is a document of an operator: ${AGAIN} to make a contract of it`);
  const version = childOf(value, 'version');
  if (typeof version === 'number' && version !== CONTRACT_VERSION)
    throw invalid(['version'], `this program reads version ${CONTRACT_VERSION} of the format: ${AGAIN}`);
  const wrong = wrongPart({ value, path: [] }, childOf(value, 'schemas'));
  if (wrong) throw invalid(wrong.path, wrong.reason, 'key');
  const parsed = operatorContract.safeParse(value, IN_ENGLISH);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const says = `there is no such key${suggestion(key, keysAt(operatorContract, path))}`;
    throw invalid([...path, key], says, 'key');
  }
  throw invalid(path, `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`);
}

/** A part of a contract that was edited by hand: a name of prototypes, a reference to nothing, or a pattern that is none. */
function wrongPart(part: Located, schemas: unknown): { path: Path; reason: string } | undefined {
  for (const member of membersOf(part)) {
    const { key, value, path } = member;
    // A record of zod drops such a key in silence.
    if (key === '__proto__') return { path, reason: 'no field can have this name' };
    if (key === '$ref' && partAt(pointerIn(value) ?? '/', schemas).value === undefined)
      return { path, reason: 'the reference leads to nothing: import the document again' };
    if (key === 'pattern' && typeof value === 'string' && unreadablePattern(value) !== undefined)
      return { path, reason: 'this is no pattern of RE2: import the document again' };
    const found = wrongPart(member, schemas);
    if (found) return found;
  }
  return undefined;
}

/** The part of a contract that requests depend on, as one text, whatever the names and dates of its document. */
export function meaningOf(contract: OperatorContract): string {
  return JSON.stringify({ ...contract, document: undefined, statements: undefined });
}

/** A contract by its name and version, for messages. */
export function contractName({ document }: OperatorContract): string {
  return `${document.title} ${document.version}`;
}

import { AppError } from '../app-error.ts';
import type { Path } from '../problem.ts';
import { IN_ENGLISH, keysAt } from '../schema.ts';
import { suggestion } from '../suggestion.ts';
import { readYaml } from '../yaml/yaml-text.ts';
import { CONTRACT_VERSION, operatorContract, type OperatorContract } from './contract.ts';
import { isJsonObject, plainJson } from '../values/plain-json.ts';

const AGAIN = 'type `dataimport contract import` with the document of the operator';

/**
 * Reads the text of contract.json. The first problem is reported with its position.
 * @throws AppError `document_invalid`
 */
export function readContract(file: string, text: string): OperatorContract {
  // The reader of YAML knows where a problem is, and takes several times as long.
  const read = operatorContract.safeParse(plainJson(text));
  if (read.success) return read.data;
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
  const { openapi, version } = isJsonObject(value) ? value : {};
  if (openapi !== undefined)
    throw invalid([], `it is a document of an operator: ${AGAIN} to make a contract of it`);
  if (typeof version === 'number' && version !== CONTRACT_VERSION)
    throw invalid(['version'], `this program reads version ${CONTRACT_VERSION} of the format: ${AGAIN}`);
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

import type { FieldKind } from '../../../core/contract/field.ts';
import { failure, type Problem } from '../../../core/problem.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { JsonSyntaxError, parseExactJson } from '../../../core/values/exact-json.ts';
import { parseInstant } from '../../../core/values/instant.ts';
import { StepProblem } from './step-problem.ts';

/**
 * The value of a text that is written as the interface writes it: 0.23, true, 2026-01-31T09:30:00Z. A text that does not fit
 * its kind stays a text, so that the check of the record reports it with all other problems of the row.
 */
export function interfaceValue(text: string, kind: FieldKind): unknown {
  if (kind === 'decimal') return Decimal.parse(text) ?? text;
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (kind === 'datetime') return parseInstant(text) ?? text;
  if (kind === 'json') return jsonOrText(text);
  return text;
}

function jsonOrText(text: string): unknown {
  const value = jsonValue(text);
  return value instanceof StepProblem ? text : value;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  units: '[10234.5, 10382.1]',
  document_paths: '[{"document_path": "letters/1.pdf"}]',
};

/** The problem of a value of JSON Lines from which a key path would be lost. */
export const lostKeyProblem = (name: string): Problem =>
  failure('json_invalid', [], {
    reason: `the cell is not readable JSON: a key of \`${name}\` has a point in it`,
    example: '{"a": {"b": 1}}',
  });

/** The value of a cell with JSON, or its problem. `field` chooses the example of the message. */
export function jsonValue(cell: string, field?: string | number): unknown {
  try {
    return parseExactJson(cell);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const example = EXAMPLES[String(field)] ?? '[{"amount": 9.24}]';
    return new StepProblem(
      failure('json_invalid', [], { reason: `the cell is not readable JSON: ${error.message}`, example }),
    );
  }
}

import { failure, warning, type Path, type Problem } from '../../core/problem.ts';
import { Decimal } from '../../core/values/decimal.ts';
import { JsonSyntaxError, parseExactJson } from '../../core/values/exact-json.ts';
import { parseInstant } from '../../core/values/instant.ts';
import type { CellKind } from './column.ts';

/** A cell as a value, or what is wrong with it. */
export interface CellReading {
  readonly value: unknown;
  readonly problem?: Problem;
}

/**
 * Reads a cell that is not empty. A text that does not fit its kind stays a text, so that the check of the
 * contract reports it with all other problems of the row.
 */
export function readCell(cell: string, kind: CellKind, path: Path): CellReading {
  switch (kind) {
    case 'decimal': {
      const value = Decimal.parse(cell) ?? cell;
      if (value instanceof Decimal && value.isZero && cell.startsWith('-')) {
        return { value, problem: warning('negative_zero', path) };
      }
      return /^-?0\d/.test(cell) ? { value, problem: warning('leading_zeros', path) } : { value };
    }
    case 'boolean':
      return { value: cell === 'true' ? true : cell === 'false' ? false : cell };
    case 'json':
      return readJson(cell, path);
    case 'datetime':
      return { value: parseInstant(cell) ?? cell };
    case 'text':
    case 'date':
      return { value: cell };
    default:
      return kind satisfies never;
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  units: '[10234.5, 10382.1]',
  document_paths: '[{"document_path": "letters/1.pdf"}]',
};

export function readJson(cell: string, path: Path): CellReading {
  try {
    return { value: parseExactJson(cell) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const example = EXAMPLES[String(path.at(-1))] ?? '[{"amount": 9.24}]';
    return {
      value: undefined,
      problem: failure('json_cell_invalid', path, { reason: error.message, example }),
    };
  }
}

import type { ReadText } from './compiled-field.ts';
import type { StepSpec } from './mapping-file/step-keys.ts';
import type { BoundColumn } from './scope.ts';
import { TRANSFORMS } from './transforms.ts';

/** Text of the cells of a column after the steps that every cell takes; undefined for no value. */
export function cellText(
  { index }: BoundColumn,
  spec: StepSpec,
): (cells: readonly string[]) => string | undefined {
  const steps = TRANSFORMS.flatMap((transform) =>
    transform.phase === 'cell' ? (transform.compile({ spec }) ?? []) : [],
  );
  return (cells) => {
    let text: string | undefined = cells[index] ?? '';
    for (const step of steps) {
      text = step(text);
      if (text === undefined) return undefined;
    }
    return text;
  };
}

/** The same for the cells that a scope has. */
export function textReader(column: BoundColumn, spec: StepSpec): ReadText {
  const read = cellText(column, spec);
  return ({ cells }) => read(cells);
}

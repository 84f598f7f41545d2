import type { StepSpec } from '../language/steps.ts';
import { TRANSFORMS } from '../language/transforms.ts';
import type { BoundColumn } from './scope.ts';

/** The text of a cell; undefined for no value. */
export type CellText = (cells: readonly string[]) => string | undefined;

/** Reads the cells of a column with the steps that every cell takes. */
export function cellText({ index }: BoundColumn, spec: StepSpec): CellText {
  const steps = TRANSFORMS.flatMap((transform) =>
    transform.phase === 'cell' ? (transform.compile(spec) ?? []) : [],
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

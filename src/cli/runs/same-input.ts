import type { RunHeader } from '../run-file/run-header.ts';

/** A part of the input of a run, beside the content of its sources and its target. Each part has the name of its flag. */
type InputPart = keyof typeof INPUT_PARTS;

type Input = Pick<RunHeader, 'options' | 'inputs' | 'sources'>;

const INPUT_PARTS = {
  '--contract': ({ options }: Input) => options.contract?.sha256,
  '--supplier': ({ options }: Input) => [options.selection !== undefined, options.selection?.supplier],
  '--shard': ({ options }: Input) => options.selection?.shard,
  '--skip-records or --max-records': ({ options }: Input) => [
    options.selection?.skipRecords ?? 0,
    options.selection?.maxRecords,
  ],
  '--since': ({ options }: Input) => options.selection?.since,
  'the mapping or a file that it uses': ({ inputs }: Input) => inputs.map(({ sha256 }) => sha256),
  '--no-trailer': ({ sources }: Input) => sources.map(({ mappedBy }) => mappedBy?.hasTrailer ?? false),
  '--check-previously-added': ({ options }: Input) => options.checkPreviouslyAdded,
  '--force-add-to-current-statement': ({ options }: Input) => options.forceAddToCurrentStatement,
  '--on-ambiguous': ({ options }: Input) => options.onAmbiguous,
} as const;

/**
 * Decides whether two runs of the same content and target are of the same input: whether they send the same records in the
 * same way. Returns the parts that differ; none for the same input. `--on-reject` may change while a run lasts.
 */
export function otherInput(a: Input, b: Input): readonly InputPart[] {
  const parts = Object.keys(INPUT_PARTS) as readonly InputPart[];
  return parts.filter((part) => textOf(INPUT_PARTS[part](a)) !== textOf(INPUT_PARTS[part](b)));
}

function textOf(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** The parts that select rows. Rows that two runs share are the same records. */
const SELECTING: ReadonlySet<InputPart> = new Set(['--shard', '--skip-records or --max-records']);

/** Whether two runs differ in nothing but the rows that they take. */
export function isSelectedOtherwise(differences: readonly InputPart[]): boolean {
  return differences.every((part) => SELECTING.has(part));
}

/**
 * How a property is tested: always with the same examples, so that a failure is the fault of a change. `PROPERTY_SEED=$RANDOM` asks for
 * others, and `PROPERTY_RUNS` for more of them.
 */
export function propertyRuns(numRuns: number): { readonly seed: number; readonly numRuns: number } {
  const { PROPERTY_SEED, PROPERTY_RUNS } = process.env;
  return { seed: Number(PROPERTY_SEED ?? 1), numRuns: Number(PROPERTY_RUNS ?? numRuns) };
}

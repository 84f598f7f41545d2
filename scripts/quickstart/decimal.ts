/** Whole steps of 10^-places as text: `decimal(924n, 2)` is `9.24`. */
export function decimal(steps: bigint, places: number): string {
  const digits = (steps < 0n ? -steps : steps).toString().padStart(places + 1, '0');
  const sign = steps < 0n ? '-' : '';
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Rounds half up, from steps of 10^-from to the coarser 10^-to. The fixture rounds no negative numbers. */
export function roundHalfUp(steps: bigint, from: number, to: number): bigint {
  if (steps < 0n) throw new Error('half up is ambiguous below zero');
  const step = 10n ** BigInt(from - to);
  return (steps + step / 2n) / step;
}

/**
 * Lets an observer watch without a part in what it watches. The first failure is reported, and later calls are dropped, so a log on
 * a full disk neither ends a run nor looks like an answer of the platform. A report that fails as well is lost.
 */
export function observer<Seen extends readonly unknown[]>(
  observe: (...seen: Seen) => void,
  failed: (error: unknown) => void,
): (...seen: Seen) => void {
  let works = true;
  return (...seen) => {
    if (!works) return;
    try {
      observe(...seen);
    } catch (error) {
      works = false;
      try {
        failed(error);
      } catch {
        // The same stream may be gone for both, and nobody is left to tell.
      }
    }
  };
}

/** The clock of a platform. "Today", the life of tokens, creation times and imports depend on it. */
export type Clock = ReturnType<typeof clockOver>;

/** Setting the clock back keeps tokens valid for longer and changes nothing that is stored. */
export function clockOver(realMs: () => number) {
  let offsetMs = 0;
  let frozenAtMs: number | undefined;
  const nowMs = () => frozenAtMs ?? realMs() + offsetMs;
  const set = (toMs: number): void => {
    if (frozenAtMs === undefined) offsetMs = toMs - realMs();
    else frozenAtMs = toMs;
  };
  return {
    /** Milliseconds since 1970. */
    nowMs,
    /** Whether the clock shows real time, runs at a distance from it, or is frozen. */
    mode: () => {
      if (frozenAtMs !== undefined) return 'frozen';
      return offsetMs === 0 ? 'real' : 'shifted';
    },
    freeze: () => void (frozenAtMs = nowMs()),
    /** Sets the current time. A frozen clock stays frozen, any other clock runs on from there. */
    set,
    advance: (byMs: number) => set(nowMs() + byMs),
    resume: () => {
      offsetMs = 0;
      frozenAtMs = undefined;
    },
  };
}

/** The clock shows real time, runs at a distance from it, or is frozen. */
export type ClockMode = 'real' | 'shifted' | 'frozen';

/** The clock of a platform. "Today", the life of tokens, creation times and imports depend on it. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  mode(): ClockMode;
  /** Stops the clock. */
  freeze(): void;
  /** Sets the current time. A frozen clock stays frozen, any other clock runs on from there. */
  set(toMs: number): void;
  /** Moves the clock forward. */
  advance(byMs: number): void;
  /** Goes back to real time. */
  resume(): void;
}

/** Setting the clock back keeps tokens valid for longer and changes nothing that is stored. */
export function clockOver(realMs: () => number): Clock {
  let offsetMs = 0;
  let frozenAtMs: number | undefined;
  const nowMs = () => frozenAtMs ?? realMs() + offsetMs;
  const set = (toMs: number): void => {
    if (frozenAtMs === undefined) offsetMs = toMs - realMs();
    else frozenAtMs = toMs;
  };
  return {
    nowMs,
    mode: () => {
      if (frozenAtMs !== undefined) return 'frozen';
      return offsetMs === 0 ? 'real' : 'shifted';
    },
    freeze: () => void (frozenAtMs = nowMs()),
    set,
    advance: (byMs) => set(nowMs() + byMs),
    resume: () => {
      offsetMs = 0;
      frozenAtMs = undefined;
    },
  };
}

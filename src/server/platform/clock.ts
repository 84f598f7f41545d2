/** How the clock of the platform goes: as the real one, at a distance from it, or not at all. */
export type ClockMode = 'real' | 'shifted' | 'frozen';

/** The clock that the platform lives by: "today", the life of tokens, creation times and imports depend on it. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  mode(): ClockMode;
  /** Stands still from now on. */
  freeze(): void;
  /** Puts it to another time; a clock that stands still stands still there, any other goes on from there. */
  set(toMs: number): void;
  /** Puts it forward. */
  advance(byMs: number): void;
  /** It is the real clock again. */
  resume(): void;
}

/** Tokens of a time that is set back stay valid for longer; nothing that was stored changes. */
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

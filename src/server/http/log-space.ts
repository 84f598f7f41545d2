/** A log that shares its memory with the logs of other tenants. */
export interface SharingLog {
  /** About how many bytes the log takes. */
  bytes(): number;
  /** Drops what is oldest in the log. False when only its newest request is left. */
  dropOldest(): boolean;
}

/** The memory of all request logs of a server together. */
export interface LogSpace {
  enter(log: SharingLog): void;
  leave(log: SharingLog): void;
  /** Makes room after a log has grown. The largest log gives way, so a busy tenant does not empty the log of a quiet one. */
  makeRoom(): void;
}

export function logSpace(limitBytes: number): LogSpace {
  const logs = new Set<SharingLog>();
  return {
    enter: (log) => void logs.add(log),
    leave: (log) => void logs.delete(log),
    makeRoom: () => {
      let used = logs.values().reduce((sum, log) => sum + log.bytes(), 0);
      while (used > limitBytes) {
        const largest = [...logs].reduce((a, b) => (b.bytes() > a.bytes() ? b : a));
        const before = largest.bytes();
        if (!largest.dropOldest()) return;
        used -= before - largest.bytes();
      }
    },
  };
}

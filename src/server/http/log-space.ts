/** A log that shares its memory with the logs of other tenants. */
export interface SharingLog {
  /** About how many bytes the log takes. */
  bytes(): number;
  /** Drops what is oldest in the log. False when only its newest request is left. */
  dropOldest(): boolean;
}

/** The memory of all request logs of a server together. */
export type LogSpace = ReturnType<typeof logSpace>;

export function logSpace(limitBytes: number) {
  const logs = new Set<SharingLog>();
  return {
    enter: (log: SharingLog) => void logs.add(log),
    leave: (log: SharingLog) => void logs.delete(log),
    /** Makes room after a log has grown. The largest log gives way, so a busy tenant does not empty the log of a quiet one. */
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

import { clockOfInstant } from '../../core/values/instant.ts';

/** How long the holder of a port may take to say who it is, in milliseconds. */
const PATIENCE_MS = 1_000;

/** Another server of this kind that holds a port. */
export interface PortHolder {
  readonly instance: string;
  readonly database: string;
  /** How long it has been running, in whole minutes. */
  readonly minutes: number;
}

/** Asks who listens at an address of this machine; undefined when it is no `dataimport serve`, or does not answer. */
export async function portHolder(url: string, nowMs: number): Promise<PortHolder | undefined> {
  try {
    const answer = await fetch(`${url}/_local/health`, {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { instance, database, started_at } = (await answer.json()) as Readonly<Record<string, unknown>>;
    if (![instance, database, started_at].every((fact) => typeof fact === 'string')) return undefined;
    const minutes = Math.max(0, Math.floor((nowMs - clockOfInstant(started_at as string)) / 60_000));
    return { instance: instance as string, database: database as string, minutes };
  } catch {
    return undefined;
  }
}

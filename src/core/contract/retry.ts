/**
 * Whether the same request may be sent again. `wait`: unchanged, after a wait. `token`: with another token. `never`: a
 * person has to change something first.
 */
export type Retry = 'never' | 'wait' | 'token';

/** How the client goes on after an answer with this status; it is the only place that decides so. */
export function retryOfStatus(status: number): Retry {
  if (status === 401) return 'token';
  return status === 408 || status === 429 || status >= 500 ? 'wait' : 'never';
}

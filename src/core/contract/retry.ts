/**
 * Whether the same request may be sent again. `wait`: unchanged, after a wait. `token`: with another token. `never`: a
 * person has to change something first.
 */
export type Retry = 'never' | 'wait' | 'token';

/** Whether a request may be sent again after this status. Answers without a usable status: cli/push/answer/classify.ts. */
export function retryOfStatus(status: number): Retry {
  if (status === 401) return 'token';
  return status === 408 || status === 429 || status >= 500 ? 'wait' : 'never';
}

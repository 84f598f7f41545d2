import { shownAs } from './formats/result-formats.ts';
import { exitDocument } from './json.ts';
import { counted, durationText, escapedLines } from './text/text.ts';

/** What `dataimport auth check` found out. */
export interface AuthenticationResult {
  readonly baseUrl: string;
  /** Address of the proxy on the way to the platform; null when there is none. */
  readonly proxy: string | null;
  /** Kind and origin of the secret, without the secret. */
  readonly credentials: { readonly kind: 'token' | 'key'; readonly source: string };
  /** End of the token in milliseconds since 1970; null when the token does not say. */
  readonly tokenEndsAtMs: number | null;
  /** By the clock of this machine. */
  readonly nowMs: number;
  /** Imported accounts of the supplier; null when no supplier is set, because the platform was not asked then. */
  readonly importedAccounts: number | null;
}

export const shownAuthentication = shownAs<AuthenticationResult>({
  document: ({ baseUrl, proxy, credentials, tokenEndsAtMs, importedAccounts }, exit) => ({
    version: 1,
    base_url: baseUrl,
    proxy,
    credentials,
    token_ends_at_ms: tokenEndsAtMs,
    imported_accounts: importedAccounts,
    exit: exitDocument(exit),
  }),
  text: ({ baseUrl, proxy, credentials, tokenEndsAtMs, nowMs, importedAccounts }) =>
    escapedLines([
      `base URL     ${baseUrl}`,
      ...(proxy === null ? [] : [`proxy        ${proxy}`]),
      `credentials  ${credentials.kind} from ${credentials.source}`,
      `token        ${endText(tokenEndsAtMs, nowMs)}`,
      `platform     ${importedAccounts === null ? 'accepts the token; give --supplier to count its accounts' : `answered, with ${counted(importedAccounts, 'imported account')}`}`,
    ]),
});

function endText(endsAtMs: number | null, nowMs: number): string {
  if (endsAtMs === null) return 'does not say when it ends';
  return endsAtMs <= nowMs
    ? 'has expired, by the clock of this machine'
    : `valid for ${durationText(endsAtMs - nowMs)}`;
}

/** Takes secrets out of what the platform says: an answer that echoes one must not carry it into a report or a log. */
export interface Redaction {
  /** From now on this is hidden. */
  learn(secret: string): void;
  /** The text with every secret, as it is and as JSON writes it, replaced. */
  hide(text: string): string;
}

/** Secrets that are remembered, at most; there is a new token every hour or so. */
const REMEMBERED = 100;

/** Shorter ones are no secrets, and to replace them would only make answers unreadable. */
const MIN_LENGTH = 8;

/** Knows no secret yet. */
export function newRedaction(): Redaction {
  const secrets = new Set<string>();
  return {
    learn(secret) {
      if (secret.length < MIN_LENGTH) return;
      // The ones that were used last are kept.
      secrets.delete(secret);
      secrets.add(secret);
      if (secrets.size > REMEMBERED) for (const oldest of secrets) return void secrets.delete(oldest);
    },
    hide: (text) =>
      [...secrets]
        // A longer one may begin with a shorter one, whose replacement would leave its end.
        .toSorted((a, b) => b.length - a.length)
        .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
        .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text),
  };
}

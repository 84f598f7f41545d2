/** Removes secrets from the platform's answers, because an answer may repeat one and is shown in reports and logs. */
export interface Redaction {
  /** Hides a secret from now on. */
  learn(secret: string): void;
  /** The text with every secret replaced, in its plain form and as JSON writes it. */
  hide(text: string): string;
}

/** Most secrets that are remembered; there is a new token every hour or so. */
const REMEMBERED = 100;

/** Shorter texts are no secrets, and replacing them would make answers unreadable. */
const MIN_LENGTH = 8;

/** Knows no secret yet. */
export function newRedaction(): Redaction {
  const secrets = new Set<string>();
  return {
    learn(secret) {
      if (secret.length < MIN_LENGTH) return;
      // A secret that is used again moves to the end, so the oldest one is forgotten first.
      secrets.delete(secret);
      secrets.add(secret);
      if (secrets.size > REMEMBERED) for (const oldest of secrets) return void secrets.delete(oldest);
    },
    hide: (text) =>
      [...secrets]
        // A longer secret may begin with a shorter one, whose replacement would leave its end.
        .toSorted((a, b) => b.length - a.length)
        .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
        .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text),
  };
}

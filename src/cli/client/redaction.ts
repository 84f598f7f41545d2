/** Removes secrets from the platform's answers, because an answer may repeat one and is shown in reports and logs. */
export type Redaction = ReturnType<typeof newRedaction>;

/** Shorter parts of a secret occur in ordinary words. */
const PART = 6;

/** Shorter texts are no secrets, and replacing them would make answers unreadable. */
const MIN_LENGTH = 8;

/** Knows no secret yet. */
export function newRedaction() {
  const secrets = new Set<string>();
  const hide = (text: string): string =>
    [...secrets]
      // A longer secret may begin with a shorter one, whose replacement would leave its end.
      .toSorted((a, b) => b.length - a.length)
      .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
      .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
  return {
    learn(secret: string) {
      if (secret.length >= MIN_LENGTH) secrets.add(secret);
    },
    /** The text with every secret replaced, in its plain form and as JSON writes it. */
    hide,
    /** The text for people. A text that still has a part of a secret, in any case or escape, becomes a count of characters. */
    hideParts(text: string) {
      const hidden = hide(text);
      const rest = bare(hidden.replaceAll('[secret]', ' '));
      const isLeft = [...secrets].some((secret) => partsOf(bare(secret)).some((part) => rest.includes(part)));
      return isLeft ? `a text of ${[...text].length} characters that has a part of the key` : hidden;
    },
  };
}

/** Letters and digits alone, in lower case and without the escapes of JSON and Python. */
function bare(text: string): string {
  return text.toLowerCase().replaceAll(/\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|[^a-z0-9]/g, '');
}

function partsOf(secret: string): readonly string[] {
  return Array.from({ length: Math.max(0, secret.length - PART + 1) }, (_, at) =>
    secret.slice(at, at + PART),
  );
}

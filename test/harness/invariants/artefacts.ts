import { violation, type Violation } from './violation.ts';

/** Something that a run leaves behind: a file, or its printed output. */
export interface Artefact {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Checks I8: no artefact contains a secret text, in UTF-8 or UTF-16. */
export function artefactViolations(
  artefacts: readonly Artefact[],
  secrets: Readonly<Record<string, string>>,
): readonly Violation[] {
  return artefacts.flatMap(({ name, bytes }) => {
    const content = Buffer.from(bytes);
    return Object.entries(secrets).flatMap(([what, text]) =>
      (['utf8', 'utf16le'] as const).some((encoding) => content.includes(Buffer.from(text, encoding)))
        ? [violation('I8', `${name} contains ${what}`)]
        : [],
    );
  });
}

import { violation, type Violation } from './violation.ts';

/** Something that a run leaves behind: a file, or what was printed. */
export interface Artefact {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** I8: none of the texts that are nobody's business stands anywhere, in UTF-8 or UTF-16. */
export function artefactViolations(
  artefacts: readonly Artefact[],
  secrets: Readonly<Record<string, string>>,
): readonly Violation[] {
  return artefacts.flatMap(({ name, bytes }) => {
    const content = Buffer.from(bytes);
    return Object.entries(secrets).flatMap(([what, text]) =>
      (['utf8', 'utf16le'] as const).some((encoding) => content.includes(Buffer.from(text, encoding)))
        ? [violation('I8', `${what} stands in ${name}`)]
        : [],
    );
  });
}

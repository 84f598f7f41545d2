import type { SourceEncoding } from '../csv/source-format.ts';
import type { ForeignByte, LegacyEncoding } from './legacy-census.ts';

/**
 * How sure a conclusion is: `proven` by the whole file; `assumed`, with nothing against it and to be confirmed;
 * `open`, because the file does not decide it.
 */
export const CERTAINTIES = ['proven', 'assumed', 'open'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** What the encoding of a file is, and why. */
export interface EncodingEvidence {
  /** Null when it is none that can be named in a mapping. */
  readonly name: SourceEncoding | null;
  readonly certainty: Certainty;
  readonly because: string;
  readonly byteOrderMark: boolean;
  /** Encodings that were weighed; empty when the bytes left no choice. */
  readonly candidates: readonly EncodingCandidate[];
  /** Encodings that are equally plausible, with what tells them apart; set only where a person has to choose. */
  readonly choices?: readonly EncodingChoice[];
  /** Where the first characters beyond ASCII stand; empty when the bytes left no choice. */
  readonly places: readonly ForeignByte[];
}

/** An encoding to choose. */
export interface EncodingChoice {
  readonly name: SourceEncoding;
  /** Characters that it has inside words. */
  readonly characters: readonly string[];
  readonly language: string;
}

export interface EncodingCandidate {
  readonly name: LegacyEncoding;
  readonly possible: boolean;
  readonly because: string;
}

/** The part of the evidence that a decision is about. */
export type EncodingDecision = Pick<EncodingEvidence, 'name' | 'certainty' | 'because' | 'choices'>;

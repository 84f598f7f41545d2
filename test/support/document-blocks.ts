import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './source-tree.ts';

/** A fenced block of a document: ```` ```csv notes ```` has the language `csv` and the title `notes`. */
export interface DocumentBlock {
  readonly language: string;
  readonly title: string;
  readonly text: string;
}

/** A part of a document under a heading of the second level. */
export interface DocumentSection {
  readonly heading: string;
  readonly text: string;
}

/** The fenced blocks of a document in some languages, in their order. */
export function documentBlocks(document: string, ...languages: readonly string[]): readonly DocumentBlock[] {
  return blocksOf(textOf(document), ...languages);
}

/** The fenced blocks of a text in some languages, in their order. */
export function blocksOf(text: string, ...languages: readonly string[]): readonly DocumentBlock[] {
  return [...text.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)]
    .map((match) => ({ language: match[1]!, title: match[2]!, text: match[3]! }))
    .filter((block) => languages.includes(block.language));
}

/** The text before the first section, without a heading, and the sections of a document, in their order. */
export function documentSections(document: string): readonly DocumentSection[] {
  const [before, ...parts] = textOf(document).split(/^## /m);
  const sections = parts.map((part) => {
    const end = part.indexOf('\n');
    return { heading: part.slice(0, end), text: part.slice(end + 1) };
  });
  return [{ heading: '', text: before! }, ...sections];
}

function textOf(document: string): string {
  return readFileSync(join(projectRoot, document), 'utf8');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './source-tree.ts';

/** A fenced block of a document: ```` ```csv notes ```` has the language `csv` and the title `notes`. */
export interface DocumentBlock {
  readonly language: string;
  readonly title: string;
  readonly text: string;
}

/** The fenced blocks of a document in some languages, in their order. */
export function documentBlocks(document: string, ...languages: readonly string[]): readonly DocumentBlock[] {
  const text = readFileSync(join(projectRoot, document), 'utf8');
  return [...text.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)]
    .map((match) => ({ language: match[1]!, title: match[2]!, text: match[3]! }))
    .filter((block) => languages.includes(block.language));
}

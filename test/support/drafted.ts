import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Resource } from '../../src/core/contract/resources.ts';
import { openSourceFile } from '../../src/cli/csv/source-file.ts';
import { draftMapping } from '../../src/cli/inspect/draft/draft-mapping.ts';
import { loadMapping, type LoadedMapping } from '../../src/cli/mapping/file/load-mapping.ts';
import { inspected } from './inspected.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The draft of a mapping for a file of this content. */
export async function drafted(
  resource: Resource,
  content: Buffer | string,
  showValues = false,
): Promise<Readonly<{ text: string; questions: readonly string[]; decided: readonly string[] }>> {
  const { content: text } = await inspected(content);
  if (!text) throw new Error('the content is no text');
  const draft = draftMapping(text, {
    resource,
    file: 'export.csv',
    showValues,
    again: (encoding) => `dataimport init export.csv --resource ${resource} --encoding ${encoding}`,
  });
  const { fields } = parse(draft.text) as { fields: object | null };
  const decided = Object.entries(fields ?? {}).flatMap(([field, entry]) => (entry === null ? [] : field));
  return { text: draft.text, questions: draft.questions.map((question) => question.text), decided };
}

/** A draft, loaded like any mapping file. */
export async function loadedDraft(text: string): Promise<LoadedMapping> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'draft.map.yaml'), text);
  return loadMapping('draft.map.yaml', (name) => openSourceFile(name, folder));
}

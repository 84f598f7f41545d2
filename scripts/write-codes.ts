// node scripts/write-codes.ts
//
// Writes what is generated from tables of the source: codes.md, mapping-reference.md, parity.md, the tables of exit-codes.md
// and settings.md, and the scripts of the folder completions.

import { readFileSync, writeFileSync } from 'node:fs';
import { COMPLETION_SCRIPTS } from './completions.ts';
import { mappingReferencePage } from './mapping-reference.ts';
import { parityPage } from './parity-page.ts';
import { codesPage, withExitTable, withSettingsTable } from './reference-pages.ts';

const docs = new URL('../docs/', import.meta.url);
writeFileSync(new URL('codes.md', docs), codesPage());
writeFileSync(new URL('mapping-reference.md', docs), mappingReferencePage());
writeFileSync(new URL('parity.md', docs), parityPage());
for (const [name, withItsTable] of [
  ['exit-codes.md', withExitTable],
  ['settings.md', withSettingsTable],
] as const) {
  const page = new URL(name, docs);
  writeFileSync(page, withItsTable(readFileSync(page, 'utf8')));
}
for (const [shell, script] of Object.entries(COMPLETION_SCRIPTS))
  writeFileSync(new URL(`../completions/dataimport.${shell}`, import.meta.url), script);

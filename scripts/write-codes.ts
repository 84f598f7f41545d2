// node scripts/write-codes.ts
//
// Writes the pages of docs/ that are generated from tables of the source: codes.md, exit-codes.md, mapping-reference.md,
// parity.md, and the table of settings.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { mappingReferencePage } from './mapping-reference.ts';
import { parityPage } from './parity-page.ts';
import { codesPage, exitCodesPage, withSettingsTable } from './reference-pages.ts';

const docs = new URL('../docs/', import.meta.url);
const settings = new URL('settings.md', docs);

writeFileSync(new URL('codes.md', docs), codesPage());
writeFileSync(new URL('exit-codes.md', docs), exitCodesPage());
writeFileSync(new URL('mapping-reference.md', docs), mappingReferencePage());
writeFileSync(new URL('parity.md', docs), parityPage());
writeFileSync(settings, withSettingsTable(readFileSync(settings, 'utf8')));

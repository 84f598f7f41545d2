// node scripts/generate-fixtures.ts [outDir]
//
// Writes the CSV files and seeds of all fixtures except the quickstart, in the encodings of their systems, with the same
// bytes on every run. Mapping files, README.md and expected.yaml in these folders are written by hand or by `replay`.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeScenarios } from './fixtures/scenarios.ts';

const outDir = process.argv[2] ?? join(import.meta.dirname, '..', 'fixtures');
for (const { name, files } of makeScenarios()) {
  mkdirSync(join(outDir, name), { recursive: true });
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(outDir, name, file), bytes);
}

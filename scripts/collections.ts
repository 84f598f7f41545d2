// node scripts/pinned-node.mjs scripts/collections.ts
//
// Writes examples/collections anew: the requests of the interface for Postman and for Bruno, from the OpenAPI of the local platform.

import { rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectionFiles, openApiOfPlatform } from './collections/collection-files.ts';

const FOLDER = fileURLToPath(new URL('../examples/collections/', import.meta.url));

rmSync(FOLDER, { recursive: true, force: true });
for (const [name, text] of collectionFiles(await openApiOfPlatform())) {
  mkdirSync(dirname(join(FOLDER, name)), { recursive: true });
  writeFileSync(join(FOLDER, name), text);
}

// node read-udsv.mjs <file> [delimiter]

import { createReadStream } from 'node:fs';
import { inferSchema, initParser } from 'udsv';

const [path, col = ','] = process.argv.slice(2);
let parser;
let rows = 0;
for await (const text of createReadStream(path, { encoding: 'utf8' })) {
  parser ??= initParser(inferSchema(text, { col }));
  parser.chunk(text, parser.stringArrs, (some) => (rows += some.length));
}
parser.end();
console.log(rows);

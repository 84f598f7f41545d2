// node read-papaparse.mjs <file> [delimiter]

import { createReadStream } from 'node:fs';
import Papa from 'papaparse';

const [path, delimiter = ','] = process.argv.slice(2);
let rows = 0;
await new Promise((complete, error) =>
  Papa.parse(createReadStream(path), {
    delimiter,
    chunk: ({ data }) => (rows += data.length),
    complete,
    error,
  }),
);
console.log(rows - 1);

// node sha256sum.mjs <file>
//
// Runs the sha256sum of the system over a file.

import { spawnSync } from 'node:child_process';

const { status } = spawnSync('sha256sum', [process.argv[2]], { stdio: ['ignore', 'ignore', 'inherit'] });
process.exitCode = status ?? 1;

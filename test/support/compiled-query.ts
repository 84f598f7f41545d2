import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { COMPILED } from './compiled-code.ts';
import { projectRoot } from './source-tree.ts';

/** Compiles the process of queries once for all tests. A process whose rows were read is killed, so it keeps no compiled code. */
export default function setup(): void {
  execFileSync(process.execPath, [join(projectRoot, 'src/cli/sources/query/query-child.ts')], {
    env: COMPILED,
    input: '{}\n',
  });
}

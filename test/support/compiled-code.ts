import { join } from 'node:path';
import { projectRoot } from './source-tree.ts';

/** One place for compiled code: a command with a home of its own compiles everything anew, which doubles its time. */
export const COMPILED = { NODE_COMPILE_CACHE: join(projectRoot, 'node_modules', '.cache', 'compiled') };

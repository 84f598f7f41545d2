import { chained } from '../../support/chained-run.ts';
import { chainProblems, flip, FLIPPED } from '../../support/flipped-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

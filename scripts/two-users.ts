// node scripts/two-users.ts
//
// Plays how a stranger on the same machine tries to reach a user: by a configuration, a run folder, a lock, a key file, a link or a file
// in the place of an output, and the shared temporary folder. As root it makes two users with `useradd`, plays the user and root as the
// victim, and removes the users. Exit 0 when both are safe, and when it cannot make users; 1 otherwise.

import { execFileSync } from 'node:child_process';
import { playedSituations } from '../test/harness/two-users.ts';

const NAMES = ['dataimport-victim', 'dataimport-stranger'] as const;

const obstacle = whyNot();
if (obstacle !== undefined) console.log(`skipped: ${obstacle}`);
else await play();

function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can make users and become another one';
  try {
    execFileSync('sh', ['-c', 'command -v useradd && command -v userdel'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this machine has no useradd';
  }
}

async function play(): Promise<void> {
  try {
    for (const name of NAMES) execFileSync('useradd', ['--no-create-home', '--shell', '/bin/false', name]);
    const [victim, stranger] = NAMES.map((name) =>
      Number(execFileSync('id', ['-u', name], { encoding: 'utf8' })),
    );
    for (const [who, number] of [
      ['a user', victim!],
      ['root', 0],
    ] as const)
      for (const { name, wrong } of await playedSituations({ victim: number, stranger: stranger! })) {
        console.log(
          `${wrong === null ? 'safe' : 'WRONG'}  ${who}: ${name}${wrong === null ? '' : `: ${wrong}`}`,
        );
        if (wrong !== null) process.exitCode = 1;
      }
  } finally {
    for (const name of NAMES) execFileSync('userdel', [name], { stdio: 'ignore' });
  }
}

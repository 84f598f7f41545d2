import { execFileSync } from 'node:child_process';

/** The command that a `next` names, as the words that a shell makes of it, without the name of the program. */
export function typed(next: string | null): readonly string[] {
  const command = /(?:^|then: )dataimport (.*)$/.exec(next ?? '')?.[1];
  if (command === undefined) throw new Error(`no command in: ${next}`);
  // A shell changes nothing in these characters, and to start one takes as long as a push.
  if (/^[\w .,:/=@+-]+$/.test(command)) return command.trim().split(/ +/);
  const words = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' });
  return words.split('\0').slice(0, -1);
}

/** What is behind `next:` in a printed result; null without one. */
export function nextOf(stdout: string): string | null {
  return /^next: (.*)$/m.exec(stdout)?.[1] ?? null;
}

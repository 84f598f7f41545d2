import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { COMMAND, compiledCode } from '../support/built-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RUN = '20261121-101502-push-transactions';

/** A folder with a file and a run, and the program on the PATH. */
function site() {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.dataimport', 'journal'), { recursive: true });
  const begun = {
    key: 'k',
    stem: RUN,
    begun: '2026-11-21T10:15:02Z',
    host: '',
    cwd,
    words: [],
    user: null,
    target: null,
  };
  const command = { ...begun, pid: 1, readsInput: false, readings: [], ended: null };
  writeFileSync(join(cwd, '.dataimport', 'journal', 'commands.ndjson'), `${JSON.stringify(command)}\n`);
  writeFileSync(join(cwd, 'a file.csv'), '');
  const bin = temporaryFolder();
  symlinkSync(COMMAND, join(bin, 'dataimport'));
  symlinkSync(process.execPath, join(bin, 'node'));
  return {
    cwd,
    env: { PATH: `${bin}:${process.env['PATH']}`, HOME: cwd, ...compiledCode() },
    extendEnv: false,
  };
}

/** Whether the shell is on this machine. Every machine has bash. */
async function has(shell: string): Promise<boolean> {
  return (await execa(shell, ['-c', 'true'], { reject: false })).exitCode === 0;
}

test('bash completes what the program offers, and files', async () => {
  const script = `
    eval "$(dataimport completion bash)"
    try() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _dataimport 2>/dev/null; printf '<%s>' "\${COMPREPLY[@]}"; echo; }
    complete -p dataimport
    try dataimport expl
    try dataimport runs show ''
    try dataimport push --on-reject = sk
    try dataimport push notes a
    try dataimport push notes x.csv --on-rej`;
  const { stdout } = await execa('bash', ['--norc', '-c', script], site());
  expect(stdout.split('\n')).toEqual([
    'complete -F _dataimport dataimport',
    '<explain>',
    `<${RUN}>`,
    '<skip>',
    '<a file.csv>',
    '<--on-reject>',
  ]);
});

test.skipIf(!(await has('zsh')))('zsh completes what the program offers, and files', async () => {
  // The functions of its completion system need a terminal. These show what they get.
  const script = `
    compdef() { echo "compdef $*" }
    _describe() { print -r -- "<\${(Pj:><:)2}>" }
    _files() { echo "files" }
    compset() { echo "compset $*" }
    eval "$(dataimport completion zsh)"
    try() { words=("$@"); CURRENT=$#; _dataimport }
    try dataimport expl
    try dataimport runs show ''
    try dataimport push --on-reject=sk
    try dataimport push notes a`;
  const { stdout } = await execa('zsh', ['-f', '-c', script], site());
  expect(stdout.split('\n')).toEqual([
    'compdef _dataimport dataimport',
    '<explain:Say what a code means and what to do about it>',
    `<${RUN}:>`,
    '<--on-reject=skip:>',
    'compset -P --*=',
    'files',
  ]);
});

test.skipIf(!(await has('fish')))('fish completes what the program offers, and files', async () => {
  const script = `
    dataimport completion fish | source
    complete -C 'dataimport expl'
    complete -C 'dataimport runs show '
    complete -C 'dataimport push --on-reject=sk'
    complete -C 'dataimport push notes a'`;
  const { stdout } = await execa('fish', ['--no-config', '-c', script], site());
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    'explain\tSay what a code means and what to do about it',
    RUN,
    '--on-reject=skip',
    'a file.csv',
  ]);
});

import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { COMPLETION_SCRIPTS } from '../../scripts/completions.ts';
import { SHELLS } from '../../src/cli/commands/completion.ts';
import { COMMAND, compiledCode } from '../support/built-cli.ts';
import { runCli } from '../support/cli-io.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A folder with a file, and the program on the PATH. */
function site() {
  const cwd = temporaryFolder();
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

test.each(SHELLS)(
  'the script for %s is what the commands say; `npm run generate:codes` writes it',
  (shell) => {
    const file = join(projectRoot, 'completions', `dataimport.${shell}`);
    expect(readFileSync(file, 'utf8')).toBe(COMPLETION_SCRIPTS[shell]);
  },
);

test('an unknown shell is a usage error', async () => {
  const { exitCode, stderr } = await runCli(['completion', 'bahs']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Allowed choices are bash, zsh,');
});

test('bash completes commands, choices and flags, and leaves the rest to the names of files', async () => {
  const script = `
    eval "$(dataimport completion bash)"
    try() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _dataimport; echo "\${COMPREPLY[@]}"; }
    complete -p dataimport
    try dataimport expl
    try dataimport --json runs ''
    try dataimport push --on-reject = sk
    try dataimport push --on-reject ''
    try dataimport push no
    try dataimport push notes n
    try dataimport push notes x.csv --on-rej`;
  const { stdout } = await execa('bash', ['--norc', '-c', script], site());
  expect(stdout.split('\n')).toEqual([
    'complete -o default -F _dataimport dataimport',
    'explain',
    'show confirm forget',
    'skip',
    'stop skip',
    'notes',
    '',
    '--on-reject',
  ]);
});

test.skipIf(!(await has('zsh')))('zsh completes commands, choices and files', async () => {
  // The functions of its completion system need a terminal. These show what they get.
  const script = `
    compdef() { echo "compdef $*" }
    compadd() { echo "$*" }
    _files() { echo "files" }
    eval "$(dataimport completion zsh)"
    try() { words=("$@"); CURRENT=$#; _dataimport }
    try dataimport runs ''
    try dataimport push --on-reject sk
    try dataimport push notes a`;
  const { stdout } = await execa('zsh', ['-f', '-c', script], site());
  const offered = ['-- show confirm forget', '-- stop skip'];
  expect(stdout.split('\n')).toEqual(['compdef _dataimport dataimport', ...offered, 'files']);
});

test.skipIf(!(await has('fish')))('fish completes commands, choices and files', async () => {
  const script = `
    dataimport completion fish | source
    complete -C 'dataimport expl'
    complete -C 'dataimport push --on-reject sk'
    complete -C 'dataimport push notes a'`;
  const { stdout } = await execa('fish', ['--no-config', '-c', script], site());
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual(['explain', 'skip', 'a file.csv']);
});

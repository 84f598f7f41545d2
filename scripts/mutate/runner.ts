// How Vitest runs a test with changes: once without any, then again with one after the other.

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestRunner, type RunnerTestCase, type RunnerTestFile, type TestTryOptions } from 'vitest';
import { LOG, PLAN, TRIAL, type Entry } from './trial-log.ts';

/** What the switches of StrykerJS read and write. `perTest` counts how often a test ran a place. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

/** What one test has yet to try. `control`: the test runs without a change again, after it has noticed one. */
interface Trials {
  step: 'first' | 'change' | 'control' | 'done';
  hits: Readonly<Record<string, number>>;
  left: string[];
}

/** State of the process: all files of tests have it in common, and Vitest makes a runner for each. */
interface State {
  readonly open: Set<string>;
  readonly ran: Set<string>;
  readonly spoiled: Set<string>;
  /** Bytes of the log that were read. */
  read: number;
}

const folder = process.env['MUTATE_FOLDER']!;
const [log, trial] = [join(folder, LOG), join(folder, `${TRIAL}${process.pid}`)];
const realm = globalThis as { __stryker__?: Switches; __trials__?: State };
const switches = (realm.__stryker__ ??= {});
const state = (realm.__trials__ ??= {
  open: new Set(JSON.parse(readFileSync(join(folder, PLAN), 'utf8')) as string[]),
  ran: new Set(),
  spoiled: new Set(),
  read: 0,
});
const trials = new WeakMap<RunnerTestCase, Trials>();
/** A test may run a changed place this many times as often as the place without the change, and some more. Then a loop is endless. */
const [MOST_TIMES, SOME_MORE] = [100, 1_000];
/** A test is run again while its last error is one. */
const AGAIN = { message: 'the next change' };

const say = (entry: Entry): void => appendFileSync(log, `${JSON.stringify(entry)}\n`);

/** Learns what the other processes have noticed. */
function listen(): void {
  const bytes = readFileSync(log).subarray(state.read);
  const end = bytes.lastIndexOf('\n') + 1;
  state.read += end;
  for (const line of bytes.subarray(0, end).toString().split('\n')) {
    if (line === '') continue;
    const entry = JSON.parse(line) as Entry;
    if (entry.kind === 'noticed') state.open.delete(entry.id);
  }
}

export default class extends TestRunner {
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    if (state.spoiled.has(test.file.name)) test.mode = 'skip';
    // A test that has to fail notices nothing.
    if (test.fails || test.mode === 'skip') return;
    // The first time is the run without a change. The second is tried again and again.
    test.repeats = 1;
    trials.set(test, { step: 'first', hits: {}, left: [] });
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): void {
    const own = trials.get(test);
    if (own?.step === 'first') {
      switches.mutantCoverage ??= { static: {}, perTest: {} };
      switches.mutantCoverage.perTest = {};
      switches.currentTestId = test.id;
    } else if (own?.step === 'change') {
      const id = own.left[0]!;
      writeFileSync(trial, `${id} ${test.file.name}`);
      switches.hitCount = 0;
      switches.hitLimit = own.hits[id]! * MOST_TIMES + SOME_MORE;
      switches.activeMutant = id;
    }
    super.onBeforeTryTask(test, options);
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    switches.activeMutant = undefined;
    switches.currentTestId = undefined;
    await super.onAfterRetryTask(test, options);
    const own = trials.get(test);
    const result = test.result!;
    if (!own) return;
    const isFailed = result.state === 'fail';
    if (own.step === 'first') {
      if (isFailed) {
        const message = String(result.errors?.[0]?.message);
        say({ kind: 'fails', file: test.file.name, test: test.name, message });
      }
      own.hits = switches.mutantCoverage?.perTest[test.id] ?? {};
      listen();
      const ids = Object.keys(own.hits);
      say({ kind: 'ran', ids: ids.filter((id) => !state.ran.has(id)) });
      for (const id of ids) state.ran.add(id);
      own.left = isFailed ? [] : ids.filter((id) => state.open.has(id));
      test.retry = own.left.length * 2;
      own.step = own.left.length > 0 ? 'change' : 'done';
      return;
    }
    if (own.step === 'change') {
      const id = own.left.shift()!;
      writeFileSync(trial, '');
      if (isFailed) {
        state.open.delete(id);
        say({ kind: 'noticed', id, file: test.file.name });
      }
      own.step = isFailed ? 'control' : own.left.length > 0 ? 'change' : 'done';
    } else {
      // What the tests of the file share is not as it was, so the file has to run again, without that change.
      if (isFailed) state.spoiled.add(test.file.name);
      own.step = isFailed || own.left.length === 0 ? 'done' : 'change';
    }
    result.attempts = [];
    result.state = own.step === 'done' ? 'pass' : 'fail';
    result.errors = own.step === 'done' ? [] : [AGAIN];
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    say({ kind: 'loaded', ids: Object.keys(switches.mutantCoverage?.static ?? {}) });
    for (const { name } of files) if (!state.spoiled.has(name)) say({ kind: 'ended', file: name });
    super.onAfterRunFiles(files);
  }
}

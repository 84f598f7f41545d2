import { describe, expect, test } from 'vitest';
import { waitingLine } from '../../../../src/cli/output/progress/waiting-line.ts';
import { fakeIo } from '../../../support/cli-io.ts';

const FLAGS = { quiet: false, progress: true, color: false };

/** A wait of a minute off a terminal, on a clock that the test moves second by second. */
async function waiting(flags = FLAGS) {
  const io = fakeIo({ nowMs: 0, maxWaits: 100 });
  const line = await waitingLine(flags, io, { state: 'no answer yet', untilMs: 60_000 });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await io.timing.sleep(1_000);
      io.tick();
    }
  };
  return { line, pass, lines: () => io.printed.stderr.split('\n').slice(0, -1) };
}

describe('a wait before anything else is done', () => {
  test('is shown when its reason changes and every ten seconds, with the time that is left', async () => {
    const { line, pass, lines } = await waiting();
    await pass(3);
    line.show('no answer: reset');
    await pass(1);
    line.show('no answer: reset');
    await pass(21);
    line.show('no answer: refused');
    await pass(3);
    line.stop();
    await pass(20);
    expect(lines()).toEqual([
      'no answer: reset; waiting up to 57 s',
      'no answer: reset; waiting up to 47 s',
      'no answer: reset; waiting up to 37 s',
      'no answer: refused; waiting up to 35 s',
    ]);
  });

  test('is shown after ten seconds although nothing happens', async () => {
    const { pass, lines } = await waiting();
    await pass(25);
    expect(lines()).toEqual(['no answer yet; waiting up to 50 s', 'no answer yet; waiting up to 40 s']);
  });

  test('is not shown with --quiet', async () => {
    const { line, pass, lines } = await waiting({ ...FLAGS, quiet: true });
    line.show('no answer: reset');
    await pass(25);
    expect(lines()).toEqual([]);
  });
});

import { fakeIo, runCli, type FakeIo } from './cli-io.ts';
import type { EndSignal } from '../../src/cli/outside/io.ts';

/** A `serve` that runs in this process. */
export interface StartedServe {
  /** Its output when it was ready. */
  readonly text: string;
  /** Its address, from the output. */
  readonly url: string;
  readonly io: FakeIo;
  /** Ends it with a signal. */
  stop(signal?: EndSignal): ReturnType<typeof runCli>;
}

/** Starts `serve` on a free port and resolves when it is ready. */
export async function startedServe(argv: readonly string[], io: FakeIo = fakeIo()): Promise<StartedServe> {
  const { promise: announced, resolve: announce } = Promise.withResolvers<string>();
  const watched: FakeIo = {
    ...io,
    stdout: { ...io.stdout, write: (text) => (io.stdout.write(text), announce(text)) },
  };
  const ended = runCli(['serve', '--port', '0', ...argv], watched);
  const text = await Promise.race([announced, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  return {
    text,
    url: /http:\/\/[\w.:]+/.exec(text)![0],
    io,
    stop: (signal = 'SIGINT') => {
      io.raise(signal);
      return ended;
    },
  };
}

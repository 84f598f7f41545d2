import { readYaml } from '../../src/core/yaml/yaml-text.ts';
import { startServer, type RunningServer } from '../../src/server/start.ts';

type Options = Parameters<typeof startServer>[0];

/** The seeds that servers of this process have read, by their texts. */
const READ = new Map<string, object>();

/** Starts a server with a seed, unless it has others: from its file, and from then on as an object, because reading YAML takes as long as a start. */
export async function startWithSeed(
  seed: { readonly text: string; readonly file: () => string },
  options: Omit<Options, 'seeds'> & Partial<Pick<Options, 'seeds'>>,
): Promise<RunningServer> {
  const { text } = seed;
  const server = await startServer({ seeds: [READ.get(text) ?? seed.file()], ...options });
  if (options.seeds === undefined && !READ.has(text)) READ.set(text, seedIn(text));
  return server;
}

/** A seed as an object. */
export const seedIn = (text: string): object =>
  readYaml({ file: '', text, schema: 'core' }).yaml!.value as object;

import { AppError } from '../../core/app-error.ts';
import { readYaml } from '../../core/yaml/yaml-text.ts';
import { total } from '../../core/values/counts.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import { DEFAULT_TOKEN_MUTATION, tokenMutationDocument } from '../../core/contract/token.ts';
import { openConnections } from '../client/connections.ts';
import { sendOnce } from '../client/requests.ts';
import { movedDate } from '../recording/disguise.ts';
import { disguisedSeed } from '../recording/disguised-body.ts';
import type { Exchange } from '../recording/exchange.ts';
import { tokenAnswer, tokenIn } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import { behaviourIn } from '../../server/options/behaviour.ts';
import { OWN_KEY, startOwnPlatform } from '../replay/local-platform.ts';

/** A rule of the twin, as `GET /_local/parity` has it. */
export interface PlayedRule {
  readonly name: string;
  readonly authority: string;
  readonly says: string;
  readonly codes?: readonly string[];
  readonly endpoints?: readonly string[];
  readonly fields?: readonly string[];
}

/** An answer, as it is compared. */
export interface PlayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null for anything else. */
  readonly answer: string | null;
  /** Of a token, in seconds. */
  readonly lifetimeS?: number | null;
}

/** A seed by its name, as it is written. */
export interface WrittenSeed {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** What a twin is started with. */
export interface TwinOptions {
  readonly seeds: readonly WrittenSeed[];
  readonly contract: string | undefined;
  /** Decisions as `--behaviour` takes them. */
  readonly behaviour: readonly string[];
  readonly timeZone: string;
  readonly version: string;
}

const REFUSED = 'refused';

const ANSWER_MS = 300_000;

/** Starts a local platform that answers recorded requests at the times of the recording. @throws AppError those of `startServer` */
export async function startTwin(recording: Recording, options: TwinOptions) {
  const { contract, timeZone, version } = options;
  const platform = behaviourIn(options.behaviour);
  const { tokenTtlSeconds = 3_600 } = platform;
  const seeds = seedsFor(recording, options);
  const { isDisguised } = recording;
  let nowMs = clockOfInstant(timeOf(recording.exchanges[0]?.at ?? EPOCH, isDisguised));
  const server = await startOwnPlatform({
    ...platform,
    timeZone,
    version,
    seeds,
    ...(contract !== undefined && { contract }),
    nowMs: () => nowMs,
  });
  let token = '';
  // `fetch` takes four times the time of a request, and there are as many as the recording has, for each flag.
  const { dispatcher } = openConnections({ connections: 1 });

  const send = async (
    { method, path, body }: Pick<Exchange, 'method' | 'path' | 'body'>,
    authorization: string | null,
  ): Promise<PlayedAnswer> => {
    const headers = {
      accept: 'application/json',
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(authorization !== null && { authorization: `Token ${authorization}` }),
    };
    const request = { origin: server.url, method, path, headers, body, timeoutMs: ANSWER_MS };
    const answer = await sendOnce(dispatcher, request);
    if (answer.kind !== 'answer')
      throw new AppError('bug', { reason: `the local platform did not answer: ${answer.reason}` });
    const isJson = plainJson(answer.body) !== undefined;
    return { status: answer.status, headers: answer.headers, answer: isJson ? answer.body : null };
  };
  const askForToken = async (
    key: string,
    path: string,
    { mutation, input_field: field }: NonNullable<Exchange['token']>,
  ): Promise<PlayedAnswer> => {
    const query = tokenMutationDocument(mutation);
    const body = JSON.stringify({ query, variables: { input: { [field]: key } } });
    const answered = await send({ method: 'POST', path, body }, null);
    const json = plainJson(answered.answer ?? '');
    const found = tokenIn(json);
    if (key === OWN_KEY) token = found ?? token;
    const lifetimeS = found === undefined ? null : tokenTtlSeconds;
    return { ...answered, answer: tokenAnswer(json), lifetimeS };
  };
  const ownToken = async (): Promise<string> => {
    const { mutation, inputField, path } = DEFAULT_TOKEN_MUTATION;
    const own = { mutation, input_field: inputField };
    await askForToken(OWN_KEY, platform.behaviour.tokenPath ?? path, own);
    return token;
  };

  return {
    async rules(): Promise<readonly PlayedRule[]> {
      const { answer } = await send({ method: 'GET', path: '/_local/parity', body: null }, null);
      return (JSON.parse(answer!) as { rules: readonly PlayedRule[] }).rules;
    },
    async play(exchange: Exchange): Promise<PlayedAnswer> {
      const { at, path, token: asked } = exchange;
      nowMs = clockOfInstant(timeOf(at, isDisguised));
      if (asked) return askForToken(isRefusedKey(exchange) ? REFUSED : server.apiKey, path, asked);
      // A token that the recorded platform refused is not known.
      if (exchange.status === 401) return send(exchange, REFUSED);
      const answered = await send(exchange, token);
      return answered.status === 401 ? send(exchange, await ownToken()) : answered;
    },
    /** How many values it has taken in a form that the interface does not show. */
    tolerated: () => total(Object.values(server.tolerated()), (count) => count),
    /** @throws AppError `bug` when the platform itself has failed */
    async close(): Promise<void> {
      await dispatcher.close();
      await server.close();
    },
  };
}

const EPOCH = '2000-01-01T00:00:00.000Z';

/** The time at which a request is played: a disguise moves dates, and what is in the future stays there. */
function timeOf(at: string, isDisguised: boolean): string {
  return isDisguised ? movedDate(at)! : at;
}

function isRefusedKey({ answer }: Exchange): boolean {
  return answer !== null && tokenIn(plainJson(answer)) === undefined;
}

/** The seeds with the names that the recording has: paths, whose problems have lines, or content in its disguise. @throws AppError `seed_invalid` */
const seedsFor = ({ disguise }: Recording, { seeds }: TwinOptions): readonly (string | object)[] =>
  seeds.map(({ name, path, text }) =>
    disguise ? (disguisedSeed(seedIn(name, text), disguise) as object) : path,
  );

function seedIn(name: string, text: string): unknown {
  if (/\.(jsonl|ndjson)$/i.test(name))
    return { version: 1, accounts: text.split('\n').flatMap((line) => plainJson(line) ?? []) };
  const { yaml, problems } = readYaml({ file: name, text, schema: 'core' });
  if (!yaml) throw new AppError('seed_invalid', { ...problems[0], file: name });
  return yaml.value;
}

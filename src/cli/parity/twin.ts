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
import { headersThatMatter, tokenAnswer, tokenIn } from '../recording/recorder.ts';
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
export async function startTwin({ exchanges, disguise, isDisguised }: Recording, options: TwinOptions) {
  const { contract, behaviour, timeZone, version, seeds } = options;
  const { tokenTtlSeconds, tokenPath } = behaviourIn(behaviour);
  // A disguise moves dates, and what is in the future stays there.
  const clockAt = (at: string): number => clockOfInstant(isDisguised ? movedDate(at)! : at);
  let nowMs = clockAt(exchanges[0]?.at ?? EPOCH);
  const server = await startOwnPlatform({
    behaviour,
    timeZone,
    version,
    // Problems of a path have lines.
    seeds: seeds.map((seed) => (disguise ? (disguisedSeed(seedIn(seed), disguise) as object) : seed.path)),
    ...(contract !== undefined && { contract }),
    nowMs: () => nowMs,
  });
  // `fetch` takes four times the time of a request, and there are as many as the recording has.
  const { dispatcher } = openConnections({ connections: 1 });

  const send = async (
    { method, path, body }: Pick<Exchange, 'method' | 'path' | 'body'>,
    authorization: string | null,
  ) => {
    const headers = {
      accept: 'application/json',
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(authorization !== null && { authorization: `Token ${authorization}` }),
    };
    const request = { origin: server.url, method, path, headers, body, timeoutMs: ANSWER_MS };
    const answer = await sendOnce(dispatcher, request);
    if (answer.kind === 'answer') return { ...answer, headers: headersThatMatter(answer.headers) };
    throw new AppError('bug', { reason: `the local platform did not answer: ${answer.reason}` });
  };
  const ask = async (key: string, path: string, mutation: string, field: string) => {
    const query = tokenMutationDocument(mutation);
    const body = JSON.stringify({ query, variables: { input: { [field]: key } } });
    const answer = await send({ method: 'POST', path, body }, null);
    const json = plainJson(answer.body);
    return { ...answer, json, token: tokenIn(json) };
  };
  const { mutation, inputField } = DEFAULT_TOKEN_MUTATION;
  const ownToken = async (): Promise<string> => (await ask(OWN_KEY, tokenPath, mutation, inputField)).token!;
  let token = await ownToken();

  return {
    async rules(): Promise<readonly PlayedRule[]> {
      const { body } = await send({ method: 'GET', path: '/_local/parity', body: null }, null);
      return (JSON.parse(body) as { rules: readonly PlayedRule[] }).rules;
    },
    /** The exchange as the twin answers it. */
    async play(exchange: Exchange): Promise<Exchange> {
      nowMs = clockAt(exchange.at);
      if (exchange.token) {
        const isRefused = exchange.answer !== null && tokenIn(plainJson(exchange.answer)) === undefined;
        const { mutation: name, input_field: field } = exchange.token;
        const answered = await ask(isRefused ? REFUSED : server.apiKey, exchange.path, name, field);
        const lifetime = answered.token === undefined ? null : tokenTtlSeconds;
        const { status, headers, json } = answered;
        return { ...exchange, status, headers, answer: tokenAnswer(json), lifetime_s: lifetime };
      }
      // A token that the recorded platform refused is not known.
      const isRefused = exchange.status === 401;
      let answer = await send(exchange, isRefused ? REFUSED : token);
      if (answer.status === 401 && !isRefused) answer = await send(exchange, (token = await ownToken()));
      const { status, headers, body } = answer;
      return { ...exchange, status, headers, answer: plainJson(body) === undefined ? null : body };
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

/** The content of a seed. @throws AppError `seed_invalid` */
function seedIn({ name, text }: WrittenSeed): unknown {
  if (/\.(jsonl|ndjson)$/i.test(name))
    return { version: 1, accounts: text.split('\n').flatMap((line) => plainJson(line) ?? []) };
  const { yaml, problems } = readYaml({ file: name, text, schema: 'core' });
  if (!yaml) throw new AppError('seed_invalid', { ...problems[0], file: name });
  return yaml.value;
}

import { AppError } from '../../core/app-error.ts';
import { readYaml } from '../../core/yaml/yaml-text.ts';
import { total } from '../../core/values/counts.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { Behaviour } from '../../server/options/behaviour.ts';
import { DEFAULT_TOKEN_MUTATION, tokenMutationDocument } from '../../core/contract/token.ts';
import { disguisedSeed, disguisedText } from '../recording/disguised-body.ts';
import { endpointOfExchange, type Exchange } from '../recording/exchange.ts';
import { tokenIn, withoutTexts } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';

/** A rule of the twin, as `admin rules` prints it. */
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

/** How the twin is started. */
export interface TwinOptions {
  /** Seeds by their names, as they are written. */
  readonly seeds: readonly { readonly name: string; readonly path: string; readonly text: string }[];
  /** Path of a contract. */
  readonly contract: string | undefined;
  /** The words of the contract. */
  readonly kept: ReadonlySet<string>;
  readonly behaviour: Partial<Behaviour>;
  readonly limits: { readonly bodyLimitBytes?: number; readonly maxItems?: number };
  readonly tokenTtlSeconds: number;
  readonly timeZone: string;
  readonly version: string;
}

/** A local platform that answers recorded requests at the times of the recording. */
export interface Twin {
  readonly rules: readonly PlayedRule[];
  play(exchange: Exchange): Promise<PlayedAnswer>;
  /** How many values it has taken in a form that the interface does not show. */
  tolerated(): number;
  /** @throws AppError `bug` when the platform itself has failed */
  close(): Promise<void>;
}

/** A key for all suppliers; no seed has it. */
const KEY = 'parity-of-a-recording';
const REFUSED = 'refused';

/** @throws AppError those of `startServer` */
export async function startTwin(recording: Recording, options: TwinOptions): Promise<Twin> {
  const { startServer } = await import('../../server/start.ts');
  const { seeds, contract, behaviour, limits, kept, ...others } = options;
  const { salt, isDisguised } = recording;
  const disguise = salt === undefined ? undefined : { salt, kept };
  const errors: unknown[] = [];
  let nowMs = clockOfInstant(timeOf(recording.exchanges[0]?.at ?? EPOCH, isDisguised));
  const server = await startServer({
    ...others,
    ...limits,
    database: ':memory:',
    seeds: seeds.map(({ name, path, text }) => (disguise ? seedObject(name, text, disguise) : path)),
    ...(contract !== undefined && { contract }),
    apiKey: KEY,
    behaviour,
    nowMs: () => nowMs,
    onUnexpectedError: (error) => void errors.push(error),
  });
  const ofSeed = server.apiKeys.find(({ key }) => key !== KEY)?.key ?? KEY;
  let token: string | undefined;

  const send = async (
    { method, path, body }: Pick<Exchange, 'method' | 'path' | 'body'>,
    authorization: string | null,
  ): Promise<{ answered: PlayedAnswer; text: string }> => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(authorization !== null && { authorization: `Token ${authorization}` }),
      },
      ...(body !== null && { body }),
    });
    const text = await response.text();
    const isJson = plainJson(text) !== undefined;
    const answered = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      answer: isJson ? text : null,
    };
    return { answered, text };
  };
  const askForToken = async (
    key: string,
    { path, token: asked }: Pick<Exchange, 'path' | 'token'>,
  ): Promise<PlayedAnswer> => {
    const { mutation, input_field: field } = asked!;
    const body = JSON.stringify({
      query: tokenMutationDocument(mutation),
      variables: { input: { [field]: key } },
    });
    const { answered, text } = await send({ method: 'POST', path, body }, null);
    const json = plainJson(text);
    token = key === KEY ? (tokenIn(json) ?? token) : token;
    const answer = json === undefined ? null : JSON.stringify(withoutTexts(json));
    return { ...answered, answer, lifetimeS: tokenIn(json) === undefined ? null : options.tokenTtlSeconds };
  };
  const ownToken = async (): Promise<string> => {
    const { path, mutation, inputField } = DEFAULT_TOKEN_MUTATION;
    const own = { mutation, input_field: inputField };
    await askForToken(KEY, { path: behaviour.tokenPath ?? path, token: own });
    return token!;
  };

  return {
    rules: ((await (await fetch(`${server.url}/_local/parity`)).json()) as { rules: readonly PlayedRule[] })
      .rules,
    async play(exchange) {
      nowMs = clockOfInstant(timeOf(exchange.at, isDisguised));
      if (endpointOfExchange(exchange) === 'token')
        return askForToken(isRefusedKey(exchange) ? REFUSED : ofSeed, exchange);
      // A token that the recorded platform refused is not known.
      if (exchange.status === 401) return (await send(exchange, REFUSED)).answered;
      const { answered } = await send(exchange, token ?? (await ownToken()));
      return answered.status === 401 ? (await send(exchange, await ownToken())).answered : answered;
    },
    tolerated: () => total(Object.values(server.tolerated()), (count) => count),
    async close() {
      await server.close();
      if (errors.length === 0) return;
      throw new AppError('bug', { reason: `the local platform failed: ${String(errors[0])}` }, errors[0]);
    },
  };
}

const EPOCH = '2000-01-01T00:00:00.000Z';

/** The time at which a request is played: a disguise moves dates, and what is in the future stays there. */
function timeOf(at: string, isDisguised: boolean): string {
  return isDisguised ? disguisedText(at, { salt: '', kept: new Set() }) : at;
}

function isRefusedKey({ answer }: Exchange): boolean {
  return answer !== null && tokenIn(plainJson(answer)) === undefined;
}

/** A seed as an object, in the disguise of the recording. @throws AppError `seed_invalid` */
function seedObject(name: string, text: string, disguise: Parameters<typeof disguisedSeed>[1]): object {
  if (/\.(jsonl|ndjson)$/.test(name)) {
    const accounts = text.split('\n').flatMap((line) => plainJson(line) ?? []);
    return disguisedSeed({ version: 1, accounts }, disguise) as object;
  }
  const { yaml, problems } = readYaml({ file: name, text, schema: 'core' });
  if (!yaml) throw new AppError('seed_invalid', { ...problems[0], file: name });
  return disguisedSeed(yaml.value, disguise) as object;
}

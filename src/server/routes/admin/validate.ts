import { parse } from 'node:querystring';
import type { Resource } from '../../../core/contract/resources.ts';
import { plainJson } from '../../../core/values/plain-json.ts';
import { adviceForClients } from '../../../core/error-codes/sentence.ts';
import { isErrorCode } from '../../../core/error-codes/table.ts';
import { Refusal, textOf, type Answer } from '../../http/answer.ts';
import { loggedProblems } from '../../http/logged-problem.ts';
import type { SentTo } from '../../http/unlisted-advice.ts';
import type { Call, Route } from '../route.ts';
import { bodyAs } from './admin-input.ts';
import { exampleRequest, validation } from './admin-schemas.ts';
import { explained, factsOf } from './explained-problem.ts';
import { passingValue, type Judged } from './passing-value.ts';
import { adminRoute } from './admin-route.ts';

type RecordRoutes = Readonly<Record<Resource, Route>>;

/** A request as it would be sent. */
type Request = { readonly resource: Resource; readonly query?: string | undefined; readonly body: string };

/** Judges requests as the platform would, and stores nothing. Token, faults and latency are left out. */
export function validateRoutes(routes: RecordRoutes): readonly Route[] {
  return [
    adminRoute('POST /_local/validate', (call) => {
      const request = bodyAs(validation, call);
      const answer = answerTo(request, routes, call);
      const judged = judgedIn(answer, request.body, sentTo(request, call));
      return { ...shown(judged, request, call), body: textOf(answer) };
    }),
    adminRoute('POST /_local/validate/example', (call) => {
      const request = bodyAs(exampleRequest, call);
      const judge = (body: string) =>
        judgedIn(answerTo({ ...request, body }, routes, call), body, sentTo(request, call));
      const found = passingValue(request, judge, call.server.platform);
      const { example, left_out } = found;
      const told = (passing: typeof example) =>
        passing && { ...passing, result: shown(passing.result, request, call) };
      return { example: told(example), left_out: told(left_out) };
    }),
  ];
}

function sentTo({ resource, query = '' }: Omit<Request, 'body'>, { server }: Call): SentTo {
  return { descriptor: server.platform.descriptors[resource], query: parse(query) };
}

/** @param sent the body that the answer is to */
function judgedIn({ status, body, problems, facts }: Answer, sent: string, sentTo: SentTo): Judged {
  if (problems) {
    const reader = { isOurs: false, text: () => sent, sentTo };
    return { status, problems: loggedProblems(problems, reader) };
  }
  if (status < 400) return { status, problems: [] };
  // The answer refuses the request as a whole.
  const { code, detail } = body as { code: string; detail: string };
  const next = isErrorCode(code)
    ? { next: adviceForClients(code, { ...factsOf(plainJson(sent)), ...facts }) }
    : {};
  return { status, problems: [{ code, attr: '', detail, ...next }] };
}

function shown({ status, problems }: Judged, { resource, body }: Request, { server }: Call) {
  const request = { endpoint: resource, body };
  return { status, problems: explained(problems, request, server.platform) };
}

/** Undoes everything that the request wrote, also when it was accepted. */
function answerTo({ resource, query = '', body }: Request, routes: RecordRoutes, call: Call): Answer {
  const route = routes[resource];
  const { server } = call;
  const sent: Call = { ...call, segments: {}, query: parse(query), body: Buffer.from(body), about: () => {} };
  try {
    return server.platform.store.write(() => {
      if (route.access !== 'token') throw new Error('a request for records needs a token');
      throw new Refusal(route.answer({ ...sent, caller: { keyId: '', suppliers: null } }));
    });
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

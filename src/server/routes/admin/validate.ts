import { parse } from 'node:querystring';
import type { Resource } from '../../../core/contract/resources.ts';
import { Refusal, textOf, type Answer } from '../../http/answer.ts';
import { loggedProblems } from '../../http/logged-problem.ts';
import type { Call, Route } from '../route.ts';
import { bodyAs } from './admin-input.ts';
import { exampleRequest, validation } from './admin-schemas.ts';
import { explained } from './explained-problem.ts';
import { passingValue } from './passing-value.ts';

type RecordRoutes = Readonly<Record<Resource, Route>>;

/** A request as it would be sent. */
interface Request {
  readonly resource: Resource;
  readonly query?: string | undefined;
  readonly body: string;
}

/** Judges requests as the platform would, and stores nothing. Token, faults and latency are left out. */
export function validateRoutes(routes: RecordRoutes): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/_local/validate',
      access: 'loopback',
      answer: (call: Call) => {
        const { platform } = call.tenant;
        const answer = judged(bodyAs(validation, call), routes, call);
        const problems = loggedProblems(answer.problems ?? []);
        return {
          status: 200,
          body: {
            status: answer.status,
            body: textOf(answer),
            problems: problems.map((problem) => explained(problem, platform)),
          },
        };
      },
    },
    {
      method: 'POST',
      path: '/_local/validate/example',
      access: 'loopback',
      answer: (call: Call) => {
        const { attr, ...request } = bodyAs(exampleRequest, call);
        const isAccepted = (body: string) => {
          const answer = judged({ ...request, body }, routes, call);
          return answer.status < 400 || (answer.status === 400 && !names(attr, answer));
        };
        return {
          status: 200,
          body: { example: passingValue(request.body, attr, isAccepted, call.tenant.platform) },
        };
      },
    },
  ];
}

/** Whether a problem of the answer is at the value or inside it. An answer without problems refuses the request as a whole. */
function names(attr: string, { problems }: Answer): boolean {
  if (!problems) return true;
  return loggedProblems(problems).some(
    (problem) => problem.attr === attr || problem.attr.startsWith(`${attr}.`),
  );
}

/** Undoes everything that the request wrote, also when it was accepted. */
function judged({ resource, query = '', body }: Request, routes: RecordRoutes, call: Call): Answer {
  const route = routes[resource];
  const { tenant } = call;
  const sent: Call = { ...call, segments: {}, query: parse(query), body: Buffer.from(body), about: () => {} };
  try {
    return tenant.platform.store.write(() => {
      if (route.access !== 'token') throw new Error('a request for records needs a token');
      throw new Refusal(route.answer({ ...sent, caller: { keyId: '', suppliers: null } }));
    });
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

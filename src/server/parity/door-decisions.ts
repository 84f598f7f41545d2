import type { Decision } from './decision.ts';
import { FRAMEWORK, SILENT, TOKENS } from './sources.ts';

/** What a request meets before its body is read. */
export const DOOR_DECISIONS: readonly Decision[] = [
  {
    name: 'host-is-ours',
    authority: 'chosen',
    source: 'emulator.md, "Start, stop, safety"',
    says: 'A Host header that does not name this server is answered with 421 before anything else.',
    tested:
      'server/pipeline/guards › silent: a foreign Host learns nothing: it is a 421 before path, token and method',
    built: 'server/pipeline/guards.ts',
  },
  {
    name: 'pages-of-other-sites',
    authority: 'chosen',
    source: 'emulator.md, "Start, stop, safety"',
    says: 'A request that a page of another site makes a browser send is a 403; no answer has CORS headers.',
    tested: 'server/pipeline/guards › silent: what a page of another site sends is a 403',
    built: 'server/http/foreign-page.ts',
  },
  {
    name: 'trailing-slash',
    authority: 'chosen',
    source: SILENT,
    says: 'A path without its trailing slash is a 404, never a redirect; so is every other unknown path.',
    tested: 'server/pipeline/guards › silent: $path without its trailing slash is a 404 and no redirect',
    codes: ['not_found'],
    built: 'server/pipeline/guards.ts',
  },
  {
    name: 'order-of-checks',
    authority: 'observed',
    source: FRAMEWORK,
    says: 'Token, method, media type, JSON, the fields around the records, supplier, permission, account, the fields of a record, the rules between them: a request is told of the first that fails. Permission comes so late because the body names the supplier.',
    tested:
      'server/routes/suppliers › silent: what is wrong is told in the order in which the platform looks',
    built: 'server/routes/record-route.ts',
  },
  {
    name: 'token-in-header',
    authority: 'documented',
    source: 'interface.md 5, 1 to 3',
    says: 'Every endpoint asks for `Authorization: Token <ACCESS_TOKEN>`.',
    tested: 'server/auth/authentication › 5: %s answers 401 without a token',
    built: 'server/auth/authentication.ts',
  },
  {
    name: 'token-refused',
    authority: 'observed',
    source: FRAMEWORK,
    says: 'Without the scheme a request is not_authenticated, with a token that is unknown, expired or in parts authentication_failed; both are 401 with `WWW-Authenticate: Token`. The scheme may be in any case. An API key is no token, although some deployments take it for one.',
    tested: 'server/auth/authentication › silent: `$header` is answered with $status',
    codes: ['not_authenticated', 'authentication_failed'],
    built: 'server/auth/authentication.ts',
  },
  {
    name: 'token-before-body',
    authority: 'observed',
    source: FRAMEWORK,
    says: 'The token is judged before method, media type and body, and before a byte of the body is read.',
    tested:
      'server/auth/authentication › silent: an anonymous request is a 401 before its method, media type and body are looked at',
    built: 'server/pipeline/guards.ts',
  },
  {
    name: 'token-mutation',
    authority: 'documented',
    source: 'interface.md 5, 2',
    says: 'A token is given for an API key by a GraphQL mutation.',
    tested:
      'server/auth/token-mutation › 5: an API key is exchanged for a token, a refresh token and their times',
    built: 'server/routes/token.ts',
  },
  {
    name: 'token-mutation-form',
    authority: 'observed',
    source: TOKENS,
    says: 'The mutation is obtain<Word>Token at /v1/graphql/ and takes exactly one of APIKey, organizationSecretKey and refreshToken; errors are answered with 200.',
    tested: 'server/auth/token-mutation › silent: $what is an error in a 200',
    codes: ['authentication_failed', 'mutually_exclusive_field_required', 'parse_error', 'unexpected_field'],
    built: 'server/routes/token.ts',
  },
  {
    name: 'token-life',
    authority: 'chosen',
    source: SILENT,
    says: 'A token lives 60 minutes (--token-ttl), a refresh token seven days (refreshExpiresIn is the second since 1970 at which it ends); a restart forgets both, never keys.',
    tested:
      'server/auth/authentication › silent: a token lives as long as its `exp` says, 60 minutes by default',
    built: 'server/auth/tokens.ts',
  },
  {
    name: 'method-not-allowed',
    authority: 'observed',
    source: FRAMEWORK,
    says: 'Another method of a known path is a 405 that names those it has.',
    tested: 'server/pipeline/guards › silent: %s on a path that takes POST is a 405 that allows POST',
    codes: ['method_not_allowed'],
    built: 'server/pipeline/guards.ts',
  },
];

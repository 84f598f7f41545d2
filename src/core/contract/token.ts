/**
 * How a token is obtained. The address and the arguments are settings, because interface.md 5 leaves them open.
 * Defaults: deployments.md, "Getting a token".
 */
export interface TokenMutation {
  /** Path of the GraphQL endpoint, relative to the base URL. */
  readonly path: string;
  /** Name of the mutation field. */
  readonly mutation: string;
  /** Field of the input object that carries the API key. */
  readonly inputField: string;
}

export const DEFAULT_TOKEN_MUTATION: TokenMutation = {
  path: '/v1/graphql/',
  mutation: 'obtainPlatformToken',
  inputField: 'APIKey',
};

/** The GraphQL document of a token mutation. */
export function tokenMutationDocument(mutation: string): string {
  return `mutation ($input: ObtainJSONWebTokenInput!) { ${mutation}(input: $input) { token refreshToken refreshExpiresIn payload } }`;
}

/** The scheme word of the Authorization header (interface.md 5, rule 3). Deployments may have another one, or none. */
export const TOKEN_SCHEME = 'Token';

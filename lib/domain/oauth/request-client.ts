import type { TokenRequest } from './token-request.ts';

/** The client that a token request names, in its header or its form; the header wins, and the peer's CLI sends both. */
export function namedClient(request: TokenRequest): string | undefined {
  return (request.basic?.clientId ?? request.form.get('client_id') ?? undefined)?.toLowerCase() || undefined;
}

/** The secret that came with it, in each spelling that it may have been meant in. Empty when there was none. */
export function givenSecrets(request: TokenRequest): string[] {
  if (request.basic) return request.basic.secrets;
  const secret = request.form.get('client_secret');
  return secret ? [secret] : [];
}

/** Whether it brought anything that proves who the client is, right or wrong. */
export function showsSecret(request: TokenRequest): boolean {
  return request.basic !== undefined || givenSecrets(request).length > 0;
}

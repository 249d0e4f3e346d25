import { decodeJwt } from 'jose';
import type { TokenRequest } from './token-request.ts';

/**
 * The client that a request names: in its assertion, its header or its form, in this order (contract §1.2), since the peer's CLI sends the
 * assertion alone, and header and form together.
 */
export function namedClient(request: TokenRequest): string | undefined {
  const named = subjectOf(givenAssertion(request)) ?? request.basic?.clientId ?? request.form.get('client_id');
  return named?.toLowerCase() || undefined;
}

/** The secret that came with it, in each spelling that it may have been meant in. Empty when there was none. */
export function givenSecrets(request: TokenRequest): string[] {
  if (request.basic) return request.basic.secrets;
  const secret = request.form.get('client_secret');
  return secret ? [secret] : [];
}

/** RFC 7523 §2.2. */
export function givenAssertion({ form }: TokenRequest): string | undefined {
  return form.get('client_assertion') ?? (form.has('client_assertion_type') ? '' : undefined);
}

/** Whether it brought anything that is to prove who the client is, right or wrong. */
export function bringsProof(request: TokenRequest): boolean {
  return givenSecrets(request).length > 0 || givenAssertion(request) !== undefined;
}

/** Of an assertion that nobody has looked at yet: which client's keys to look at it with. */
function subjectOf(assertion: string | undefined): string | undefined {
  if (!assertion) return undefined;
  try {
    const { sub } = decodeJwt(assertion);
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
}

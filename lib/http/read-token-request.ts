import { AppError } from '#lib/base/errors.ts';
import type { TokenRequest } from '#lib/domain/tokens/issue-token.ts';
import { readForm } from './read-body.ts';

/** RFC 6749 §2.3.1: the client's id and secret are form-encoded inside the Basic header. */
export async function readTokenRequest(request: Request): Promise<TokenRequest> {
  const form = await readForm(request);
  const header = request.headers.get('authorization');
  if (header === null) return { form, basic: undefined };
  const [, value] = /^basic +(\S+)$/i.exec(header) ?? [];
  const [, clientId, secret] = /^([^:]*):(.*)$/s.exec(value ? Buffer.from(value, 'base64').toString('utf8') : '') ?? [];
  if (clientId === undefined || secret === undefined)
    throw new AppError('invalid', 'Invalid authorization header', { oauth: 'invalid_request' });
  return { form, basic: { clientId: decode(clientId), secret: decode(secret) } };
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}

import { AppError } from '#lib/base/errors.ts';
import type { TokenRequest } from '#lib/domain/oauth/token-request.ts';
import { readForm } from '../door/read-body.ts';

/** A token request as RFC 6749 §3.2 reads it: a parameter without a value is none, and one that stands twice is a mistake. */
export async function readTokenRequest(request: Request): Promise<TokenRequest> {
  const form = await readForm(request);
  for (const name of new Set(form.keys())) {
    if (form.getAll(name).length > 1) throw invalid(`${name.slice(0, 80)} stands twice`);
    if (form.get(name) === '') form.delete(name);
  }
  const header = request.headers.get('authorization');
  return { form, basic: header === null ? undefined : readBasic(header) };
}

function readBasic(header: string): TokenRequest['basic'] {
  const [, value] = /^basic +(\S+)$/i.exec(header) ?? [];
  const [, clientId, secret] = /^([^:]*):(.*)$/s.exec(value ? Buffer.from(value, 'base64').toString('utf8') : '') ?? [];
  if (clientId === undefined || secret === undefined) throw invalid('Invalid authorization header');
  return { clientId: decode(clientId), secrets: [...new Set([secret, decode(secret)])].filter((text) => text !== '') };
}

/** RFC 6749 §2.3.1 wants both form-encoded inside the header; curl and the peer's clients send them as they are. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}

function invalid(text: string): AppError {
  return new AppError('invalid', text, { oauth: 'invalid_request' });
}

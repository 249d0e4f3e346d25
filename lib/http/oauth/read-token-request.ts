import { AppError } from '#lib/base/errors.ts';
import type { TokenRequest } from '#lib/domain/oauth/token-request.ts';
import { readForm } from '../door/read-body.ts';

/** Several times as many as any grant has. */
const MOST_PARAMETERS = 50;

/** A token request as RFC 6749 §3.2 reads it: a parameter without a value is none, and one that stands twice is a mistake. */
export async function readTokenRequest(request: Request): Promise<TokenRequest> {
  const header = request.headers.get('authorization');
  return { form: await readParameters(request), basic: header === null ? undefined : readBasic(header) };
}

/** The same where a token, too, says who asks: introspection and revocation. */
export async function readTokenQuestion(request: Request): Promise<TokenRequest> {
  const [, bearer] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (bearer === undefined) return readTokenRequest(request);
  return { form: await readParameters(request), basic: undefined, bearer };
}

async function readParameters(request: Request): Promise<URLSearchParams> {
  const given = await readForm(request);
  const form = new URLSearchParams();
  const seen = new Set<string>();
  for (const [name, value] of given) {
    if (seen.has(name)) throw invalid(`${name.slice(0, 80)} stands twice`);
    if (seen.add(name).size > MOST_PARAMETERS)
      throw invalid(`A token request has at most ${MOST_PARAMETERS} parameters`);
    if (value !== '') form.append(name, value);
  }
  return form;
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

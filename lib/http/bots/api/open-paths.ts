import { AppError } from '#lib/base/errors.ts';
import type { Actor } from '#lib/domain/access/context.ts';

/** What of our API the client of a bot is for: records, its own project as far as it is an administrator of it, who it is, and mail. */
const OPEN = /^\/(?:fhir\/R4(?:\/|$)|(?:oauth2\/userinfo|auth\/me|email\/v1\/send)$)/;
const ADMIN = /^\/admin\/projects\/([^/]+)(?:\/|$)/;

/** `path`: normalized, percent-encoded. Throws 403: its place is another, and what is there is not said. */
export function requireOpenPath({ projectId, admin }: Actor, path: string): void {
  if (OPEN.test(path) || (admin && ADMIN.exec(path)?.[1] === projectId)) return;
  throw new AppError('forbidden', 'A bot cannot ask for this address');
}

/** What was asked for, without what it was about: ids stay in the audit log. */
export function targetOf(method: string, path: string): string {
  const [root, ...parts] = path.split('/').slice(1);
  const [, type = ''] = parts;
  const operation = parts.find((part) => part.startsWith('$') || part.startsWith('_'));
  const named = root === 'fhir' ? [type, operation] : [root, ...parts.slice(root === 'admin' ? 2 : 0)];
  const words = named.filter((part) => part !== undefined && part !== '' && /^[$\w-]{1,64}$/.test(part));
  return [method, words.join('/')].join(' ').trim();
}

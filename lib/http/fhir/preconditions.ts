import { AppError } from '#lib/base/errors.ts';
import type { Preconditions, Versions } from '#lib/domain/rest/preconditions.ts';
import type { Row } from '#lib/domain/store/row.ts';

/** If-Match and If-None-Match of a write. Throws 400 for what is no list of entity tags. */
export function readPreconditions(request: Request): Preconditions {
  return { ifMatch: readVersions(request, 'if-match'), ifNoneMatch: readVersions(request, 'if-none-match') };
}

/**
 * A change of records is repeated safely by If-None-Exist or If-Match: their answers would be kept as long as the key. Throws 400 for who sends
 * a key, and counts on it.
 */
export function refuseKey(request: Request): void {
  if (request.headers.get('idempotency-key') === null) return;
  const text = 'Idempotency-Key is not for records: say If-None-Exist with a new one, or If-Match with a change';
  throw new AppError('invalid', text, { expression: 'http.Idempotency-Key' });
}

/** Whether the caller's copy is still good (R4 http §3.1.0.1.5.2). If-None-Match wins over If-Modified-Since. */
export function isUnmodified(request: Request, { version, lastUpdated }: Row): boolean {
  const versions = readVersions(request, 'if-none-match');
  if (versions) return versions === '*' || versions.includes(String(version));
  const since = Date.parse(request.headers.get('if-modified-since') ?? '');
  // The header has whole seconds.
  return Math.floor(lastUpdated.getTime() / 1000) * 1000 <= since;
}

/** `W/"3"`, `"3"`, a list of these, or `*`: weak and strong count the same here. */
function readVersions(request: Request, name: 'if-match' | 'if-none-match'): Versions | undefined {
  const header = request.headers.get(name)?.trim();
  if (header === undefined) return undefined;
  if (header === '*') return '*';
  return header.split(',').map((part) => {
    const [, version] = /^(?:W\/)?"([^"]*)"$/.exec(part.trim()) ?? [];
    if (version === undefined)
      throw new AppError('invalid', `${name} must hold entity tags like W/"3"`, { expression: name });
    return version;
  });
}

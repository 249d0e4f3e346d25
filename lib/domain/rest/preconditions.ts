import { AppError } from '#lib/base/errors.ts';
import type { Row } from '../store/row.ts';

/** Version ids, or `*` for whatever version there is (RFC 9110 §13.1). */
export type Versions = string[] | '*';
export type Preconditions = { ifMatch?: Versions; ifNoneMatch?: Versions };

/** Throws 412 when the stored row is not what the caller expects. A deleted resource has no current version. */
export function requirePreconditions({ ifMatch, ifNoneMatch }: Preconditions, current: Row): void {
  if (ifMatch && !matches(ifMatch, current)) {
    throw new AppError('precondition-failed', `If-Match does not fit: the current version is ${versionOf(current)}`);
  }
  if (ifNoneMatch && matches(ifNoneMatch, current)) {
    throw new AppError('precondition-failed', `If-None-Match does not fit: version ${current.version} is there`);
  }
}

function matches(versions: Versions, current: Row): boolean {
  if (current.deleted) return false;
  return versions === '*' || versions.includes(String(current.version));
}

function versionOf(row: Row): string {
  return row.deleted ? 'none, it is deleted' : `W/"${row.version}"`;
}

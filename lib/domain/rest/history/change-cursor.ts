import { AppError } from '#lib/base/errors.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import type { ChangePlace } from '../../store/history/find-changes.ts';

const PURPOSE = 'history-cursor';

/** Sealed: it may name a version that the caller is not shown. */
export function formatChangeCursor({ lastUpdated, type, id, version }: ChangePlace): string {
  return seal(PURPOSE, JSON.stringify([lastUpdated, type, id, version]));
}

/** Throws 400 for what `formatChangeCursor` has not made. A place tells nothing, and is in nobody's project. */
export function parseChangeCursor(cursor: string): ChangePlace {
  try {
    const [lastUpdated, type, id, version] = JSON.parse(unseal(PURPOSE, cursor));
    return { lastUpdated, type, id, version };
  } catch (cause) {
    const text = '_cursor is not of a history: start again without it';
    throw new AppError('invalid', text, { expression: '_cursor', cause });
  }
}

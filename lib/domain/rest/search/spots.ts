import { AppError } from '#lib/base/errors.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Spot } from '../../store/links/find-several.ts';

/** The cursor of a search over types. Ids and times of change are in addresses and answers anyway. */
export function formatSpot({ at, type, id }: Spot): string {
  return Buffer.from(JSON.stringify([at, type, id])).toString('base64url');
}

/** Throws 400 for what `formatSpot` has not made, or not for these types. */
export function parseSpot(text: string, types: readonly string[]): Spot {
  const [at, type, id] = opened(text);
  if (isInstant(at) && types.includes(String(type)) && isFhirId(id)) return { at: String(at), type: String(type), id };
  throw new AppError('invalid', '_cursor is not of this search: start again without it', { expression: '_cursor' });
}

/** Characters. */
const MAX_CURSOR = 300;

function opened(text: string): unknown[] {
  if (text.length > MAX_CURSOR) return [];
  try {
    const found: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function isInstant(value: unknown): boolean {
  const at = new Date(String(value));
  return !Number.isNaN(at.getTime()) && at.toISOString() === value && /^\d{4}-/.test(String(value));
}

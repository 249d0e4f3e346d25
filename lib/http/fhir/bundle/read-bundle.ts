import { AppError } from '#lib/base/errors.ts';
import { MOST_ENTRIES, MOST_VALUES } from '#lib/protocol/fhir/bundle-limits.ts';
import { mostValues } from '#lib/protocol/fhir/most-values.ts';
import { validateResource } from '#lib/protocol/fhir/validate/validate.ts';
import { MOST_VALUES as MOST_OF_RESOURCE } from '#lib/protocol/json/refuse-many-values.ts';
import { contentLimit, readJson } from '../../door/read-body.ts';

export type ReceivedBundle = {
  type: 'batch' | 'transaction';
  /** As they came. */
  entries: Record<string, unknown>[];
};

/**
 * The Bundle that is posted to the base (R4 http §3.1.0.11). What it says of itself is judged, its entries are not yet. 400 for one that is
 * neither a batch nor a transaction, 422 for one of too many entries.
 */
export async function readBundle(request: Request): Promise<ReceivedBundle> {
  const large: number[] = [];
  const seen = (key: string, at: number) => void (key === 'entry' && large.push(at));
  const body = await readJson(request, contentLimit(), MOST_VALUES, { most: MOST_OF_RESOURCE, seen });
  if (body === undefined) throw new AppError('structure', 'The body is empty: send a Bundle as JSON');
  const { entry: entries = [], ...shell } = isObject(body) ? body : {};
  const issues = validateResource(isObject(body) ? shell : body, 'Bundle');
  if (issues.length > 0) throw new AppError('structure', 'Not a Bundle', { issues });
  const { type } = shell;
  if (type !== 'batch' && type !== 'transaction') {
    const text = 'Only a Bundle of type batch or transaction can be posted here';
    throw new AppError('invalid', text, { expression: 'Bundle.type' });
  }
  return { type, entries: refuseLarge(requireEntries(entries), large) };
}

/** Of one entry as of one resource by itself: while it is looked at, nobody else is answered. */
function refuseLarge(entries: Record<string, unknown>[], large: readonly number[]): Record<string, unknown>[] {
  for (const at of large) {
    const { resource } = entries[at] ?? {};
    if (isObject(resource) && mostValues(String(resource.resourceType)) !== undefined) continue;
    const expression = `Bundle.entry[${at}]`;
    throw new AppError('too-costly', `${expression} has more than ${MOST_OF_RESOURCE} values`, { expression });
  }
  return entries;
}

function requireEntries(entries: unknown): Record<string, unknown>[] {
  if (!Array.isArray(entries)) throw wrong('Must be a list', 'Bundle.entry');
  if (entries.length > MOST_ENTRIES) {
    const text = `A Bundle may have ${MOST_ENTRIES} entries at most: send several`;
    throw new AppError('business-rule', text, { issues: [{ text, expression: 'Bundle.entry', code: 'too-costly' }] });
  }
  const at = entries.findIndex((entry) => !isObject(entry));
  if (at >= 0) throw wrong('Must be an object', `Bundle.entry[${at}]`);
  return entries;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(text: string, expression: string): AppError {
  return new AppError('structure', text, { expression });
}

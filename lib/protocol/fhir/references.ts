import { isResourceType } from './type-ids.ts';

export type ParsedReference =
  | { kind: 'local'; type: string; id: string; version?: string }
  | { kind: 'contained'; id: string }
  | { kind: 'uri'; uri: string };

const ID = /^[A-Za-z0-9\-.]{1,64}$/;
const LOCAL = /^([A-Za-z]+)\/([A-Za-z0-9\-.]{1,64})(?:\/_history\/([A-Za-z0-9\-.]{1,64}))?$/;

export function isFhirId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/**
 * Reads a literal reference: `Type/id[/_history/v]`, `#id`, or an absolute URI. An absolute URL below `baseUrl` (with
 * `/fhir/R4`, without a slash at the end) counts as local. Undefined when it is none of these.
 */
export function parseReference(text: string, baseUrl?: string): ParsedReference | undefined {
  if (text.startsWith('#')) return { kind: 'contained', id: text.slice(1) };
  const own = baseUrl !== undefined && text.startsWith(`${baseUrl}/`) ? text.slice(baseUrl.length + 1) : text;
  const match = LOCAL.exec(own);
  if (match) {
    const [, type = '', id = '', version] = match;
    return isResourceType(type) ? { kind: 'local', type, id, version } : undefined;
  }
  return /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(own) ? { kind: 'uri', uri: own } : undefined;
}

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
  const [, type, id = '', version] = LOCAL.exec(own) ?? [];
  if (isResourceType(type)) return { kind: 'local', type, id, version };
  return isAbsolute(text) ? { kind: 'uri', uri: text } : undefined;
}

/** Whether the text is a URI with a scheme. */
export function isAbsolute(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(text);
}

export type ParsedCanonical = {
  /** Without version; relative when it stands below the server's own base. */
  url: string;
  version?: string;
  /** The resource of this server that it names by type and id. */
  local?: { type: string; id: string };
};

/** Reads `url|version`, `Type/id` or an address below `baseUrl` (R4 references §2.3.0.1). */
export function parseCanonical(text: string, baseUrl?: string): ParsedCanonical {
  const bar = text.indexOf('|');
  const written = bar < 0 ? text : text.slice(0, bar);
  const version = bar < 0 || bar === text.length - 1 ? undefined : text.slice(bar + 1);
  const parsed = parseReference(written, baseUrl);
  if (parsed?.kind !== 'local') return { url: parsed?.kind === 'uri' ? parsed.uri : written, version };
  const { type, id } = parsed;
  return { url: `${type}/${id}`, version, local: { type, id } };
}

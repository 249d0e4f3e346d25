import { fhirBase } from '#lib/base/fhir-base.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Part } from '#lib/protocol/fhir/search/controls.ts';
import type { Version } from '../../store/find-history.ts';
import { etag, isErased, toWire } from '../../store/row.ts';
import type { Shape } from '../search/search-resources.ts';
import { toPart } from '../search/subset.ts';

const REQUESTS: Record<Version['op'], { method: string; status: string }> = {
  create: { method: 'POST', status: '201 Created' },
  update: { method: 'PUT', status: '200 OK' },
  delete: { method: 'DELETE', status: '200 OK' },
};

/** R4 Bundle.entry.response.outcome: what else there is to say. */
const ERASED = {
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'information', code: 'deleted', diagnostics: 'Erased for good, with all versions' }],
};

/** An entry of a history Bundle as JSON text; a deletion has no resource (R4 http §3.1.0.15). */
export function toHistoryEntry(version: Version, { extended, part }: Shape): string {
  const { type, id, op, lastUpdated } = version;
  const { method, status } = REQUESTS[op];
  // An id that is none of ours was chosen by who put it there.
  const isPut = op === 'create' && !isUuid(id);
  const url = op === 'create' && !isPut ? type : `${type}/${id}`;
  const request = { method: isPut ? 'PUT' : method, url };
  const outcome = isErased(version) && ERASED;
  const response = {
    status,
    etag: etag(version),
    lastModified: lastUpdated.toISOString(),
    ...(outcome && { outcome }),
  };
  const resource = version.deleted ? '' : `"resource":${toPart(type, toWire(version, extended), part)},`;
  return `{"fullUrl":"${fhirBase()}/${type}/${id}",${resource}"request":${JSON.stringify(request)},"response":${JSON.stringify(response)}}`;
}

/** A history Bundle as JSON text, put together from texts. */
export function toHistoryBundle(
  entries: readonly string[],
  total: number | undefined,
  link: readonly { relation: string; url: string }[],
): string {
  const counted = total === undefined ? '' : `"total":${total},`;
  const entry = entries.length > 0 ? `,"entry":[${entries.join(',')}]` : '';
  return `{"resourceType":"Bundle","type":"history",${counted}"link":${JSON.stringify(link)}${entry}}`;
}

/** The links go on with as much of each resource. */
export function askForPart(params: URLSearchParams, part: Part | undefined): void {
  if (part?.summary) params.set('_summary', part.summary);
  if (part?.elements) params.set('_elements', part.elements.join(','));
}

import { fhirBase } from '#lib/base/fhir-base.ts';
import { toPart } from '#lib/domain/rest/search/subset.ts';
import type { Written } from '#lib/domain/rest/written.ts';
import { etag, type Row, toWire } from '#lib/domain/store/row.ts';
import { allOk, created } from '#lib/protocol/fhir/outcome.ts';
import type { Part } from '#lib/protocol/fhir/search/controls.ts';
import { fhir, type Reply } from '../door/reply.ts';
import { isUnmodified } from './preconditions.ts';
import { preference } from './prefer.ts';

/** A resource with its version in the headers; 304 when the caller has it already. */
export function resourceReply(request: Request, row: Row, extended: boolean, part?: Part): Reply {
  const headers = versionHeaders(row);
  const { lastUpdated } = row;
  if (isUnmodified(request, row)) return { status: 304, headers, lastUpdated };
  return { ...fhir(toPart(row.type, toWire(row, extended), part), 200, headers), lastUpdated };
}

/** The answer to a write: 201 with Location for what is new, and as much body as Prefer asks for (R4 http §3.1.0.1.9). */
export function writtenReply(request: Request, written: Written, extended: boolean, part?: Part): Reply {
  const { row } = written;
  const status = written.created ? 201 : 200;
  const headers = versionHeaders(row);
  // Also when If-None-Exist found one: the caller learns where it is.
  if (request.method === 'POST' || written.created) {
    headers.location = `${fhirBase()}/${row.type}/${row.id}/_history/${row.version}`;
  }
  return { ...answerOf(preference(request, 'return')), lastUpdated: row.lastUpdated };

  /** Unknown preferences are ignored (RFC 7240 §2). */
  function answerOf(preferred: string | undefined): Reply {
    switch (preferred?.toLowerCase()) {
      case 'minimal':
        return { status, headers };
      case 'operationoutcome':
        return fhir(written.created ? created() : allOk(), status, headers);
      default:
        return fhir(toPart(row.type, toText(written, extended), part), status, headers);
    }
  }
}

/** The answer to a deletion: what of it is preferred (R4 http §3.1.0.7, .1.9). There is nothing to represent but that it is done. */
export function deletedReply(request: Request): Reply {
  return preference(request, 'return')?.toLowerCase() === 'minimal' ? { status: 204 } : fhir(allOk());
}

function versionHeaders(row: Row): Record<string, string> {
  return { etag: etag(row), 'last-modified': row.lastUpdated.toUTCString() };
}

function toText({ row, once }: Written, extended: boolean): string {
  const text = toWire(row, extended);
  return once ? `${text.slice(0, -1)},${JSON.stringify(once).slice(1)}` : text;
}

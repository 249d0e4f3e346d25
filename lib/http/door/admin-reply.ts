import { fhirBase } from '#lib/base/fhir-base.ts';
import type { InviteResult } from '#lib/domain/invites/invite-result.ts';
import { etag, type Row, toWire } from '#lib/domain/store/row.ts';
import { INVITE_LINK_EXTENSION } from '#lib/protocol/answers/invites.ts';
import { acceptedLater, allOk } from '#lib/protocol/fhir/outcome.ts';
import { fhir, type Reply } from './reply.ts';

/** A resource with its version in the headers. `once`: top-level elements that only this answer shows. */
export function rowReply(row: Row, extended: boolean, once: Record<string, unknown> = {}): Reply {
  const headers = { etag: etag(row), 'last-modified': row.lastUpdated.toUTCString() };
  const text = toWire(row, extended);
  const more = JSON.stringify(once);
  return fhir(more === '{}' ? text : `${text.slice(0, -1)},${more.slice(1)}`, 200, headers);
}

/** As rowReply, for what is new: 201 with Location. */
export function createdReply(row: Row, extended: boolean, once?: Record<string, unknown>): Reply {
  const reply = rowReply(row, extended, once);
  const location = `${fhirBase()}/${row.type}/${row.id}/_history/${row.version}`;
  return { ...reply, status: 201, headers: { ...reply.headers, location } };
}

export function okReply(text?: string): Reply {
  return fhir(allOk(text));
}

/** What was asked for is done later. */
export function acceptedReply(text: string): Reply {
  return fhir(acceptedLater(text), 202);
}

/** The membership of an invite, how it came about, and the link when it was asked for. */
export function inviteReply({ row, status, link }: InviteResult, extended: boolean): Reply {
  const once = link === undefined ? {} : { extension: [{ url: INVITE_LINK_EXTENSION, valueUrl: link }] };
  const reply = rowReply(row, extended, once);
  return { ...reply, headers: { ...reply.headers, 'x-invite-status': status } };
}

import { fhirBase } from '#lib/base/fhir-base.ts';
import { newId } from '#lib/base/ids.ts';
import { mayReach } from '../access/policy.ts';
import { noteRead } from '../audit/note-read.ts';
import type { Notice } from '../store/feeds/notices.ts';
import { findVersion } from '../store/find-history.ts';
import { type Row, toWire } from '../store/row.ts';
import type { Listener, ListenerPlace } from './find-listener.ts';
import { seenNow } from './seen-now.ts';

/** The version that a notice names; of a deletion the one before it, by which is judged who may know. */
export async function readNoticed({ projectId, type, id, version, op }: Notice): Promise<Row | undefined> {
  const row = await findVersion(projectId, type, id, Number(version) - (op === 'delete' ? 1 : 0));
  return row?.op === 'delete' ? undefined : row;
}

/** The Bundle for one who listens, as they may read it at this moment; undefined where they may not. */
export async function tellListener(
  subscriptionId: string,
  { actor, place }: Pick<Listener, 'actor'> & { place: ListenerPlace },
  { type, id, op }: Notice,
  row: Row,
): Promise<string | undefined> {
  const seen = mayReach(actor, type, 'read') ? await seenNow(actor, row) : undefined;
  if (!seen) return undefined;
  const timestamp = new Date().toISOString();
  const focus = { reference: `${type}/${id}` };
  const status = toStatus(subscriptionId, 'event-notification', [{ eventNumber: '0', timestamp, focus }]);
  if (op === 'delete') return toBundle(timestamp, [status]);
  const ctx = { requestId: `subscription-${subscriptionId}`, remoteAddress: place.remoteAddress, userAgent: '', actor };
  noteRead(ctx, type, id);
  // As the peer's clients ask for all that they read.
  const resource = toWire(seen, true);
  return toBundle(timestamp, [
    status,
    `{"fullUrl":${JSON.stringify(`${fhirBase()}/${type}/${id}`)},"resource":${resource}}`,
  ]);
}

/** That one listens from here on; that one still does. */
export function signOfLife(subscriptionIds: readonly string[], kind: 'handshake' | 'heartbeat'): string {
  const statuses = subscriptionIds.map((id) => toStatus(id, kind));
  return toBundle(new Date().toISOString(), statuses);
}

type StatusType = 'handshake' | 'heartbeat' | 'event-notification';

/** R4 has no SubscriptionStatus: as the peer's client reads it, of the Subscriptions R5 backport. */
function toStatus(subscriptionId: string, type: StatusType, notificationEvent?: object[]): string {
  return JSON.stringify({
    resource: {
      resourceType: 'SubscriptionStatus',
      id: newId(),
      status: 'active',
      type,
      subscription: { reference: `Subscription/${subscriptionId}` },
      ...(notificationEvent && { notificationEvent }),
    },
  });
}

function toBundle(timestamp: string, entries: readonly string[]): string {
  return `{"resourceType":"Bundle","id":"${newId()}","type":"history","timestamp":"${timestamp}","entry":[${entries.join(',')}]}`;
}

import { EVENT_TRIGGERS } from '#lib/protocol/bots/triggers.ts';

/** Which kind an event is and by what it is known: ours, and what senders of webhooks name so. Everything else may be a credential under any name. */
const TOLD =
  /^(?:idempotency-key|traceparent|x-(?:medplum|gatehouse)-[a-z-]+|[a-z0-9-]+-(?:event|topic|delivery|id|type|timestamp))$/;
const SECRET = /auth|cookie|token|secret|session|client|user|passw|api-?key|signature|hmac/;
const MOST = 20;
const MOST_VALUE = 300;

/** Of the headers of an event those that are kept for a replay; null for none. */
export function keptHeaders(headers: Record<string, string>): Record<string, string> | null {
  const kept = Object.entries(headers).filter(
    ([name, value]) => TOLD.test(name) && !SECRET.test(name) && name !== 'content-type' && value.length <= MOST_VALUE,
  );
  return kept.length > 0 ? Object.fromEntries(kept.slice(0, MOST)) : null;
}

/** By which attempts at one event are known, where nothing else of it is kept: of our own, which say nothing of anybody; null of all others. */
export function eventName(trigger: string, headers: Record<string, string>): Record<string, string> | null {
  const key = EVENT_TRIGGERS.some((one) => one === trigger) ? headers['idempotency-key'] : undefined;
  return key === undefined ? null : { 'idempotency-key': key };
}

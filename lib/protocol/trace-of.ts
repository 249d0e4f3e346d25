import { isUuid } from '#lib/base/ids.ts';

/**
 * The trace-id of a `traceparent` header (W3C Trace Context §3.2.2.3), or an `X-Trace-Id`, a UUID, as the peer's programs send it; undefined where
 * there is none that is valid: whatever else it may be, it may be of a patient.
 */
export function traceOf(headers: Record<string, string>): string | undefined {
  const [, id] = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/.exec(headers.traceparent ?? '') ?? [];
  if (id !== undefined && !/^0+$/.test(id)) return id;
  const { 'x-trace-id': ours = '' } = headers;
  return isUuid(ours) ? ours : undefined;
}

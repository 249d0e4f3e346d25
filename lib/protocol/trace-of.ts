/**
 * The trace-id of a `traceparent` header (W3C Trace Context §3.2.2.3), or an `X-Trace-Id`, as the peer's programs send it; undefined where there is
 * none that is valid.
 */
export function traceOf(headers: Record<string, string>): string | undefined {
  const [, id] = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/.exec(headers.traceparent ?? '') ?? [];
  if (id !== undefined && !/^0+$/.test(id)) return id;
  return /^[\w.-]{1,64}$/.exec(headers['x-trace-id'] ?? '')?.[0];
}

const ALLOW = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Prefer',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-None-Exist',
  'Content-Encoding',
  'Range',
  'X-Medplum',
  'X-Medplum-On-Behalf-Of',
  'X-Security-Context',
  'X-Trace-Id',
  'traceparent',
  'Idempotency-Key',
  'X-Gatehouse-Override',
].join(', ');
const EXPOSE =
  'Accept-Patch, Accept-Ranges, Allow, Content-Range, ETag, Location, Content-Location, Last-Modified, RateLimit, Retry-After, X-Request-Id, X-Invite-Status, Warning, WWW-Authenticate, X-Gatehouse-Decision';

/**
 * The exact Origin, with credentials, as the peer's client needs (contract §1.1). Safe because a session cookie only counts on
 * same-origin requests (`authenticate`): another origin has nothing but the token that it was given.
 */
export function corsHeaders(request: Request): Record<string, string> {
  const origin = request.headers.get('origin');
  if (!origin) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': ALLOW,
    'access-control-expose-headers': EXPOSE,
    vary: 'Origin',
  };
}

import { type NextRequest, NextResponse } from 'next/server';

/** Pages only: the API's answers get their headers at the door (lib/http/door/api-route.ts). Its roots are those of lib/protocol/api-roots.ts. */
export const config = {
  matcher: [
    '/((?!_next/static/|_next/image|api/auth/|admin/|fhir/|oauth2/|auth/|webhook/|scim/|email/|\\.well-known/|healthcheck(?:/|$)|metrics(?:/|$)|dev/|ws/|keyvalue/|cds-services(?:/|$)|fhircast/|icon\\.svg$).*)',
  ],
};

/** A strict Content-Security-Policy with a nonce of its own for every page, and the headers that go with it. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-content-type-options', 'nosniff');
  response.headers.set('x-frame-options', 'DENY');
  response.headers.set('referrer-policy', 'same-origin');
  response.headers.set('cross-origin-opener-policy', 'same-origin');
  response.headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=()');
  if (process.env.BASE_URL?.startsWith('https:')) {
    response.headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains');
  }
  return response;
}

function contentSecurityPolicy(nonce: string): string {
  // React's development build evaluates code to rebuild stacks.
  const evaluate = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluate}`,
    // The language service of the code editor.
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

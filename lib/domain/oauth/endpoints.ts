/** Where what is: the one list behind everything that tells it. Paths below the issuer. */
export const ENDPOINTS = {
  authorization_endpoint: '/oauth2/authorize',
  pushed_authorization_request_endpoint: '/oauth2/par',
  device_authorization_endpoint: '/oauth2/device_authorization',
  token_endpoint: '/oauth2/token',
  introspection_endpoint: '/oauth2/introspect',
  revocation_endpoint: '/oauth2/revoke',
  registration_endpoint: '/oauth2/register',
  userinfo_endpoint: '/oauth2/userinfo',
  end_session_endpoint: '/oauth2/logout',
  jwks_uri: '/.well-known/jwks.json',
} as const;

/** As RFC 8414 and SMART name them, whole. */
export function endpointsOf(issuer: string): Record<keyof typeof ENDPOINTS, string> {
  const whole = Object.entries(ENDPOINTS).map(([name, path]) => [name, `${issuer}${path}`]);
  return Object.fromEntries(whole) as Record<keyof typeof ENDPOINTS, string>;
}

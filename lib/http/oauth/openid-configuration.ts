import { env } from '#lib/base/env.ts';
import { ASSERTION_ALGORITHMS } from '#lib/domain/clients/prove-assertion.ts';
import { SCOPES } from '#lib/domain/oauth/scopes.ts';

const PROOFS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

/** OpenID Connect Discovery 1.0 §3: only what works. */
export function openIdConfiguration(): Record<string, unknown> {
  const issuer = env().BASE_URL;
  return {
    issuer,
    token_endpoint: `${issuer}/oauth2/token`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    introspection_endpoint_auth_methods_supported: [...PROOFS, 'bearer'],
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    revocation_endpoint_auth_methods_supported: [...PROOFS, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    end_session_endpoint: `${issuer}/oauth2/logout`,
    response_types_supported: ['code'],
    grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256', 'plain'],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    token_endpoint_auth_methods_supported: [...PROOFS, 'none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    scopes_supported: [...SCOPES],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', 'auth_time', 'email', 'fhirUser', 'login_id'],
  };
}

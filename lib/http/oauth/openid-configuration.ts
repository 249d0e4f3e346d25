import { env } from '#lib/base/env.ts';
import { PROMPTS } from '#lib/domain/authorize/authorize-request.ts';
import { ASSERTION_ALGORITHMS } from '#lib/domain/clients/prove-assertion.ts';
import { endpointsOf } from '#lib/domain/oauth/endpoints.ts';
import { ACR } from '#lib/domain/oauth/how-proven.ts';
import { SCOPES } from '#lib/domain/oauth/scopes.ts';
import { SIGNING_ALGORITHMS } from '#lib/domain/signing/make-signing-key.ts';
import { GRANTS, PROOFS } from '#lib/protocol/clients/bounds.ts';
import { apiRoute } from '../door/api-route.ts';
import { json } from '../door/reply.ts';

/** Under both of its names, for anybody. */
export const discovery = apiRoute({
  auth: 'none',
  run: async () => json(openIdConfiguration(), 200, { 'cache-control': 'public, max-age=300' }),
});

/** OpenID Connect Discovery 1.0 §3 and RFC 8414 §2, in one: only what works. */
export function openIdConfiguration(): Record<string, unknown> {
  const issuer = env().BASE_URL;
  return {
    issuer,
    ...endpointsOf(issuer),
    introspection_endpoint_auth_methods_supported: [...PROOFS, 'bearer'],
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: [...PROOFS, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANTS,
    prompt_values_supported: [...PROMPTS],
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    token_endpoint_auth_methods_supported: [...PROOFS, 'none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    require_pushed_authorization_requests: false,
    claims_parameter_supported: false,
    acr_values_supported: Object.values(ACR),
    scopes_supported: [...SCOPES],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'nonce',
      'auth_time',
      'acr',
      'amr',
      'name',
      'given_name',
      'family_name',
      'email',
      'email_verified',
      'phone_number',
      'address',
      'fhirUser',
      'login_id',
      'project',
    ],
  };
}

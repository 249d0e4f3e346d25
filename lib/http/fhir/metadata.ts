import { hash } from 'node:crypto';
import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { SCOPES } from '#lib/domain/oauth/scopes.ts';
import { capabilityStatement } from '#lib/domain/rest/capability-statement.ts';
import { apiRoute } from '../door/api-route.ts';
import { fhir, json } from '../door/reply.ts';
import { openIdConfiguration } from '../oauth/openid-configuration.ts';
import { requireAcceptable } from './negotiation.ts';
import { mountedOperations } from './operations.ts';

/** Of scopes: what lib/protocol/smart-scopes.ts reads. */
const PERMISSIONS = ['offline', 'patient', 'user', 'v1', 'v2'].map((name) => `permission-${name}`);

/** How an app is opened, and what of it is told. */
const LAUNCHES = [
  'launch-ehr',
  'launch-standalone',
  'context-banner',
  'context-ehr-encounter',
  'context-ehr-patient',
  'context-standalone-patient',
  'context-style',
];

let statement: { text: string; etag: string } | undefined;

/** GET metadata, for anybody. */
export const capabilities = apiRoute({
  auth: 'none',
  async run(_ctx, { request, url }) {
    requireAcceptable(request, url);
    const mode = url.searchParams.get('mode') ?? 'full';
    if (mode !== 'full' && mode !== 'normative') {
      throw new AppError('invalid', 'mode must be full or normative', { expression: 'mode' });
    }
    statement ??= toStatement();
    const headers = { etag: statement.etag, 'cache-control': 'public, max-age=300' };
    if (request.headers.get('if-none-match') === statement.etag) return { status: 304, headers };
    return fhir(statement.text, 200, headers);
  },
});

/** GET .well-known/smart-configuration (SMART App Launch 2.2 §7.2): only what works. */
export const smartConfiguration = apiRoute({
  auth: 'none',
  run: async () =>
    json({
      ...openIdConfiguration(),
      scopes_supported: [...SCOPES, 'patient/*.cruds', 'user/*.cruds', 'system/*.cruds'],
      capabilities: [
        'authorize-post',
        'client-confidential-asymmetric',
        'client-confidential-symmetric',
        'client-public',
        ...LAUNCHES,
        'sso-openid-connect',
        ...PERMISSIONS,
      ],
    }),
});

function toStatement(): { text: string; etag: string } {
  const text = JSON.stringify(capabilityStatement(fhirBase(), mountedOperations()));
  return { text, etag: `W/"${hash('sha256', text).slice(0, 16)}"` };
}

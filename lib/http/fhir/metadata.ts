import { hash } from 'node:crypto';
import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { SCOPES } from '#lib/domain/oauth/scopes.ts';
import { capabilityStatement, DATE } from '#lib/domain/rest/capability-statement.ts';
import { toPart } from '#lib/domain/rest/search/subset.ts';
import { terminologyCapabilities } from '#lib/domain/rest/terminology-capabilities.ts';
import { apiRoute } from '../door/api-route.ts';
import { fhir, json } from '../door/reply.ts';
import { openIdConfiguration } from '../oauth/openid-configuration.ts';
import { readGeneral } from './general.ts';
import { mountedOperations } from './operations/mounted.ts';

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

type Statement = { text: string; etag: string };

const whole = once(() => capabilityStatement(fhirBase(), mountedOperations()));
/** R4 http §3.1.0.6. All that a statement of ours says is normative. */
const MODES = { full: whole, normative: whole, terminology: once(() => terminologyCapabilities(fhirBase(), DATE)) };

/** GET metadata, for anybody. */
export const capabilities = apiRoute({
  auth: 'none',
  async run(_ctx, { request, url }) {
    const part = readGeneral(request, url, ['mode']);
    const mode = url.searchParams.get('mode') ?? 'full';
    if (!Object.hasOwn(MODES, mode)) {
      throw new AppError('invalid', `mode must be one of ${Object.keys(MODES).join(', ')}`, { expression: 'mode' });
    }
    const statement = MODES[mode as keyof typeof MODES]();
    const headers = { etag: statement.etag, 'cache-control': 'public, max-age=300' };
    const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
    if (known.includes(statement.etag) || known.includes('*')) return { status: 304, headers };
    return fhir(
      toPart(mode === 'terminology' ? 'TerminologyCapabilities' : 'CapabilityStatement', statement.text, part),
      200,
      headers,
    );
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

/** Made when it is first asked for. */
function once(make: () => object): () => Statement {
  let made: Statement | undefined;
  return () => {
    if (made) return made;
    const text = JSON.stringify(make());
    made = { text, etag: `W/"${hash('sha256', text).slice(0, 16)}"` };
    return made;
  };
}

/** The folders below `app/` that are API: the fast lane answers them, and pages' headers are not theirs. `proxy.ts` repeats them. */
export const API_ROOTS = [
  'admin',
  'fhir',
  'oauth2',
  'auth',
  'webhook',
  'scim',
  'email',
  '.well-known',
  'healthcheck',
  'metrics',
  'dev',
  'ws',
  // Only the peer has these: who asks for them is told so in JSON (contract §1.7).
  'keyvalue',
  'cds-services',
  'fhircast',
];

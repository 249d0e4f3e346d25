/** What of R4's interactions a policy speaks of. */
export type Interaction = 'read' | 'vread' | 'update' | 'delete' | 'history' | 'create' | 'search';

/** `by`: what its first argument tells the type by. */
export type Method = { interactions: readonly Interaction[]; by: 'type' | 'resource' | 'none'; type?: string };

/** Those of a bot's client that name a type, and what they do to it. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['createResource', { interactions: ['create'], by: 'resource' }],
  ['createResourceIfNoneExist', { interactions: ['search', 'create'], by: 'resource' }],
  ['upsertResource', { interactions: ['search', 'create', 'update'], by: 'resource' }],
  ['updateResource', { interactions: ['update'], by: 'resource' }],
  ['patchResource', { interactions: ['update'], by: 'type' }],
  ['deleteResource', { interactions: ['delete'], by: 'type' }],
  ['readResource', { interactions: ['read'], by: 'type' }],
  ['readReference', { interactions: ['read'], by: 'resource' }],
  ['readHistory', { interactions: ['history'], by: 'type' }],
  ['readVersion', { interactions: ['vread'], by: 'type' }],
  ['search', { interactions: ['search'], by: 'type' }],
  ['searchOne', { interactions: ['search'], by: 'type' }],
  ['searchResources', { interactions: ['search'], by: 'type' }],
  ['searchResourcePages', { interactions: ['search'], by: 'type' }],
  ['createAttachment', { interactions: ['create'], by: 'none', type: 'Binary' }],
  ['createBinary', { interactions: ['create'], by: 'none', type: 'Binary' }],
  ['createPdf', { interactions: ['create'], by: 'none', type: 'Binary' }],
  ['createMedia', { interactions: ['create'], by: 'none', type: 'Media' }],
  ['readPatientEverything', { interactions: ['read'], by: 'none', type: 'Patient' }],
]);

/** Others that reach further than the records. */
export const CALLS: ReadonlySet<string> = new Set(['sendEmail', 'executeBot', 'getAccessToken', 'invite']);

/** Of an entry of a Bundle: `GET Patient?name=x` is a search. */
export function interactionOf(method: string, url: string): Interaction | undefined {
  if (method === 'GET') return /^[A-Z][A-Za-z]+\/./.test(url) ? 'read' : 'search';
  const known: Record<string, Interaction> = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' };
  return known[method];
}

import { z } from 'zod';
import { isResourceType } from '../fhir/type-ids.ts';
import type { AccessPolicy, Resource } from '../fhir/types.ts';

const INTERACTIONS = ['read', 'vread', 'history', 'search', 'create', 'update', 'delete'] as const;
const OF_INSTANCE = new Set<string>(['read', 'vread', 'history', 'update', 'delete']);
const MOST_PARAMETERS = 100;

const parameter = z.union(
  [
    z.strictObject({ name: z.string().min(1).max(64), valueString: z.string().max(1000) }),
    z.strictObject({
      name: z.string().min(1).max(64),
      valueReference: z.looseObject({ reference: z.string().min(1).max(200) }),
    }),
  ],
  { error: 'parameter must have a name, and valueString or valueReference' },
);

/**
 * POST /admin/projects/:id/access/explain: with whose rights, and what of which type. With `id`, `resource` or `query` of these, else of the
 * type. `policy`: a draft, in the place of the one with its id, or of all that the membership has.
 * `profile`: without a membership, the record that its member would stand on.
 */
export const explainRequest = z
  .strictObject({
    membership: z
      .string()
      .regex(/^ProjectMembership\/[0-9a-f-]{36}$/, 'membership must be a reference like ProjectMembership/<id>')
      .optional(),
    policy: z.looseObject({ resourceType: z.literal('AccessPolicy', 'policy must be an AccessPolicy') }).optional(),
    parameter: z.array(parameter).max(MOST_PARAMETERS, `at most ${MOST_PARAMETERS} parameters`).optional(),
    profile: z
      .string()
      .regex(
        /^(Patient|Practitioner|RelatedPerson|Bot|ClientApplication)\/[A-Za-z0-9\-.]{1,64}$/,
        'profile must be a reference like Patient/<id>',
      )
      .optional(),
    scope: z.string().max(2000).optional(),
    address: z.union([z.ipv4(), z.ipv6()], { error: 'address must be an IP address' }).optional(),
    interaction: z.enum(INTERACTIONS, `interaction must be one of ${INTERACTIONS.join(', ')}`),
    resourceType: z.string({ error: 'resourceType is required' }).refine(isResourceType, 'resourceType is no type'),
    id: z
      .string()
      .regex(/^[A-Za-z0-9\-.]{1,64}$/, 'id must be an id')
      .optional(),
    versionId: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'versionId must be a number')
      .optional(),
    resource: z.looseObject({ resourceType: z.string() }).optional(),
    query: z.string().max(4000).optional(),
  })
  .superRefine((asked, context) => {
    const { membership, policy, parameter, profile, interaction, resourceType, id, versionId, resource, query } = asked;
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (!membership && !policy) refuse('membership', 'membership, policy or both are needed');
    if (profile && membership) refuse('profile', 'profile is of nobody yet: a membership has its own');
    if (parameter && !policy) refuse('parameter', 'parameter is of a policy');
    if (id !== undefined && !OF_INSTANCE.has(interaction)) refuse('id', `${interaction} has no id`);
    if ((versionId !== undefined) !== (interaction === 'vread' && id !== undefined))
      refuse('versionId', 'vread has an id and a versionId, or neither; nothing else has one');
    if (resource && interaction !== 'create' && !(interaction === 'update' && id !== undefined))
      refuse('resource', 'resource is of a create, or of an update with an id');
    // Its bytes stand outside of what can be taken back.
    if (resourceType === 'Binary' && (resource || (interaction === 'update' && id !== undefined)))
      refuse('resourceType', 'of a Binary, what would be written is not explained');
    if (query !== undefined && interaction !== 'search') refuse('query', 'query is of a search');
  });
type Read = z.output<typeof explainRequest>;
export type ExplainRequest = Omit<Read, 'policy' | 'resource'> & { policy?: AccessPolicy; resource?: Resource };

import { z } from 'zod';

/** Entries of `access` that one request may ask for: members times patients. */
export const MOST_PAIRS = 500;
/** Of one request: each is a transaction. */
export const MOST_CAREGIVERS = 100;

const patient = z
  .string({ error: 'must be a reference like Patient/<id>' })
  .regex(/^Patient\/[A-Za-z0-9.-]{1,64}$/, 'must be a reference like Patient/<id>');
const member = z.strictObject({
  membership: z.uuid({ error: 'must be the id of a membership' }),
  /** The version of the membership that was looked at: 412 for it when it is another by now. */
  version: z.int('version must be a whole number').min(1).optional(),
});

/**
 * POST /admin/projects/{id}/caregivers: an entry of `access` for each member and patient is put there, or taken away. `parameter`: what the policy
 * calls the patient, without its %.
 */
export const caregiversRequest = z
  .strictObject({
    act: z.enum(['add', 'remove'], { error: 'act must be add or remove' }),
    policy: z
      .string({ error: 'policy must be a reference like AccessPolicy/<id>' })
      .regex(/^AccessPolicy\/[A-Za-z0-9.-]{1,64}$/, 'policy must be a reference like AccessPolicy/<id>'),
    parameter: z
      .string()
      .regex(/^[A-Za-z_]\w{0,63}$/, 'parameter must be a name such as patient')
      .default('patient'),
    patients: z
      .array(patient, { error: 'patients must be a list' })
      .min(1, 'patients must name at least one')
      .max(MOST_PAIRS, `patients must name at most ${MOST_PAIRS}`)
      .refine((all) => new Set(all).size === all.length, 'patients must differ'),
    members: z
      .array(member, { error: 'members must be a list' })
      .min(1, 'members must name at least one')
      .max(MOST_CAREGIVERS, `members must name at most ${MOST_CAREGIVERS}`)
      .refine(
        (all) => new Set(all.map((one) => one.membership.toLowerCase())).size === all.length,
        'members must differ',
      ),
  })
  .refine(({ members, patients }) => members.length * patients.length <= MOST_PAIRS, {
    path: ['patients'],
    error: `members times patients must be at most ${MOST_PAIRS}`,
  });
export type CaregiversRequest = z.output<typeof caregiversRequest>;

import { newId } from '#lib/base/ids.ts';
import { together } from '#lib/infra/db/together.ts';
import { requireEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { refreshFactors } from '../standing/refresh-factors.ts';
import { requireValid } from '../store/require-valid.ts';
import type { Row } from '../store/row.ts';
import { createWithKey, endNone, type NewInvite, noteMember, tellShared, toFacts } from './membership-key.ts';
import { requireSomePolicy } from './require-policies.ts';

export type NewMembership = Omit<ProjectMembership, 'resourceType' | 'id' | 'meta' | 'project'>;

export type InsertOptions = {
  id?: string;
  /** The caller's profile reference. */
  author: string | undefined;
  /** Another membership for somebody who has one already (forceNewMembership). */
  further?: boolean;
  /** The person must prove the address of their account before they can enter (schema: membership_key.awaits_proof). */
  awaitsProof?: boolean;
  /** How its invitation will stand when it is sent. Else whoever sends one tells it (`w.stands`). */
  invite?: NewInvite;
  /** The account was made with it, and is known to be there (`createUser`). */
  ownUser?: boolean;
  /** It is there to administer, and has no use for records: it needs no policy where every other does. */
  ofDirectory?: boolean;
  /** The profile was made for it: nobody else stands on it. */
  ownProfile?: boolean;
};

/**
 * Stores a membership with its key and its audit entry. `insertMembership`, `saveMembership`, `restoreMembership` and `endMembership` are the only code that
 * writes memberships. What it refers to was checked by the caller. Throws 400 when it is not valid, 409 when this person is a member
 * already or the externalId is taken.
 */
export async function insertMembership(
  w: Write,
  projectId: string,
  membership: NewMembership,
  options: InsertOptions,
): Promise<Row> {
  const { id = newId() } = options;
  const resource: ProjectMembership = {
    resourceType: 'ProjectMembership',
    project: { reference: `Project/${projectId}` },
    ...membership,
  };
  requireValid(resource, 'ProjectMembership');
  requireEntryDates(resource);
  if (!options.ofDirectory) await requireSomePolicy(w.tx, projectId, resource);
  if (resource.admin === true) await requireProof(w.actor, w.tx);
  const slot = options.further ? id : '';
  const { awaitsProof = false, invite } = options;
  const key = { slot, awaitsProof, invite };
  const [row] = await together(
    createWithKey(w, { projectId, id }, resource, key, options.author),
    options.ownUser ? Promise.resolve() : noteMember(w, projectId, resource),
  );
  if (!options.ownUser && resource.user.reference?.startsWith('User/')) await refreshFactors(w.tx, projectId, [id]);
  if (!options.ownProfile) tellShared(w, projectId, resource);
  endNone(w, resource);
  w.audit({
    projectId,
    action: 'membership.create',
    target: `ProjectMembership/${id}`,
    after: { user: resource.user.reference, ...toFacts(resource) },
  });
  return row;
}

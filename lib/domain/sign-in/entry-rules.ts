import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { readAllowedMethods, readRequirement } from '#lib/protocol/factors/settings.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership, ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { readBounds, type SessionBounds } from '#lib/protocol/sign-in/bounds.ts';
import { type Way, waysOf } from '#lib/protocol/sign-in/ways.ts';
import { findAddress } from '../accounts/find-address.ts';
import { enforcedDomains } from '../ways/enforced-domains.ts';

export type EntryRules = {
  /** Which second factors may be enrolled. */
  allowed: FactorMethod[];
  /** Whether this membership must have one. */
  isRequired: boolean;
  /** By which ways this membership may be entered; undefined of none. */
  ways: Way[] | undefined;
  /** From where. */
  bounds: SessionBounds;
};

type Found = { setting: ProjectSetting[] | null; membership: ProjectMembership | null; enforced: string[] | null };

/** What a project's settings, and the membership's own, say of who comes in. Without a project an authenticator may be enrolled, and nothing must. */
export async function findEntryRules(
  q: Queryable,
  projectId: string | undefined,
  membershipId?: string,
): Promise<EntryRules> {
  if (projectId === undefined)
    return { allowed: readAllowedMethods([]), isRequired: false, ways: undefined, bounds: {} };
  const [row] = await q.execute<Found>(sql`
    select p.content->'setting' as setting, (select m.content from resource m
      where m.project_id = ${projectId} and m.type_id = ${typeId('ProjectMembership')} and m.id = ${membershipId ?? null}::text and not m.deleted
    ) as membership, ${enforcedDomains(projectId)} as enforced
    from resource p
    where p.project_id = ${projectId} and p.type_id = ${typeId('Project')} and p.id = ${projectId} and not p.deleted`);
  const { setting, membership, enforced } = row ?? {};
  const settings = setting ?? [];
  const required = readRequirement(settings);
  const isRequired =
    membershipId !== undefined && (required === 'everyone' || (required === 'admins' && membership?.admin === true));
  const domains = enforced ?? [];
  const userId = membership?.user.reference?.slice('User/'.length) ?? '';
  const email = domains.length > 0 ? await findAddress(userId, q) : undefined;
  const ways = membership ? waysOf(settings, membership, { domains, email }) : undefined;
  return { allowed: readAllowedMethods(settings), isRequired, ways, bounds: readBounds(settings) };
}

import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import type { ScimGroup } from '#lib/protocol/scim/group.ts';
import { GROUP_SCHEMA } from '#lib/protocol/scim/urns.ts';
import type { IfMatch } from '../memberships/lock-member.ts';
import type { Group } from './group-rows.ts';

/** A group as a directory sees it. */
export function toGroup(group: Group): ScimGroup {
  const base = `${env().BASE_URL}/scim/v2`;
  const { id, externalId, displayName, members } = group;
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId !== undefined && { externalId }),
    displayName,
    ...(members && { members: members.map((value) => ({ value, $ref: `${base}/Users/${value}`, type: 'User' })) }),
    meta: {
      resourceType: 'Group',
      created: group.createdAt,
      lastModified: group.updatedAt,
      location: `${base}/Groups/${id}`,
      version: `W/"${versionOf(group)}"`,
    },
  };
}

/** Who is taken out of the project leaves its groups without a change of them. */
function versionOf({ version, size }: Group): string {
  return `${version}.${size}`;
}

export function requireSeen(group: Group, ifMatch: IfMatch | undefined): void {
  if (!ifMatch || ifMatch === '*' || ifMatch.includes(versionOf(group))) return;
  throw new AppError('precondition-failed', 'The Group was changed meanwhile; read it again');
}

import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import { IN_TIME } from '../standing/in-time.ts';

/**
 * Who is responsible for a client, with their name: a person who is a member of its project now. One who has left since stays named until
 * another is. Throws 400.
 */
export async function requireOwner(
  tx: Queryable,
  projectId: string,
  after: ClientApplication,
  before?: ClientApplication,
): Promise<{ owner?: Reference }> {
  const { owner } = after;
  if (!owner) return {};
  if (before?.owner && owner.reference === before.owner.reference) return { owner: before.owner };
  const parsed = owner.reference ? parseReference(owner.reference) : undefined;
  const id = parsed?.kind === 'local' && parsed.type === 'ProjectMembership' ? parsed.id : '';
  const [found] = isUuid(id)
    ? await tx.execute<{ name: string | null }>(sql`
        select name from membership_key where project_id = ${projectId} and membership_id = ${id}
          and user_ref like 'User/%' and active and ${IN_TIME}`)
    : [];
  if (!found) {
    const text = 'owner must be the membership of a person who is a member of the project';
    throw new AppError('invalid', text, { expression: 'ClientApplication.owner' });
  }
  return { owner: { reference: `ProjectMembership/${id.toLowerCase()}`, ...(found.name && { display: found.name }) } };
}

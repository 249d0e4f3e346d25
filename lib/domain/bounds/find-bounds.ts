import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { readBounds, type SessionBounds } from '#lib/protocol/sign-in/bounds.ts';
import { projectTag } from '../access/cache-tags.ts';

const known = createLiveCache<SessionBounds>(10_000);

/** What a project sets for its sessions, for who has no actor of it: one statement, none while nothing changes. */
export function findBounds(projectId: string): Promise<SessionBounds> {
  return known.get(projectId, async () => {
    const [row] = await db().execute<{ setting: ProjectSetting[] | null }>(sql`
      select p.content->'setting' as setting from resource p
      where p.project_id = ${projectId} and p.type_id = ${typeId('Project')} and p.id = ${projectId} and not p.deleted`);
    return { value: readBounds(row?.setting ?? []), tags: [projectTag(projectId)] };
  });
}

import { eq } from 'drizzle-orm';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { projectSecret } from '#lib/infra/db/schema/operations.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';

/** What a read shows in place of a value; sent back in a full list, it means "as it was". */
export const MASK = '********';

const PURPOSE = 'project-secret';

/** A secret's value, as it stands in the table. Bound to its project and name, so that rows cannot be swapped. */
export function sealSecret(projectId: string, { name, ...value }: ProjectSetting): string {
  return seal(`${PURPOSE}:${projectId}:${name}`, JSON.stringify(value));
}

/** In clear, sorted by name: for bots, and for an administrator's audited look. */
export async function loadSecrets(projectId: string, q: Queryable = db()): Promise<ProjectSetting[]> {
  const rows = await q
    .select()
    .from(projectSecret)
    .where(eq(projectSecret.projectId, projectId))
    .orderBy(projectSecret.name);
  return rows.map(({ name, valueSealed }) => ({
    name,
    ...(JSON.parse(unseal(`${PURPOSE}:${projectId}:${name}`, valueSealed)) as Omit<ProjectSetting, 'name'>),
  }));
}

/** Names only, each with the mask. */
export async function findMaskedSecrets(projectId: string, q: Queryable = db()): Promise<ProjectSetting[]> {
  const rows = await q
    .select({ name: projectSecret.name })
    .from(projectSecret)
    .where(eq(projectSecret.projectId, projectId))
    .orderBy(projectSecret.name);
  return rows.map(({ name }) => ({ name, valueString: MASK }));
}

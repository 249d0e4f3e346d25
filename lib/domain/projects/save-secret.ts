import { projectSecret } from '#lib/infra/db/schema/operations.ts';
import { ofProject } from '#lib/infra/db/server-role/of-project.ts';
import type { Write } from '../access/context.ts';

/** One row of the secrets' table. The caller audits. */
export async function saveSecret(w: Write, projectId: string, name: string, valueSealed: string): Promise<void> {
  const updatedAt = new Date();
  await ofProject(projectId, w.tx, (tx) =>
    tx
      .insert(projectSecret)
      .values({ projectId, name, valueSealed, updatedAt })
      .onConflictDoUpdate({ target: [projectSecret.projectId, projectSecret.name], set: { valueSealed, updatedAt } }),
  );
}

import { and, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { projectSecret } from '#lib/infra/db/schema/operations.ts';
import { ofProject } from '#lib/infra/db/server-role/of-project.ts';
import type { Ctx } from '../access/context.ts';
import { editProject } from './edit-project.ts';

/** Throws 404 when there is no secret of this name. */
export async function deleteSecret(ctx: Ctx, projectId: string, name: string): Promise<void> {
  await editProject(ctx, projectId, async (w) => {
    const gone = await ofProject(projectId, w.tx, (tx) =>
      tx
        .delete(projectSecret)
        .where(and(eq(projectSecret.projectId, projectId), eq(projectSecret.name, name)))
        .returning({ name: projectSecret.name }),
    );
    if (gone.length === 0) throw notFound();
    w.audit({ projectId, action: 'project.secret.delete', target: `Project/${projectId}`, before: [name] });
    return undefined;
  });
}

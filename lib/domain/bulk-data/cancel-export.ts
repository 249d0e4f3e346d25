import { and, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { bulkExport } from '#lib/infra/db/schema/fhir/bulk-data.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireOwnExport } from './read-export.ts';

/** Ends an export of the caller's own: from then on there is none, and its links lead to nothing. Throws 404. */
export async function cancelExport(ctx: Ctx, id: string): Promise<void> {
  const { projectId } = requireActor(ctx);
  await requireOwnExport(ctx, id);
  await write(ctx, async (w) => {
    const gone = await w.tx
      .delete(bulkExport)
      .where(and(eq(bulkExport.projectId, projectId), eq(bulkExport.id, id)))
      .returning({ id: bulkExport.id });
    if (gone.length === 0) throw notFound();
    w.audit({ projectId, action: 'export.cancel', target: `Export/${id}` });
  });
}

import { notFound } from '#lib/base/errors.ts';
import { dropProgress } from '#lib/infra/db/upkeep.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { dropImport } from './import-rows.ts';
import { requireVisibleImport } from './read-import.ts';
import { workOf } from './work-of.ts';

/** Ends an import: nothing more is stored from then on, and what was stored stays. Throws 404. */
export async function cancelImport(ctx: Ctx, id: string): Promise<void> {
  const row = await requireVisibleImport(ctx, id);
  const { projectId } = row;
  await write(ctx, async (w) => {
    if (!(await dropImport(w.tx, row))) throw notFound();
    await dropProgress(workOf(row), w.tx);
    w.audit({ projectId, action: 'import.cancel', target: `Import/${id}` });
  });
}

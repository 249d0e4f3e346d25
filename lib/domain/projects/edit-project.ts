import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { projectTag } from '../access/cache-tags.ts';
import { type Actor, type Ctx, requireProjectAdmin, type Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { isTextSearched, settleTextSearch } from '../store/own-params/settle-text-search.ts';
import { requireValid } from '../store/require-valid.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';

/** What one of the project's lists becomes; undefined leaves the resource alone. */
type Edit = (w: Write, project: Project, actor: Actor) => Promise<Project | undefined> | Project | undefined;

/** A change of the project by its administrator: locked, validated, and seen by live sessions at once. `edit` writes the audit entry. */
export async function editProject(ctx: Ctx, projectId: string, edit: Edit): Promise<Row> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  return write(ctx, async (w) => {
    const current = requireLive(await lockRow(w.tx, projectId, 'Project', projectId));
    const before = toResource<Project>(current);
    const next = await edit(w, before, actor);
    w.invalidate(projectTag(projectId));
    if (!next) return current;
    requireValid(next, 'Project');
    if (isTextSearched(before) !== isTextSearched(next)) await settleTextSearch(w, projectId, next);
    return updateRow(w, current, next, actor.profile);
  });
}

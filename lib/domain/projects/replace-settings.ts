import { isDeepStrictEqual } from 'node:util';
import type { Project, ProjectSetting } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import type { Row } from '../store/row.ts';
import { requireSettingsKept } from '../ways/require-settings-kept.ts';
import { editProject } from './edit-project.ts';

/** The project's settings or sites, as a whole. Values are no secrets and stand in the resource. */
export async function replaceSettings<Field extends 'setting' | 'site'>(
  ctx: Ctx,
  projectId: string,
  field: Field,
  list: NonNullable<Project[Field]>,
): Promise<Row> {
  return editProject(ctx, projectId, async (w, project, actor) => {
    const { [field]: before, ...rest } = project;
    if (isDeepStrictEqual(before ?? [], list)) {
      w.unchanged();
      return undefined;
    }
    if (field === 'setting')
      await requireSettingsKept(w, ctx, { actor, projectId, before: project.setting, after: list as ProjectSetting[] });
    w.audit({
      projectId,
      action: `project.${field}.replace`,
      target: `Project/${projectId}`,
      before: before?.map(({ name }) => name),
      after: list.map(({ name }) => name),
    });
    return (list.length > 0 ? { ...rest, [field]: list } : rest) as Project;
  });
}

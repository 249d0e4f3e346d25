import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { ProjectSettings } from '#lib/protocol/answers/project-settings.ts';
import type { Project, ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { findMaskedSecrets, loadSecrets } from './project-secrets.ts';

/** The project with its secrets' names; their values only with `reveal`, and then the look is audited (contract §2.7). */
export async function readProject(
  ctx: Ctx,
  projectId: string,
  options: { reveal?: boolean } = {},
): Promise<ProjectSettings> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const row = requireLive(await findRow(projectId, 'Project', projectId));
  const secret = options.reveal ? await reveal(ctx, projectId) : await findMaskedSecrets(projectId);
  const { id, name, setting, site } = toResource<Project>(row);
  return { project: { id, name, setting, secret, site } };
}

async function reveal(ctx: Ctx, projectId: string): Promise<ProjectSetting[]> {
  return write(ctx, async (w) => {
    await requireProof(w.actor, w.tx);
    const secrets = await loadSecrets(projectId, w.tx);
    const after = secrets.map(({ name }) => name);
    w.audit({ projectId, action: 'project.secret.reveal', target: `Project/${projectId}`, after });
    return secrets;
  });
}

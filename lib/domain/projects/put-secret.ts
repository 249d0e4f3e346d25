import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import { editProject } from './edit-project.ts';
import { sealSecret } from './project-secrets.ts';
import { saveSecret } from './save-secret.ts';

/** Sets one secret, new or not; the others stay. */
export async function putSecret(ctx: Ctx, projectId: string, secret: ProjectSetting): Promise<void> {
  await editProject(ctx, projectId, async (w) => {
    await saveSecret(w, projectId, secret.name, sealSecret(projectId, secret));
    w.audit({ projectId, action: 'project.secret.set', target: `Project/${projectId}`, after: [secret.name] });
    return undefined;
  });
}

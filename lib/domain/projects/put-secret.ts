import { AppError } from '#lib/base/errors.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { MOST_PROJECT_SECRETS, secretNameRequest } from '#lib/protocol/requests/project-settings.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { editProject } from './edit-project.ts';
import { countSecrets, sealSecret } from './project-secrets.ts';
import { saveSecret } from './save-secret.ts';

/** Sets one secret, new or not; the others stay. */
export async function putSecret(ctx: Ctx, projectId: string, secret: ProjectSetting): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  const name = secretNameRequest.safeParse(secret.name);
  if (!name.success) throw new AppError('invalid', name.error.issues[0]!.message, { expression: 'name' });
  await editProject(ctx, projectId, async (w) => {
    await requireProof(actor, w.tx);
    const before = await countSecrets(projectId, w.tx);
    await saveSecret(w, projectId, secret.name, sealSecret(projectId, secret));
    const after = await countSecrets(projectId, w.tx);
    // An import may have brought more; those may change.
    if (after > MOST_PROJECT_SECRETS && after > before)
      throw new AppError('business-rule', `A project has at most ${MOST_PROJECT_SECRETS} secrets`, {
        expression: 'name',
      });
    w.audit({ projectId, action: 'project.secret.set', target: `Project/${projectId}`, after: [secret.name] });
    return undefined;
  });
}

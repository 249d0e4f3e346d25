import { and, eq, notInArray } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { projectSecret } from '#lib/infra/db/schema/operations.ts';
import { ofProject } from '#lib/infra/db/server-role/of-project.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import { requireProof } from '../proofs/require-proof.ts';
import type { Row } from '../store/row.ts';
import { editProject } from './edit-project.ts';
import { findMaskedSecrets, MASK, sealSecret } from './project-secrets.ts';
import { saveSecret } from './save-secret.ts';

/** The project's secrets, as a whole. An entry that carries the mask keeps its value; 400 when there is none to keep. */
export async function replaceSecrets(
  ctx: Ctx,
  projectId: string,
  list: ProjectSetting[],
): Promise<{ row: Row; secret: ProjectSetting[] }> {
  const row = await editProject(ctx, projectId, async (w) => {
    await requireProof(w.actor, w.tx);
    const before = (await findMaskedSecrets(projectId, w.tx)).map(({ name }) => name);
    for (const [index, item] of list.entries()) {
      if (item.valueString !== MASK) await saveSecret(w, projectId, item.name, sealSecret(projectId, item));
      else if (!before.includes(item.name)) {
        throw new AppError('invalid', `There is no secret ${item.name} to keep`, {
          expression: `[${index}].valueString`,
        });
      }
    }
    const names = list.map(({ name }) => name);
    const isOther = names.length > 0 ? [notInArray(projectSecret.name, names)] : [];
    await ofProject(projectId, w.tx, (tx) =>
      tx.delete(projectSecret).where(and(eq(projectSecret.projectId, projectId), ...isOther)),
    );
    w.audit({ projectId, action: 'project.secret.replace', target: `Project/${projectId}`, before, after: names });
    return undefined;
  });
  return { row, secret: list.map(({ name }) => ({ name, valueString: MASK })) };
}

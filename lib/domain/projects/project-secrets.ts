import { count, eq } from 'drizzle-orm';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { projectSecret } from '#lib/infra/db/schema/operations.ts';
import { ofProject } from '#lib/infra/db/server-role/of-project.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { SEALED } from './sealed.ts';

/** What a read shows in place of a value; sent back in a full list, it means "as it was". */
export const MASK = '********';

const PURPOSE = SEALED.project_secret.purpose;

type Sealed = { projectId: string; secret: ProjectSetting };

/** A secret as it stands in the table. It carries its project and name, so that a row put elsewhere does not open. */
export function sealSecret(projectId: string, secret: ProjectSetting): string {
  const sealed: Sealed = { projectId, secret };
  return seal(PURPOSE, JSON.stringify(sealed));
}

/** In clear, sorted by name: for bots, and for an administrator's audited look. */
export async function loadSecrets(projectId: string, tx?: Queryable): Promise<ProjectSetting[]> {
  const rows = await ofProject(projectId, tx, (q) =>
    q.select().from(projectSecret).where(eq(projectSecret.projectId, projectId)).orderBy(projectSecret.name),
  );
  return rows.map(({ name, valueSealed }) => {
    const { projectId: owner, secret } = JSON.parse(unseal(PURPOSE, valueSealed)) as Sealed;
    if (owner !== projectId || secret.name !== name) throw new Error('A project secret stands in the wrong row');
    return secret;
  });
}

export async function countSecrets(projectId: string, tx: Queryable): Promise<number> {
  const [row] = await ofProject(projectId, tx, (q) =>
    q.select({ count: count() }).from(projectSecret).where(eq(projectSecret.projectId, projectId)),
  );
  return row!.count;
}

/** Names only, each with the mask. */
export async function findMaskedSecrets(projectId: string, tx?: Queryable): Promise<ProjectSetting[]> {
  const rows = await ofProject(projectId, tx, (q) =>
    q
      .select({ name: projectSecret.name })
      .from(projectSecret)
      .where(eq(projectSecret.projectId, projectId))
      .orderBy(projectSecret.name),
  );
  return rows.map(({ name }) => ({ name, valueString: MASK }));
}

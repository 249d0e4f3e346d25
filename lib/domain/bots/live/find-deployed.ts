import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { botDeployment } from '#lib/infra/db/schema/bots.ts';

/** Number of the version that runs. */
export async function findDeployed(q: Queryable, projectId: string, botId: string): Promise<number | undefined> {
  const [live] = await q
    .select({ number: botDeployment.number })
    .from(botDeployment)
    .where(and(eq(botDeployment.projectId, projectId), eq(botDeployment.botId, botId)));
  return live?.number;
}

import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { botSample } from '#lib/infra/db/schema/bots.ts';
import type { SampleRequest } from '#lib/protocol/bots/samples.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

type Placed = SampleRequest & { botId: string; id: string; author: string | null; updatedAt: string };

/** Samples as another server had them. */
export async function placeSamples(tx: Queryable, projectId: string, samples: readonly Placed[]): Promise<void> {
  const rows = samples.map(({ botId, id, name, input, expects, stubs, author, updatedAt }) => ({
    ...{ projectId, botId, id, name, contentType: input.contentType, input: input.body, author },
    ...{ expects: JSON.stringify(expects), stubs: stubs ? JSON.stringify(stubs) : null },
    updatedAt: new Date(updatedAt),
  }));
  await tx.insert(botSample).values(rows);
}

const DROP = `
  delete from bot_sample s where s.project_id = $1::uuid and not exists (
    select from resource b where b.project_id = $1::uuid and b.type_id = ${typeId('Bot')} and b.id = s.bot_id::text and not b.deleted)`;

/** Of bots that went while the file was made. */
export async function dropLostSamples(tx: Queryable, projectId: string): Promise<void> {
  await runText(tx, DROP, [projectId]);
}

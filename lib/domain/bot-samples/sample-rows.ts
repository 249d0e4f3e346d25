import { and, count, eq, sql } from 'drizzle-orm';
import { newId } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { namedInHl7, namedWithin } from '#lib/infra/db/named-in-hl7.ts';
import { botSample } from '#lib/infra/db/schema/bots.ts';
import type { SampleRequest } from '#lib/protocol/bots/samples.ts';
import { HL7_TYPE } from '#lib/protocol/hl7/media-type.ts';

export type SampleRow = typeof botSample.$inferSelect;

/** By name. */
export async function findSamples(projectId: string, botId: string): Promise<SampleRow[]> {
  return db().select().from(botSample).where(of(projectId, botId)).orderBy(botSample.name);
}

export async function countSamples(tx: Queryable, projectId: string, botId: string): Promise<number> {
  const [row] = await tx.select({ count: count() }).from(botSample).where(of(projectId, botId));
  return row!.count;
}

/** Undefined when there is none. */
export async function findChangedAt(
  tx: Queryable,
  { projectId, botId, id }: Pick<SampleRow, 'projectId' | 'botId' | 'id'>,
): Promise<Date | undefined> {
  const here = and(of(projectId, botId), eq(botSample.id, id));
  const [row] = await tx.select({ updatedAt: botSample.updatedAt }).from(botSample).where(here);
  return row?.updatedAt;
}

type Saved = { projectId: string; botId: string; id?: string; author: string };

/** A new one, or the one with this id; undefined when there is none with it. */
export async function saveSampleRow(
  tx: Queryable,
  { projectId, botId, id, author }: Saved,
  { name, input, expects, stubs }: SampleRequest,
): Promise<string | undefined> {
  const values = {
    name,
    contentType: input.contentType,
    input: input.body,
    expects: JSON.stringify(expects),
    stubs: stubs ? JSON.stringify(stubs) : null,
    author,
    updatedAt: new Date(),
  };
  if (id === undefined) {
    const made = newId();
    await tx.insert(botSample).values({ projectId, botId, id: made, ...values });
    return made;
  }
  const [row] = await tx
    .update(botSample)
    .set(values)
    .where(and(of(projectId, botId), eq(botSample.id, id)))
    .returning({ id: botSample.id });
  return row?.id;
}

/** As samples of another bot, in place of those of the same name there. */
export async function copySamples(
  tx: Queryable,
  samples: readonly SampleRow[],
  to: { projectId: string; botId: string; author: string | null },
): Promise<void> {
  for (const { name, contentType, input, expects, stubs } of samples) {
    const values = { contentType, input, expects, stubs, author: to.author, updatedAt: new Date() };
    await tx
      .insert(botSample)
      .values({ ...to, id: newId(), name, ...values })
      .onConflictDoUpdate({ target: [botSample.projectId, botSample.botId, botSample.name], set: values });
  }
}

/** Its name, if it was there. */
export async function removeSample(
  tx: Queryable,
  projectId: string,
  botId: string,
  id: string,
): Promise<string | undefined> {
  const [gone] = await tx
    .delete(botSample)
    .where(and(of(projectId, botId), eq(botSample.id, id)))
    .returning({ name: botSample.name });
  return gone?.name;
}

/** Of a bot that is deleted. */
export async function dropSamples(tx: Queryable, projectId: string, botId: string): Promise<void> {
  await tx.delete(botSample).where(of(projectId, botId));
}

/** Those that name something, wherever in them. */
export async function forgetSamples(tx: Queryable, projectId: string, name: string): Promise<void> {
  await tx.execute(sql`
    delete from bot_sample where project_id = ${projectId}::uuid
      and position(${name}::text in name || ' ' || input || ' ' || expects || ' ' || coalesce(stubs, '')) > 0`);
}

/** Those that have a message of HL7 v2, as their input or in a text of theirs, which names a patient by one of these. */
export async function forgetSamplesOn(tx: Queryable, projectId: string, identifiers: readonly string[]): Promise<void> {
  if (identifiers.length === 0) return;
  const isHl7 = sql`lower(trim(split_part(content_type, ';', 1))) = ${HL7_TYPE}`;
  const texts = [sql`case when ${isHl7} then '' else input end`, sql`expects`, sql`coalesce(stubs, '')`];
  const within = texts.map((text) => namedWithin(text, identifiers));
  await tx.execute(sql`
    delete from bot_sample where project_id = ${projectId}::uuid
      and (${sql.join([namedInHl7(sql`input`, identifiers), ...within], sql` or `)})`);
}

function of(projectId: string, botId: string) {
  return and(eq(botSample.projectId, projectId), eq(botSample.botId, botId));
}

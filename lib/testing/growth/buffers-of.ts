import { watchStatements } from '#lib/infra/db/client.ts';
import { db } from '../set-up/own-db.ts';

type Asked = { text: string; params: unknown[] };
type Plan = { Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> };

/** How many pages PostgreSQL looks at for everything that `run` asks of it, each statement explained again with what it was asked. */
export async function buffersOf(run: () => Promise<unknown>): Promise<number> {
  const asked: Asked[] = [];
  const stop = watchStatements((text, params) => void asked.push({ text, params: [...params] }));
  await run();
  stop();
  let buffers = 0;
  for (const statement of asked.filter(isQuery)) {
    // A connection that is new, or was told of changed tables, looks at the catalogue first.
    buffers += Math.min(await explain(statement), await explain(statement), await explain(statement));
  }
  return buffers;
}

async function explain({ text, params }: Asked): Promise<number> {
  const [row] = await db().$client.unsafe<{ 'QUERY PLAN': string | Plan[] }[]>(
    `explain (analyze, buffers, format json) ${text}`,
    params as never[],
  );
  const found = row?.['QUERY PLAN'] ?? [];
  const [{ Plan: plan } = { Plan: undefined }] = typeof found === 'string' ? (JSON.parse(found) as Plan[]) : found;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}

function isQuery({ text }: Asked): boolean {
  return /^\s*(select|with)\b/i.test(text) && !/\b(insert into|update|delete from)\b|pg_advisory/i.test(text);
}

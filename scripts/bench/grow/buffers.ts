import { runText, transaction, watchStatements } from '#lib/infra/db/client.ts';

/** What a request costs PostgreSQL: pages of 8 KiB that it looked at, wherever they lay, and the milliseconds of its statements. */
export type Cost = { buffers: number; ms: number; statements: number };

type Plan = { 'QUERY PLAN': string | [Explained] };
type Explained = {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
  'Execution Time': number;
};

/** Asks, and has PostgreSQL explain each statement that was sent for it, once more, and rolled back. */
export async function costOf(ask: () => Promise<unknown>): Promise<Cost> {
  const sent: { text: string; params: unknown[] }[] = [];
  const stop = watchStatements((text, params) => void sent.push({ text, params }));
  await ask();
  stop();
  const cost = { buffers: 0, ms: 0, statements: 0 };
  for (const { text, params } of sent) {
    if (!/^\s*(?:select|with|insert|update|delete)\b/i.test(text)) continue;
    const { Plan, 'Execution Time': ms } = await explain(text, params);
    cost.buffers += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
    cost.ms += ms;
    cost.statements += 1;
  }
  return cost;
}

class Undo extends Error {}

async function explain(text: string, params: unknown[]): Promise<Explained> {
  let explained: Explained | undefined;
  await transaction(async (tx) => {
    const [row] = await runText<Plan>(tx, `explain (analyze, buffers, format json) ${text}`, params);
    const plan = row!['QUERY PLAN'];
    [explained] = typeof plan === 'string' ? (JSON.parse(plan) as [Explained]) : plan;
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return explained!;
}

import { runText, transaction, watchStatements } from '#lib/infra/db/client.ts';

/**
 * What a request costs PostgreSQL: pages of 8 KiB that it looked at, wherever they lay, and the milliseconds of its statements. `scanned`: tables that
 * were read row by row, and more than the beginning.
 */
export type Cost = { buffers: number; ms: number; statements: number; scanned: string[] };

type Plan = { 'QUERY PLAN': string | [Explained] };
type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};
type Explained = {
  Plan: PlanNode & { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
  'Execution Time': number;
};

/** Asks, and has PostgreSQL explain each statement that was sent for it, once more, and rolled back. */
export async function costOf(ask: () => Promise<unknown>): Promise<Cost> {
  const sent: { text: string; params: unknown[] }[] = [];
  const stop = watchStatements((text, params) => void sent.push({ text, params }));
  await ask();
  stop();
  const cost: Cost = { buffers: 0, ms: 0, statements: 0, scanned: [] };
  for (const { text, params } of sent) {
    if (!/^\s*(?:select|with|insert|update|delete)\b/i.test(text)) continue;
    const { Plan, 'Execution Time': ms } = await explain(text, params);
    cost.buffers += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
    cost.ms += ms;
    cost.statements += 1;
    cost.scanned.push(...scannedBy(Plan));
  }
  return cost;
}

/**
 * So many rows at most are no scan: of a small table PostgreSQL opens no index, and where any rows will do, as for the first of a link that nearly
 * all fulfil (`linkBounds`), it reads the beginning of a large one.
 */
const FEW = 3000;

function scannedBy(node: PlanNode): string[] {
  const { Plans = [], 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 } = node;
  const isScan = node['Node Type'].endsWith('Seq Scan') && (rows + removed) * loops > FEW;
  return [...(isScan ? [String(node['Relation Name'])] : []), ...Plans.flatMap(scannedBy)];
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

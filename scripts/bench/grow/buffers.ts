import postgres from 'postgres';
import { env } from '#lib/base/env.ts';
import { forPostgres, parseAddress } from '#lib/infra/db/address.ts';
import { runText, transaction, watchStatements } from '#lib/infra/db/client.ts';

/**
 * What a request costs PostgreSQL: pages of 8 KiB that it looked at, wherever they lay, and the milliseconds of its statements. `scanned`: tables that
 * were read row by row, and more than the beginning.
 */
export type Cost = { buffers: number; ms: number; statements: number; scanned: string[] };

type Sent = { text: string; params: unknown[]; isKept: boolean };
type Plan = { 'QUERY PLAN': string | [Explained] };
type Said = Plan['QUERY PLAN'] | undefined;
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

/**
 * Asks, and has PostgreSQL explain each statement that was sent for it, once more, and rolled back: what it keeps the plan of as it does it after
 * some times, by a plan that knows no values.
 */
export async function costOf(ask: () => Promise<unknown>): Promise<Cost> {
  const sent: Sent[] = [];
  const stop = watchStatements((text, params, isKept) => void sent.push({ text, params, isKept }));
  await ask();
  stop();
  const cost: Cost = { buffers: 0, ms: 0, statements: 0, scanned: [] };
  for (const statement of sent) {
    if (!/^\s*(?:select|with|insert|update|delete)\b/i.test(statement.text)) continue;
    const { Plan, 'Execution Time': ms } = await explain(statement);
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

async function explain({ text, params, isKept }: Sent): Promise<Explained> {
  const asKept = isKept && params.length > 0 && !CHANGES.test(text);
  const plan = asKept ? await explainKept(text, params) : await explainOnce(text, params);
  const [explained] = typeof plan === 'string' ? (JSON.parse(plan) as [Explained]) : plan!;
  return explained;
}

const CHANGES = /\b(?:insert into|update|delete from)\b|pg_advisory/i;

async function explainOnce(text: string, params: unknown[]): Promise<Said> {
  let plan: Said;
  await transaction(async (tx) => {
    const [row] = await runText<Plan>(tx, `explain (analyze, buffers, format json) ${text}`, params);
    plan = row?.['QUERY PLAN'];
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return plan;
}

/** So often PostgreSQL plans for the values, before it looks whether one plan for all is as good. */
const PLANNED = 5;

async function explainKept(text: string, params: unknown[]): Promise<Said> {
  const sql = postgres({
    ...forPostgres(parseAddress(env().DATABASE_URL)),
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { TimeZone: 'UTC', jit: 'off' },
  });
  const run = `execute kept(${params.map(toLiteral).join(', ')})`;
  try {
    await sql.unsafe(`prepare kept as ${text}`);
    for (let time = 0; time < PLANNED; time += 1) await sql.unsafe(run);
    const [row] = await sql.unsafe<Plan[]>(`explain (analyze, buffers, format json) ${run}`);
    return row?.['QUERY PLAN'];
  } finally {
    await sql.end();
  }
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

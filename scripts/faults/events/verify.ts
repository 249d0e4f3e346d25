import type postgres from 'postgres';

type Counts = { accepted: number; there: number; runs: number; ended: number; dead: number; repeated: number };

/** Of the identifier that each change has. */
export const SYSTEM = 'https://faults.example/event';

type Event = { id: string; number: number };

/**
 * Each change that is there ended once: a run of it is on record that went well, or it is a dead letter, and never both. `repeated`: runs that were cut off,
 * and done once more. Of what was accepted all is there.
 */
export async function judgeEvents(
  sql: postgres.Sql,
  projectId: string,
  accepted: ReadonlySet<number>,
): Promise<{ breaches: string[]; counts: Counts }> {
  const events = await sql<Event[]>`
    select id, (content->'identifier'->0->>'value')::int as number from resource
    where project_id = ${projectId} and not deleted and content->'identifier'->0->>'system' = ${SYSTEM}`;
  const runs = await sql<{ id: string; status: string }[]>`
    select input::jsonb->>'id' as id, status from bot_run where project_id = ${projectId} and trigger = 'subscription'`;
  const letters = await sql<{ focus: string }[]>`select focus from dead_letter where project_id = ${projectId}`;
  const went = countOf(runs.filter(({ status }) => status === 'ok').map(({ id }) => id));
  const dead = countOf(letters.map(({ focus }) => focus.split('/')[1] ?? ''));
  const there = new Set(events.map(({ number }) => number));
  const lost = [...accepted]
    .filter((number) => !there.has(number))
    .map((number) => `${number} was accepted, and is not there`);
  const wrong = events.flatMap(({ id, number }) => {
    const [good, given] = [went(id), dead(id)];
    return good + given === 1 ? [] : [`${number} ended ${good} times well and ${given} times as a dead letter`];
  });
  const ended = events.filter(({ id }) => went(id) === 1).length;
  const buried = events.filter(({ id }) => dead(id) === 1).length;
  return {
    breaches: [...lost, ...wrong],
    counts: {
      accepted: accepted.size,
      there: events.length,
      runs: runs.length,
      ended,
      dead: buried,
      repeated: runs.length - ended - buried,
    },
  };
}

export function toCounts(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function countOf(ids: readonly string[]): (id: string) => number {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return (id) => counts.get(id) ?? 0;
}

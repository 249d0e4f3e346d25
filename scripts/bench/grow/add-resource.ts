import { randomUUID } from 'node:crypto';
import { toNewRow } from '#lib/domain/store/create-row.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { openCopy } from './copy.ts';

export type Filling = { copy: ReturnType<typeof openCopy>; random: () => number };

export const DAY = 24 * 60 * 60_000;

const RESOURCE =
  'resource (project_id, type_id, id, version, last_updated, author, meta, content, tokens, sort_date, sort_end)';
const HISTORY = 'resource_history (project_id, type_id, id, version, op, last_updated, author, meta, content)';

/** As the store's INSERT has it (lib/domain/store/statements.ts). Changed at some time in the last thirty days. */
export async function addResource(
  { copy, random }: Filling,
  projectId: string,
  resource: Resource,
  id: string = randomUUID(),
): Promise<string> {
  const { row, params } = toNewRow({ actor: undefined }, projectId, resource, { author: undefined, id });
  const [, type, , version, , author, meta, content, tokens, sortDates, ...index] = params as (string | null)[];
  const updated = new Date(Date.now() - random() * 30 * DAY).toISOString();
  const [sortDate, sortEnd] = sortDates!
    .slice(1, -1)
    .split(',')
    .map((text) => (text === 'NULL' ? null : text));
  await copy.add(RESOURCE, [projectId, type, id, version, updated, author, meta, content, tokens, sortDate, sortEnd]);
  await copy.add(HISTORY, [projectId, type, id, version, 'create', updated, author, meta, content]);
  const [quantities, words] = index.splice(5);
  const [stringParams, values, dateParams, los, his] = index.map(fromArray);
  for (const [at, param] of stringParams!.entries()) {
    await copy.add('ix_string (project_id, param, value, id)', [projectId, param, values![at], id]);
  }
  for (const [at, param] of dateParams!.entries()) {
    await copy.add('ix_date (project_id, param, lo, hi, id)', [projectId, param, los![at], his![at], id]);
  }
  for (const { p, k, t, l, h, b, bl, bh } of JSON.parse(quantities ?? '[]') as Record<string, string>[]) {
    const tags = `{${String(t)}}`;
    await copy.add('ix_quantity (project_id, param, key, tags, lo, hi, base, base_lo, base_hi, id)', [
      projectId,
      String(p),
      k!,
      tags,
      l!,
      h!,
      b ?? null,
      bl ?? null,
      bh ?? null,
      id,
    ]);
  }
  for (const { p, w, x } of JSON.parse(words ?? '[]') as { p: number; w: string[]; x: string }[]) {
    await copy.add('ix_words (project_id, param, words, text, id)', [projectId, String(p), `{${w.join(',')}}`, x, id]);
  }
  return row.id;
}

export function pick<T>({ random }: Filling, of: readonly T[]): T {
  return of[Math.floor(random() * of.length)]!;
}

/** A PostgreSQL array's text, as `toIndexParams` writes it. */
function fromArray(text: string | null): string[] {
  if (!text || text === '{}') return [];
  return text.startsWith('{"') ? (JSON.parse(`[${text.slice(1, -1)}]`) as string[]) : text.slice(1, -1).split(',');
}

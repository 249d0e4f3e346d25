import { type Ctx, requireActor } from '../access/context.ts';
import type { FoundConcept } from './find-concept.ts';
import { findConcepts } from './find-concepts.ts';

const MOST = 1000;

/** The codes right below a concept of a system of the project, in its order: the first 1,000. */
export async function findChildren(ctx: Ctx, { system: { id: systemId }, concept }: FoundConcept): Promise<string[]> {
  if (systemId === undefined || !concept) return [];
  const filters = [{ p: 'parent', op: '=', v: [concept.code] }];
  const wanted = { projectId: requireActor(ctx).projectId, systemId, filters };
  const rows = await findConcepts(wanted, { offset: 0, count: MOST }, ctx.write?.tx);
  return rows.map(({ code }) => code);
}

import { db, runText } from '#lib/infra/db/client.ts';
import { badParameter } from '#lib/protocol/fhir/search/values.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { findSystem } from './find-concept.ts';
import { findOwnCode } from './find-own-code.ts';

/** `most`: so many codes, and one more tells that there are others. */
export type Related = { way: 'above' | 'below'; system: string; code: string; most: number };

/**
 * A code and all that lies above it, or below, in the hierarchy of a system that the caller may see. Throws 404 for an unknown system, and 400, naming
 * the parameter, for a code that it lacks and for a system whose hierarchy is not known here.
 */
export async function findRelated(
  ctx: Ctx,
  name: string,
  { way, system, code, most }: Related,
): Promise<{ system: string; code: string }[]> {
  const { projectId } = requireActor(ctx);
  const found = await findSystem(ctx, { url: system });
  if ('codes' in found) throw badParameter(name, `${name}: the hierarchy of ${system.slice(0, 200)} is not known here`);
  const text = way === 'above' ? ABOVE : BELOW;
  const q = ctx.write?.tx ?? db();
  const own = found.folds ? await findOwnCode({ projectId, systemId: found.id }, code, q) : code;
  const rows = await runText<{ code: string }>(q, text, [projectId, found.id, own ?? code, most + 1]);
  if (rows.length === 0) throw badParameter(name, `${name}: ${system.slice(0, 200)} has no code ${code.slice(0, 200)}`);
  return rows.map((row) => ({ system, code: row.code }));
}

const OF_SYSTEM = 'from concept c where c.project_id = $1::uuid and c.system_id = $2';
const ABOVE = `select unnest(array[c.code] || c.ancestors) as code ${OF_SYSTEM} and c.code = $3 limit $4::int`;
const BELOW = `select c.code ${OF_SYSTEM} and (c.code = $3 or $3 = any(c.ancestors)) limit $4::int`;

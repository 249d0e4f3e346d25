import type { Queryable } from '#lib/infra/db/client.ts';
import type { Difference } from '#lib/protocol/bots/dry-run.ts';
import type { Mask } from '#lib/protocol/bots/secret-mask.ts';
import { parseKept } from '#lib/protocol/json/json.ts';
import type { Actor, AuditEntry } from '../access/context.ts';
import { shown } from '../rest/shown.ts';
import { findRow } from '../store/find-row.ts';
import { type Row, toWire } from '../store/row.ts';

/** Of all of them together. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A resource's: audit entries also tell of what is none, as a job. */
const RESOURCE = /^[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;

/**
 * What these entries come to, resource by resource in the order in which they were first changed: as it stands for everybody else, and as it
 * stands in the transaction. What was made and deleted again is not told.
 */
export async function toDifferences(
  actor: Actor,
  entries: readonly AuditEntry[],
  { tx, mask }: { tx: Queryable; mask: Mask | undefined },
): Promise<Difference[]> {
  const targets = new Set(entries.filter(isChange).map(({ projectId, target }) => `${projectId} ${target}`));
  const differences: Difference[] = [];
  let left = MOST_CHARACTERS;
  for (const key of targets) {
    const [projectId = '', target = ''] = key.split(' ');
    const [type = '', id = ''] = target.split('/');
    const before = await findRow(projectId, type, id);
    const after = await findRow(projectId, type, id, tx);
    const see = async (row: Row | undefined, q?: Queryable) =>
      row && !row.deleted ? toWire(await shown(actor, row, q), true) : undefined;
    const [was, is] = [await see(before), await see(after, tx)];
    if (was === undefined && is === undefined) continue;
    if (before && after && before.version === after.version) continue;
    const shownTarget = mask ? await mask(target) : target;
    const action = was === undefined ? 'create' : is === undefined ? 'delete' : 'update';
    left -= (was?.length ?? 0) + (is?.length ?? 0);
    differences.push(
      left < 0
        ? { action, target: shownTarget, before: null, after: null, tooLong: true }
        : { action, target: shownTarget, before: await toValue(was, mask), after: await toValue(is, mask) },
    );
  }
  return differences;
}

function isChange({ action, target, outcome = 0 }: AuditEntry): boolean {
  return outcome === 0 && RESOURCE.test(target) && !/\.(?:read|search)$/.test(action);
}

async function toValue(text: string | undefined, mask: Mask | undefined): Promise<unknown> {
  if (text === undefined) return null;
  return parseKept(mask ? await mask(text, { json: true }) : text);
}

import { takeTurns } from '#lib/base/turns.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor, type Write } from '../../access/context.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { noteRead } from '../../audit/note-read.ts';
import { lockRows } from '../../store/find-row.ts';
import { createRows, deleteRows, type Next, updateRows } from '../../store/many/write-many.ts';
import type { Row } from '../../store/row.ts';
import { changeable } from '../../store/visible-row.ts';
import { auditEntry } from '../audit-entry.ts';
import { type Reaches, requireChangeable, requireWritable } from '../change-resource.ts';
import { requireConstraints } from '../constraints/require-constraints.ts';
import { toNew } from '../create-resource.ts';
import { isDeletable } from '../delete-resource.ts';
import { refuseClosed } from '../locate.ts';
import { shown } from '../shown.ts';
import type { TypeRule } from '../type-rule.ts';
import { ruleOf } from '../type-rules.ts';
import type { Written } from '../written.ts';
import { atStep, type Step } from './steps.ts';

/** What of a type's rules is asked here, too; where there is another, its verb is. */
const ASKED_HERE: Record<'create' | 'update' | 'delete', readonly (keyof TypeRule)[]> = {
  create: ['updated', 'beforeDelete', 'lockForDelete'],
  update: ['updated', 'beforeDelete', 'lockForDelete'],
  delete: ['updated', 'beforeDelete'],
};

/** Whether many of a type are done at once. */
export function isPlain(type: string, verb: keyof typeof ASKED_HERE): boolean {
  return Object.keys(ruleOf(type)).every((name) => ASKED_HERE[verb].some((known) => known === name));
}

export type Inner = Ctx & { write: Write };
export type Known = Step & { id: string };
export type Given = Known & { resource: Resource };

/** As `createResource`, of many that are valid, with the ids that they have been given. */
export async function createMany({ write: w, ...ctx }: Inner, steps: readonly Given[]): Promise<Row[]> {
  const actor = requireActor(ctx);
  const turn = takeTurns();
  const resources = [];
  for (const { index, type, id, resource } of steps) {
    await turn();
    const after = await atStep(index, () => {
      typeId(type);
      refuseClosed(actor, type, 'create');
      return toNew({ ...ctx, write: w }, { ...resource, id });
    });
    resources.push(after);
  }
  const rows = await createRows(w, actor.projectId, resources, actor.profile);
  for (const row of rows) w.audit(auditEntry('create', row));
  return rows;
}

/** As `updateResource`, of many that are valid. What is not there is left out of what is returned, by index. */
export async function updateMany({ write: w, ...ctx }: Inner, steps: readonly Given[]): Promise<Map<number, Written>> {
  const actor = requireActor(ctx);
  const { projectId } = actor;
  const written = new Map<number, Written>();
  for (const [type, some] of byType(steps)) {
    const reaches = await atStep(some[0]!.index, () => reachesOf(ctx, type));
    const rows = await lock(w, projectId, type, some);
    const there = some.filter(({ id }) => rows.has(id));
    const turn = takeTurns();
    const nexts: Next[] = [];
    for (const { index, id, resource, given } of there) {
      await turn();
      const current = rows.get(id)!;
      await atStep(index, async () => {
        await requireChangeable(current, reaches, given, w.tx);
        const next = await changeable(actor, current, resource, w.tx);
        await requireWritable(reaches.writable, projectId, { ...next, id }, w.tx);
        await requireConstraints({ ...ctx, write: w }, 'update', { current, after: { ...next, id } });
        nexts.push({ current, resource: next });
      });
    }
    const next = await updateRows(w, projectId, type, nexts, actor.profile);
    for (const [at, { index, id }] of there.entries()) {
      const [current, row] = [rows.get(id)!, next[at]!];
      const isChanged = row !== current;
      if (isChanged) {
        w.audit(auditEntry('update', row, current));
        await atStep(index, () => ruleOf(type).updated?.(w, row, current));
      } else noteRead(ctx, type, id);
      written.set(index, {
        row: await shown(actor, row, w.tx),
        created: isChanged && current.deleted,
        changed: isChanged,
      });
    }
  }
  return written;
}

/** As `deleteResource`, of many: what is gone already stays so. */
export async function deleteMany({ write: w, ...ctx }: Inner, steps: readonly Known[]): Promise<void> {
  const actor = requireActor(ctx);
  const { projectId } = actor;
  for (const [type, some] of byType(steps)) {
    const { deletable, readable } = await atStep(some[0]!.index, () => {
      typeId(type);
      refuseClosed(actor, type, 'delete');
      const deletable = reach(actor, type, 'delete');
      return { deletable, readable: mayReach(actor, type, 'read') ? reach(actor, type, 'read') : deletable };
    });
    const rows = await lock(w, projectId, type, some);
    const gone: Row[] = [];
    for (const { index, id, given } of some) {
      const row = rows.get(id);
      if (!row) continue;
      await atStep(index, async () => {
        if (!(await isDeletable(row, { readable, deletable }, given, w.tx))) return;
        await ruleOf(type).beforeDelete?.(w, row, actor);
        gone.push(row);
      });
    }
    await deleteRows(w, projectId, type, gone, actor.profile);
    for (const row of gone) w.audit(auditEntry('delete', row, row));
  }
}

/** Which of them are there by now, deleted ones too: these are locked, in the order that all keep. */
export async function lockAll({ write: w, ...ctx }: Inner, steps: readonly Known[]): Promise<(step: Known) => boolean> {
  const { projectId } = requireActor(ctx);
  const locked = new Set<string>();
  for (const [type, some] of byType(steps))
    for (const id of (await lock(w, projectId, type, some)).keys()) locked.add(`${type}/${id}`);
  return ({ type, id }) => locked.has(`${type}/${id}`);
}

function reachesOf(ctx: Ctx, type: string): Reaches {
  const actor = requireActor(ctx);
  typeId(type);
  refuseClosed(actor, type, 'update');
  return { writable: reach(actor, type, 'update'), readable: reach(actor, type, 'read') };
}

/** In the order that all keep, so that two transactions never wait for each other. */
function byType<S extends Known>(steps: readonly S[]): [string, S[]][] {
  return [...Map.groupBy(steps, ({ type }) => type)].sort(([a], [b]) => (a < b ? -1 : 1));
}

async function lock(w: Write, projectId: string, type: string, steps: readonly Known[]): Promise<Map<string, Row>> {
  const ids = steps.map(({ id }) => id).filter(isFhirId);
  return new Map((await lockRows(w.tx, projectId, type, ids)).map((row) => [row.id, row]));
}

import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { type Extracted, extract } from '#lib/protocol/fhir/index/extract.ts';
import { evaluate, relatedIn } from '#lib/protocol/fhir/search/ir.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor, type Write } from '../../access/context.ts';
import { openGrantOf } from '../../access/glass.ts';
import { reach } from '../../access/policy.ts';
import { noteRead } from '../../audit/note-read.ts';
import { relate } from '../../store/links/relate.ts';
import { toColumns } from '../../store/row.ts';
import { findMatches, type Match } from './find-matches.ts';
import type { Named, Names } from './links.ts';
import { type Step, StepError, type Target } from './steps.ts';

type Planned = {
  steps: readonly Step[];
  names: Names;
  targets: ReadonlyMap<number, Target>;
  validated: ReadonlyMap<number, Resource>;
};

/** Each of them judged by each resource of its type that the transaction writes. */
const MOST_JUDGED = 500_000;

/**
 * What the conditional references mean (R4 http §3.1.0.11.2): the one resource that the caller finds so once the transaction is done, of those
 * that stay as they are and those that it writes. By their texts. Throws 412 for one that means none, or several.
 */
export async function resolveReferences(ctx: Ctx & { write: Write }, planned: Planned): Promise<Map<string, string>> {
  const { conditional } = planned.names;
  const conditions = [...conditional].map(([text, { step }]) => {
    return { index: step.index, type: text.slice(0, text.indexOf('?')), text };
  });
  if (conditions.length === 0) return new Map();
  const matches = await findMatches(ctx, conditions, false);
  const changed = new Set(
    planned.steps.flatMap(({ index, type, verb }) => {
      const { id, isNew } = planned.targets.get(index) ?? {};
      return id === undefined || isNew || verb === 'create' ? [] : [`${type}/${id}`];
    }),
  );
  const written = await extractWritten(ctx, planned, new Set(matches.map(({ type }) => type)));
  const judged = matches.reduce((sum, { type }) => sum + (written.get(type)?.length ?? 0), 0);
  if (judged > MOST_JUDGED) throw tooMany();
  const turn = takeTurns();
  const found = new Map<string, string>();
  for (const match of matches) {
    await turn();
    const kept = match.rows.map(({ id }) => id).filter((id) => !changed.has(`${match.type}/${id}`));
    // A search like any other: in an emergency it is told whom it found.
    if (openGrantOf(ctx.actor)) noteRead(ctx, match.type, undefined, kept);
    const ids = [...kept, ...idsOf(match, written.get(match.type) ?? [])];
    const [id, another] = ids;
    if (id === undefined || another !== undefined) throw refused(conditional.get(match.text)!, another === undefined);
    found.set(match.text, `${match.type}/${id}`);
  }
  return found;
}

/** `isSeen`: the caller will find it. */
type Written = Known & { isSeen: boolean };
type Known = { id: string; index: Extracted; resource: Resource };

/** Of these types, what the transaction stores and has an id for. */
async function extractWritten(
  ctx: Ctx & { write: Write },
  planned: Planned,
  types: ReadonlySet<string>,
): Promise<Map<string, Written[]>> {
  const actor = requireActor(ctx);
  const { steps, targets, validated } = planned;
  const turn = takeTurns();
  const known = new Map<string, Known[]>();
  for (const { index, type, verb } of steps) {
    const { id, row } = targets.get(index) ?? {};
    const resource = validated.get(index);
    if (!types.has(type) || id === undefined || !resource || (verb === 'create' && row)) continue;
    await turn();
    const extracted = extract(actor.projectId, { ...resource, id }, fhirBase());
    const others = known.get(type);
    if (others) others.push({ id, index: extracted, resource });
    else known.set(type, [{ id, index: extracted, resource }]);
  }
  const written = new Map<string, Written[]>();
  for (const [type, some] of known) {
    const within = reach(actor, type, 'search');
    const { projectId } = actor;
    const candidates = some.map(({ id, resource }) => ({ projectId, type, id, content: toColumns(resource).content }));
    const related = relatedIn(within).length > 0 ? await relate([within], candidates, ctx.write.tx) : [];
    const lastUpdated = new Date();
    const isSeen = ({ id, index }: Known, at: number) =>
      evaluate(within, index, { id, lastUpdated, related: related[at] });
    written.set(
      type,
      some.map((one, at) => ({ ...one, isSeen: isSeen(one, at) })),
    );
  }
  return written;
}

function idsOf({ filter }: Match, written: readonly Written[]): string[] {
  const lastUpdated = new Date();
  return written.flatMap(({ id, index, isSeen }) => {
    return isSeen && evaluate(filter, index, { id, lastUpdated }) ? [id] : [];
  });
}

function refused({ step, link }: Named, isNone: boolean): StepError {
  const expression = `Bundle.entry[${step.index}].resource${link.path.replace(/^\w*/, '')}`;
  const condition = link.text.slice(0, 200);
  const error = isNone
    ? new AppError('precondition-failed', `Nothing matches ${condition}`, { expression })
    : new AppError('multiple-matches', `Several resources match ${condition}`, { expression });
  return new StepError(step.index, error);
}

function tooMany(): AppError {
  const text = 'Too many conditional references: name the entries that they mean';
  return new AppError('business-rule', text, { issues: [{ text, code: 'too-costly', expression: 'Bundle.entry' }] });
}

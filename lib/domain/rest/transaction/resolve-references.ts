import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { type Extracted, extract } from '#lib/protocol/fhir/index/extract.ts';
import { and, type Expr, evaluate } from '#lib/protocol/fhir/search/ir.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, requireActor, type Write } from '../../access/context.ts';
import { reach } from '../../access/policy.ts';
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
  const actor = requireActor(ctx);
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
  const written = await extractWritten(actor, planned, new Set(matches.map(({ type }) => type)));
  const judged = matches.reduce((sum, { type }) => sum + (written.get(type)?.length ?? 0), 0);
  if (judged > MOST_JUDGED) throw tooMany();
  const turn = takeTurns();
  const found = new Map<string, string>();
  for (const match of matches) {
    await turn();
    const kept = match.rows.map(({ id }) => id).filter((id) => !changed.has(`${match.type}/${id}`));
    const ids = [...kept, ...idsOf(actor, match, written.get(match.type) ?? [])];
    const [id, another] = ids;
    if (id === undefined || another !== undefined) throw refused(conditional.get(match.text)!, another === undefined);
    found.set(match.text, `${match.type}/${id}`);
  }
  return found;
}

type Written = { id: string; index: Extracted };

/** Of these types, what the transaction stores and has an id for. */
async function extractWritten(
  actor: Actor,
  planned: Planned,
  types: ReadonlySet<string>,
): Promise<Map<string, Written[]>> {
  const { steps, targets, validated } = planned;
  const turn = takeTurns();
  const written = new Map<string, Written[]>();
  for (const { index, type, verb } of steps) {
    const { id, row } = targets.get(index) ?? {};
    const resource = validated.get(index);
    if (!types.has(type) || id === undefined || !resource || (verb === 'create' && row)) continue;
    await turn();
    const extracted = extract(actor.projectId, { ...resource, id }, fhirBase());
    const others = written.get(type);
    if (others) others.push({ id, index: extracted });
    else written.set(type, [{ id, index: extracted }]);
  }
  return written;
}

function idsOf(actor: Actor, { type, filter }: Match, written: readonly Written[]): string[] {
  if (written.length === 0) return [];
  const wanted: Expr = and([reach(actor, type, 'search'), filter]);
  const lastUpdated = new Date();
  return written.flatMap(({ id, index }) => (evaluate(wanted, index, { id, lastUpdated }) ? [id] : []));
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

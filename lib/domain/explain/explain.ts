import { notFound } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { ExplainRequest } from '#lib/protocol/explain/explain-request.ts';
import type { Explanation, FailedConstraint, ToldRow } from '#lib/protocol/explain/explanation.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { namesPolicy } from '#lib/protocol/policies/policy-required.ts';
import { isTooHeavy, TOO_HEAVY } from '../access/access-weight.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { everHidden, hiddenOf, keptOf } from '../access/fields.ts';
import { mayReach, reach } from '../access/policy.ts';
import { writesInto } from '../access/writes-into.ts';
import { noteRead } from '../audit/note-read.ts';
import { judgeOnce } from '../rest/constraints/fhirpath-budget.ts';
import { unmetOf } from '../rest/constraints/require-constraints.ts';
import { ruleOf } from '../rest/type-rules.ts';
import { type ToldPolicy, toldPolicy } from '../sight/told-policy.ts';
import { findRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { changeable, creatable, judgeOf, judgeResource } from '../store/visible-row.ts';
import { judgeable } from '../store/within-reach.ts';
import { type Attempt, attempt } from './attempt.ts';
import { amongThese, findForAsker, matchesOf, requirePlainQuery } from './find-rows.ts';
import { type Asked, loadSubject, type Subject } from './load-subject.ts';
import { requireSight } from './require-sight.ts';
import { tellConjuncts } from './tell-conjuncts.ts';
import { type Judges, type Spoken, tellRules } from './tell-rules.ts';

/** So many rules are told. */
const MOST_RULES = 50;

/**
 * What a member may do, or would with a draft, and why: the request itself is made with their rights and what it writes is taken back, so what it
 * is answered with is so; which rule decided the engine's own rules are asked. For administrators; of records, for those who see all of them.
 */
export async function explain(ctx: Ctx, projectId: string, asked: ExplainRequest): Promise<Explanation> {
  const asker = requireSight(ctx, projectId, asked);
  if (asked.query !== undefined) requirePlainQuery(asked.query);
  return explainTo(ctx, asker, { projectId, asked });
}

/** The same to who was found to see all of it. In an open transaction, of what is stored at its moment; what is written is taken back there. */
export async function explainTo(ctx: Ctx, asker: Actor, question: Asked): Promise<Explanation> {
  const { projectId, asked } = question;
  const q = ctx.write?.tx;
  const subject = await loadSubject(asker, question, q);
  const { actor: member, fault } = subject;
  if (!member) return ofNobody(subject, fault?.code === 'invalid' ? 400 : 401);
  const { interaction, resourceType: type, id } = asked;
  const row = id === undefined ? undefined : await findRow(projectId, type, id, q);
  if (id !== undefined) noteRead(ctx, type, id);
  const found = asked.query === undefined ? [] : await findForAsker(ctx, asker, projectId, asked);
  const query = asked.query === undefined ? undefined : amongThese(asked.query, found);
  const judging = judgeOnce();
  const result = await attempt({ ...ctx, judging }, member, { ...asked, query }, row);
  if (id !== undefined && !row && !result.isAllowed && result.status !== 403) throw notFound();
  const ends = await endsOf(member, asked, row, q);
  const { membership, policies } = subject;
  const { superAdmin, requiresPolicy } = member;
  const told = await toldPolicy({ projectId, membership, policies, superAdmin, requiresPolicy });
  const judges = await Promise.all(ends.map((end) => judgeEnd(told, end, q)));
  const spoken = tellRules(subject, told, { type, interaction }, judges);
  const constraints = await failedOf({ ...ctx, judging }, { member, spoken }, ends);
  const deciding = result.isAllowed ? decidingOf(spoken, constraints) : -1;
  const rows = asked.query === undefined ? null : await tellRows({ member, told, type, spoken, found, result });
  return {
    outcome: outcomeOf(member, asked, result),
    ...{ status: result.status, text: result.text ?? textOf(member, asked) },
    conjuncts: tellConjuncts(member, asked, { isBare: !namesPolicy(membership), result, judges, constraints }),
    rule: deciding < 0 ? null : deciding,
    ...{ rules: spoken.slice(0, MOST_RULES).map(({ told }) => told), more: Math.max(0, spoken.length - MOST_RULES) },
    ...fieldsOf(member, asked, judges),
    ...{ constraints, rows, writesInto: isWrite(asked) ? [...writesInto(member.policy)] : [] },
  };
}

function ofNobody({ fault, membership, policies }: Subject, status: number): Explanation {
  const isBroken = status === 400;
  const isHeavy = isTooHeavy(membership, policies);
  const text = fault?.message ?? '';
  return {
    ...{
      outcome: 'deny',
      status,
      text,
      rule: null,
      rules: [],
      more: 0,
      hidden: [],
      readonly: [],
      constraints: [],
      writesInto: [],
      rows: null,
    },
    conjuncts: [
      isBroken
        ? {
            name: 'policies',
            isMet: false,
            text: isHeavy ? TOO_HEAVY : 'A policy that the membership names is not there: nothing of it holds',
          }
        : { name: 'membership', isMet: false, text: 'The membership is not active, or not at this time' },
    ],
  };
}

function isWrite({ interaction }: ExplainRequest): boolean {
  return interaction === 'create' || interaction === 'update';
}

/** What the criteria are asked of. */
type End = { row: Row } | { resource: Stored<Resource>; projectId: string };

async function endsOf(member: Actor, asked: ExplainRequest, row: Row | undefined, q?: Queryable): Promise<End[]> {
  const { projectId } = member;
  const { interaction, resource } = asked;
  const before = row ? [{ row: await judgeable(row, q) }] : [];
  if (interaction === 'create' && resource) {
    const { resource: made } = await creatable(member, projectId, { ...resource, id: 'new' }, q);
    return [{ projectId, resource: made }];
  }
  if (interaction !== 'update' || !row || row.deleted || !resource) return before;
  return [...before, { projectId, resource: { ...(await changeable(member, row, resource, q)), id: row.id } }];
}

function judgeEnd(bound: ToldPolicy, end: End, q?: Queryable): Promise<Judges[number]> {
  return 'row' in end ? judgeOf(bound, end.row, q) : judgeResource(bound, end.projectId, end.resource, q);
}

function decidingOf(spoken: Spoken[], failed: readonly FailedConstraint[]): number {
  return spoken.findIndex(({ told: { covers, holds, policy, index } }) => {
    const isFailed = failed.some((each) => each.index === index && each.policy?.reference === policy?.reference);
    return covers && holds !== false && !isFailed;
  });
}

type Case = { member: Actor; spoken: Spoken[] };

/** Of a change that is refused, or that a rule without them did not let through: which constraints of the rules that hold are not true. */
async function failedOf(ctx: Ctx, { member, spoken }: Case, ends: readonly End[]): Promise<FailedConstraint[]> {
  const last = ends.at(-1);
  const first = ends[0];
  if (!last) return [];
  const after = 'row' in last ? (toResource(last.row) as Stored<Resource>) : last.resource;
  const before = first && 'row' in first && first.row.content !== null ? first.row : undefined;
  const failed: FailedConstraint[] = [];
  for (const { rule, told } of spoken) {
    const { constraint } = rule;
    if (!constraint || !told.covers || told.holds !== true) continue;
    for (const at of await unmetOf({ ...ctx, actor: member }, rule, before, after)) {
      const expression = constraint.expressions[at] ?? '';
      failed.push({ policy: told.policy, index: told.index, constraint: at, expression });
    }
  }
  return failed;
}

function outcomeOf(member: Actor, asked: ExplainRequest, { isAllowed }: Attempt): Explanation['outcome'] {
  if (!isAllowed) return 'deny';
  if (asked.query !== undefined) return 'rows';
  if (asked.id !== undefined || asked.resource) return 'allow';
  return isWhole(member, asked) ? 'allow' : 'some';
}

/** Whether it is for every record of the type, whatever is in it. */
function isWhole(member: Actor, { resourceType: type, interaction }: ExplainRequest): boolean {
  return mayReach(member, type, interaction) && reach(member, type, interaction).op === 'all';
}

function textOf(member: Actor, asked: ExplainRequest): string {
  const { interaction, resourceType: type, id, resource, query } = asked;
  if (query !== undefined) return `They may search ${type}: of the records found, those are seen that a rule holds of`;
  if (id !== undefined) return `They may ${interaction} this ${type}`;
  if (resource) return `They may create this ${type}`;
  return isWhole(member, asked)
    ? `They may ${interaction} every ${type}`
    : `They may ${interaction} a ${type} that one of the rules holds of`;
}

function fieldsOf(member: Actor, asked: ExplainRequest, judges: Judges): Pick<Explanation, 'hidden' | 'readonly'> {
  const { interaction, resourceType: type } = asked;
  const ofType = ruleOf(type).hidden?.(member) ?? [];
  const judge = judges[0];
  const hidden = judge ? hiddenOf(member, type, judge) : everHidden(member, type);
  const kept =
    judge && (interaction === 'create' || interaction === 'update') ? keptOf(member, type, interaction, judge) : [];
  return { hidden: [...new Set([...ofType, ...hidden])], readonly: [...kept].filter((name) => !hidden.has(name)) };
}

type Of = {
  member: Actor;
  told: ToldPolicy;
  type: string;
  spoken: Spoken[];
  found: readonly string[];
  result: Attempt;
};

async function tellRows({ member, told, type, spoken, found, result }: Of): Promise<ToldRow[]> {
  const seen = new Set(result.bundle === undefined ? [] : matchesOf(result.bundle));
  const rows = await Promise.all(found.map((id) => findRow(member.projectId, type, id)));
  const judges = await Promise.all(
    rows.map((row) => (row && !row.deleted && seen.has(row.id) ? judgeOf(told, row) : undefined)),
  );
  return found.map((id, at) => {
    const judge = judges[at];
    const rule = judge ? spoken.findIndex((each) => each.told.covers && judge(each.rule)) : -1;
    const hidden = judge ? [...hiddenOf(member, type, judge)] : [];
    return { reference: `${type}/${id}`, isSeen: seen.has(id), rule: rule < 0 ? null : rule, hidden };
  });
}

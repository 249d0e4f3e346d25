import { AppError, notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { isUuid } from '#lib/base/ids.ts';
import { isConnectionLoss, isStarved } from '#lib/infra/db/errors.ts';
import type { CaregiverOutcome, CaregiverOutcomes } from '#lib/protocol/caregivers/answers.ts';
import type { CaregiversRequest } from '#lib/protocol/caregivers/requests.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { AccessEntry, AccessPolicy, Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { type Actor, type Ctx, requireProjectAdmin } from '../access/context.ts';
import { itemsOf } from '../access/entry-rules.ts';
import { lineageOf } from '../access/lineage.ts';
import { reach } from '../access/policy.ts';
import { editMember } from '../memberships/edit-member.ts';
import { findRow } from '../store/find-row.ts';
import { findLineages } from '../store/policies/find-policies.ts';
import { toResource } from '../store/row.ts';
import { searchRows } from '../store/search-rows.ts';

const PAGE = 100;

/**
 * An entry of `access` for each member and patient, put there or taken away: each member in one transaction by the rules of any change of one, and
 * what one is refused leaves the others alone. What is so already stays. Throws 400 naming `policy`, and `patients[n]` for one that the caller does
 * not see; 403.
 */
export async function changeCaregivers(
  ctx: Ctx,
  projectId: string,
  request: CaregiversRequest,
): Promise<CaregiverOutcomes> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  if (request.act === 'add') {
    await requireParameter(projectId, request);
    await requirePatients(actor, projectId, request.patients);
  }
  const rows: CaregiverOutcome[] = [];
  for (const { membership, version } of request.members) {
    const ifMatch = version === undefined ? undefined : [String(version)];
    rows.push(await changeOne(ctx, { projectId, membership, ifMatch }, request));
  }
  return { rows };
}

/** What these mean no entry says. */
const TAKEN = new Set([
  'profile',
  'now',
  'before',
  'after',
  'resource',
  'rootResource',
  'context',
  'ucum',
  'sct',
  'loinc',
]);

/** A policy whose rules do not speak of the parameter would be given in full, as often as there are patients. */
async function requireParameter(projectId: string, { policy, parameter }: CaregiversRequest): Promise<void> {
  const row = await findRow(projectId, 'AccessPolicy', policy.slice('AccessPolicy/'.length));
  if (!row || row.deleted)
    throw new AppError('invalid', 'This access policy does not exist or does not belong to this project', {
      expression: 'policy',
    });
  const policies = await findLineages(projectId, [], { known: new Map([[policy, toResource<AccessPolicy>(row)]]) });
  const texts = itemsOf(lineageOf(policy, policies) ?? []).flatMap(({ item: { criteria, writeConstraint = [] } }) => [
    criteria ?? '',
    ...writeConstraint.map(({ expression = '' }) => expression),
  ]);
  const speaks = new RegExp(`%${parameter}(?![\\w-])`);
  if (!TAKEN.has(parameter) && texts.some((text) => speaks.test(text))) return;
  throw new AppError('invalid', `This access policy says nothing of %${parameter}`, { expression: 'parameter' });
}

/** Those that the caller may read: who is limited learns of no other. */
async function requirePatients(actor: Actor, projectId: string, patients: readonly string[]): Promise<void> {
  const seen = new Set<string>();
  const within = reach(actor, 'Patient', 'read');
  for (let at = 0; at < patients.length; at += PAGE) {
    const ids = patients.slice(at, at + PAGE).map((reference) => reference.slice('Patient/'.length));
    const query = parseSearch('Patient', [['_id', ids.join(',')]], projectId, { baseUrl: fhirBase() });
    const { rows } = await searchRows(
      projectId,
      { ...query, count: PAGE, offset: 0, sort: [], cursor: undefined, total: 'none', summary: undefined },
      within,
    );
    for (const { id } of rows) seen.add(`Patient/${id}`);
  }
  const issues = patients.flatMap((reference, at) =>
    seen.has(reference) ? [] : [{ text: `${reference} is not there`, expression: `patients[${at}]` }],
  );
  if (issues[0]) throw new AppError('invalid', issues[0].text, { issues });
}

type One = { projectId: string; membership: string; ifMatch: string[] | undefined };

async function changeOne(
  ctx: Ctx,
  { projectId, membership, ifMatch }: One,
  request: CaregiversRequest,
): Promise<CaregiverOutcome> {
  let entries = 0;
  try {
    const row = await editMember(ctx, projectId, membership, { ifMatch }, (current, project) => {
      const before = toResource<ProjectMembership>(current);
      const access = request.act === 'add' ? withAdded(project, before, request) : withoutRemoved(before, request);
      entries = Math.abs(access.length - (before.access?.length ?? 0));
      return { ...before, access };
    });
    return { membership, outcome: entries > 0 ? 'changed' : 'unchanged', entries, version: row.version };
  } catch (error) {
    if (!(error instanceof AppError) || isConnectionLoss(error) || isStarved(error) || error.code === 'exception')
      throw error;
    const message = error.issues.map(({ text }) => text).join('; ');
    return { membership, outcome: 'failed', code: error.code, message };
  }
}

function withAdded(
  project: Project,
  { accessPolicy, access = [], admin }: ProjectMembership,
  { policy, parameter, patients }: CaregiversRequest,
): AccessEntry[] {
  // By a first entry they would lose all the rest: that is not what giving access is.
  if (!accessPolicy && access.length === 0 && !requiresPolicy(project))
    throw new AppError(
      'conflict',
      `This ${admin ? 'administrator' : 'member'} has no policy, and so reaches everything; give one first`,
    );
  // One with a period is over some day, or is already.
  const lasting = access.filter(({ period }) => !period);
  const missing = patients.filter((patient) => !lasting.some((entry) => isOf(entry, policy, parameter, patient)));
  const added = missing.map((reference) => ({
    policy: { reference: policy },
    parameter: [{ name: parameter, valueReference: { reference } }],
  }));
  return [...access, ...added];
}

function withoutRemoved(
  { accessPolicy, access = [] }: ProjectMembership,
  { policy, parameter, patients }: CaregiversRequest,
): AccessEntry[] {
  const kept = access.filter((entry) => !patients.some((patient) => isOf(entry, policy, parameter, patient)));
  if (!accessPolicy && kept.length === 0 && access.length > 0)
    throw new AppError('conflict', 'Without any policy this member would reach everything; leave one, or remove them');
  return kept;
}

/** Exactly this: an entry that says more was made for something else. */
function isOf({ policy, parameter = [] }: AccessEntry, wanted: string, name: string, patient: string): boolean {
  const [only, ...more] = parameter;
  return (
    policy.reference === wanted &&
    more.length === 0 &&
    only?.name === name &&
    only.valueReference?.reference === patient
  );
}

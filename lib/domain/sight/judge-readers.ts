import { isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { relatedIn } from '#lib/protocol/fhir/search/ir.ts';
import type { AccessPolicy, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { hiddenOf } from '../access/fields.ts';
import { basesOf } from '../access/lineage.ts';
import { policiesOf } from '../access/policies-of.ts';
import { covers, mayReach, reach } from '../access/policy.ts';
import type { Rule } from '../access/rule.ts';
import type { Row } from '../store/row.ts';
import { judgeOf } from '../store/visible-row.ts';
import { type PoliciesThen, presentIn } from './as-of/members-then.ts';
import { isBroken } from './is-broken.ts';
import { type ToldPolicy, toldPolicy } from './told-policy.ts';

/** `records`: what is read, and what it belongs to: all of them must be read. `policies`: by reference, as they were at that moment. */
export type ReadersScene = {
  projectId: string;
  at: Date;
  /** Others are not looked up: of rules that ask of them (chains, _has) it is not known whether they hold. */
  isAlone: boolean;
  records: readonly Row[];
  superAdmin: boolean;
  requiresPolicy: boolean;
  policies: Readonly<PoliciesThen>;
};

/** How a membership lets the record be read: by which rule, without which of its elements. */
export type Reading = { effective: ToldPolicy; rule: Rule; hidden: string[] };

/** `unknown`: a policy of then is kept no longer, or asks of what is. `broken`: nobody comes in by it (is-broken.ts). Undefined for who cannot read it. */
export type Judged = Reading | 'unknown' | 'broken' | undefined;

/**
 * Judges memberships, those who have the same rules and values once. The engine's own reading of policies, by which requests are judged.
 */
export function judgeReaders(scene: ReadersScene): (membership: ProjectMembership) => Promise<Judged> {
  const known = new Map<string, Promise<Judged>>();
  return async (membership) => {
    if (membership.active === false || !isInTime(toEntryDates(membership), scene.at.getTime())) return undefined;
    const states = namedIn(membership, scene.policies).map((reference) => scene.policies.get(reference)?.state);
    if (states.includes('unknown')) return 'unknown';
    const key = sameRules(membership, scene.policies);
    if (!known.has(key)) known.set(key, read(scene, membership));
    return known.get(key);
  };
}

async function read(scene: ReadersScene, membership: ProjectMembership): Promise<Judged> {
  const { projectId, at, isAlone, records, superAdmin, requiresPolicy } = scene;
  const [record] = records;
  if (!record) return undefined;
  const policies = presentIn(scene.policies);
  // It ends the session: what is not there gives nothing, and neither do the others.
  if (isBroken(membership, policies)) return 'broken';
  const effective = await toldPolicy({ projectId, membership, policies, superAdmin, requiresPolicy, at: at.getTime() });
  if (!records.every(({ type }) => mayReach(effective, type, 'read'))) return undefined;
  if (isAlone && records.some(({ type }) => relatedIn(reach(effective, type, 'read')).length > 0)) return 'unknown';
  const judges = await Promise.all(records.map((each) => judgeOf(effective, each)));
  const deciding = records.map(({ type }, index) =>
    effective.policy.rules.find((r) => covers(r, type, 'read') && judges[index]!(r)),
  );
  const [rule] = deciding;
  if (!rule || !deciding.every(Boolean)) return undefined;
  return { effective, rule, hidden: [...hiddenOf(effective, record.type, judges[0]!)] };
}

/** Variables that stand for who the member is. */
const PERSONAL = /%(profile|patient)/;

/** What the rules of a membership are made of: the same for those who have the same ones. */
export function sameRules(
  membership: ProjectMembership,
  policies: ReadonlyMap<string, { policy?: AccessPolicy }>,
): string {
  const { admin = false, accessPolicy, access, profile } = membership;
  const isPersonal = namedIn(membership, policies).some((name) => {
    const policy = policies.get(name)?.policy;
    return policy !== undefined && isAboutThem(policy);
  });
  return JSON.stringify([admin, accessPolicy?.reference, access, isPersonal ? profile?.reference : null]);
}

/** The policies that it names, and all that these are based on, there or not. */
function namedIn(membership: ProjectMembership, policies: ReadonlyMap<string, { policy?: AccessPolicy }>): string[] {
  const names = new Set(policiesOf(membership));
  // What is put there meanwhile is looked at, too.
  for (const name of names) for (const base of basesOf(policies.get(name)?.policy ?? {})) names.add(base);
  return [...names];
}

const personal = new WeakMap<AccessPolicy, boolean>();

function isAboutThem(policy: AccessPolicy): boolean {
  const known = personal.get(policy) ?? PERSONAL.test(JSON.stringify(policy));
  personal.set(policy, known);
  return known;
}

import { takeTurns } from '#lib/base/turns.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { policiesOf } from '../access/policies-of.ts';
import { knowParams } from '../store/own-params/know-params.ts';
import { type Row, toResource } from '../store/row.ts';
import { membersThen, type PoliciesThen, policiesThen } from './as-of/members-then.ts';
import { versionsAsOf } from './as-of/versions-as-of.ts';
import { judgeReaders, type Reading } from './judge-readers.ts';

/** `reading` is `unknown` where it is kept no longer what they were then; then there may be no membership, either. */
export type Reader = {
  id: string;
  membership: ProjectMembership | undefined;
  superAdmin: boolean;
  policies: string[];
  reading: Reading | 'unknown';
};

/**
 * `at`: undefined is now. `count`: members that are told; `most`: that are looked at. `isAlone`: what other resources are, by which rules ask,
 * is not told; what they were is not known anyway.
 */
type Asked = {
  isAlone: boolean;
  at: Date | undefined;
  records: readonly Row[];
  cursor: string | undefined;
  count: number;
  most: number;
};

/** `broken`: how many of those that were looked at nobody comes in by (is-broken.ts). */
export type Readers = {
  found: Reader[];
  looked: number;
  broken: number;
  next: string | null;
  project: Project | undefined;
};

/** Memberships are fetched so many at a time. */
const PIECE = 500;
/** Milliseconds. What is not looked at by then is another page. */
export const looking = { ms: 5000 };

/** Who can read these records, of memberships by their ids: so many statements for so many memberships, however few of them can. */
export async function findReaders(projectId: string, asked: Asked): Promise<Readers> {
  const { at, records, count, most } = asked;
  const [project] = await versionsAsOf(projectId, 'Project', [projectId], at ?? new Date());
  const settings = project?.row && !project.row.deleted ? toResource<Project>(project.row) : undefined;
  const none = { found: [], looked: 0, broken: 0, next: null, project: settings };
  if (records.length === 0 || settings?.active === false) return none;
  await knowParams(projectId);
  const superAdmin = settings?.superAdmin === true;
  const policies: PoliciesThen = new Map();
  const judge = judgeReaders({
    projectId,
    at: at ?? new Date(),
    isAlone: asked.isAlone || at !== undefined,
    records,
    superAdmin,
    requiresPolicy: settings !== undefined && requiresPolicy(settings),
    policies,
  });
  const turn = takeTurns();
  const found: Reader[] = [];
  const deadline = performance.now() + looking.ms;
  let looked = 0;
  let broken = 0;
  let after = asked.cursor;
  while (looked < most) {
    const limit = Math.min(PIECE, most - looked);
    const rows = await membersThen(projectId, { at, after, limit: limit + 1 });
    const memberships = rows.slice(0, limit).map((each) => {
      return {
        ...each,
        membership: each.row && each.state === 'present' ? toResource<ProjectMembership>(each.row) : undefined,
      };
    });
    await policiesThen(projectId, {
      at,
      memberships: memberships.flatMap((each) => each.membership ?? []),
      known: policies,
    });
    for (const [index, { id, state, membership }] of memberships.entries()) {
      await turn();
      looked += 1;
      after = id;
      const reading = state === 'unknown' ? state : membership && (await judge(membership));
      if (reading === 'broken') broken += 1;
      else if (reading)
        found.push({ id, membership, superAdmin, policies: membership ? policiesOf(membership) : [], reading });
      const isLast = index === rows.length - 1;
      const isEnough = found.length === count || performance.now() > deadline;
      if (isEnough && !isLast) return { ...none, found, looked, broken, next: id };
    }
    if (rows.length <= limit) return { ...none, found, looked, broken };
  }
  return { ...none, found, looked, broken, next: after ?? null };
}

import { and, count, eq, inArray, like, sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { accessReview, accessReviewRow, type ReviewedRow } from '#lib/infra/db/schema/access-review.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import type { AccessReviewRequest } from '#lib/protocol/access-reviews/requests.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { shareProject } from '../memberships/share-project.ts';
import { IN_TIME, NOT_ENDED } from '../standing/in-time.ts';
import { nextReminder } from './remind-reviewers.ts';
import { dayOf, tellReviewers } from './tell-reviewers.ts';

const OFTEN = { limit: 50, windowSeconds: 86_400, refusal: 'Fifty access reviews were asked for within the day' };
const MOST_OPEN = 10;
const MOST_MEMBERS = 20_000;
const CHUNK = 1000;

/**
 * A look at what members may do: of all who are active, or of those with a policy or a kind of record. Its reviewers are told by mail. Throws 400
 * naming `reviewers[n]` for who is no administrator, `policy` or `profileType` where that finds nobody; 409 where ten are open, 429.
 */
export async function startReview(ctx: Ctx, projectId: string, request: AccessReviewRequest): Promise<{ id: string }> {
  const actor = requireProjectAdmin(ctx, projectId);
  const { name, policy, profileType } = request;
  const reviewers = request.reviewers.map((id) => id.toLowerCase());
  await throttle(`access-review:${projectId}`, OFTEN.limit, OFTEN);
  return write(ctx, async (w) => {
    await lockName(w.tx, `access-reviews:${projectId}`);
    const project = await shareProject(w.tx, projectId);
    await requireReviewers(w.tx, projectId, reviewers);
    await requireRoom(w.tx, projectId);
    const members = await findMembers(w.tx, projectId, request);
    const id = newId();
    const dueAt = new Date(request.dueAt);
    await w.tx.insert(accessReview).values({
      ...{ projectId, id, name, reviewers, dueAt, total: members.length },
      remindAt: nextReminder(dueAt, new Date()),
      scope: { ...(policy && { policy }), ...(profileType && { profileType }) },
      ...{ createdBy: actor.profile, createdByDisplay: actor.profileDisplay },
    });
    const rows = members.map((member, at) => ({ ...member, projectId, reviewId: id, number: at + 1 }));
    for (let at = 0; at < rows.length; at += CHUNK)
      await w.tx.insert(accessReviewRow).values(rows.slice(at, at + CHUNK));
    await tellReviewers(w.tx, { projectId, reviewers }, 'access-review-asked', {
      projectName: project.name ?? 'your project',
      name,
      when: dayOf(dueAt),
      url: `${env().BASE_URL}/p/${projectId}/access-reviews/${id}`,
    });
    const after = { review: id, name, members: members.length, reviewers, policy, profileType };
    w.audit({ projectId, action: 'access-review.start', target: `Project/${projectId}`, after });
    return { id };
  });
}

/** People who administer the project just now: a program decides about nobody. */
async function requireReviewers(tx: Queryable, projectId: string, reviewers: readonly string[]): Promise<void> {
  const found = await tx
    .select({ id: membershipKey.membershipId })
    .from(membershipKey)
    .where(
      and(
        eq(membershipKey.projectId, projectId),
        isAnyUuidOf(membershipKey.membershipId, reviewers),
        ...[
          eq(membershipKey.admin, true),
          eq(membershipKey.active, true),
          IN_TIME,
          like(membershipKey.userRef, 'User/%'),
        ],
      ),
    );
  const known = new Set(found.map(({ id }) => id));
  const issues = reviewers.flatMap((id, at) =>
    known.has(id)
      ? []
      : [{ text: 'A reviewer is a person who administers this project', expression: `reviewers[${at}]` }],
  );
  if (issues[0]) throw new AppError('invalid', issues[0].text, { issues });
}

async function requireRoom(tx: Queryable, projectId: string): Promise<void> {
  const [open] = await tx
    .select({ n: count() })
    .from(accessReview)
    .where(and(eq(accessReview.projectId, projectId), inArray(accessReview.state, ['open', 'closing'])));
  if ((open?.n ?? 0) < MOST_OPEN) return;
  throw new AppError('conflict', `${MOST_OPEN} access reviews of this project are open; close one of them`);
}

type Found = { id: string; name: string | null; login: string | null; user_ref: string; profile_ref: string };
type Member = Pick<ReviewedRow, 'membershipId' | 'who' | 'userRef' | 'profileRef'>;

async function findMembers(
  tx: Queryable,
  projectId: string,
  { policy, profileType }: AccessReviewRequest,
): Promise<Member[]> {
  const rows = await tx.execute<Found>(sql`
    select k.membership_id as id, k.user_ref, k.profile_ref, m.content->'profile'->>'display' as name, m.content->'user'->>'display' as login
    from membership_key k
    join resource m on m.project_id = ${projectId} and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    where k.project_id = ${projectId} and k.active and ${NOT_ENDED}
      and (${profileType ?? null}::text is null or split_part(k.profile_ref, '/', 1) = ${profileType ?? null}::text)
      and (${policy ?? null}::text is null or m.content->'accessPolicy'->>'reference' = ${policy ?? null}::text
        or exists (select from jsonb_array_elements(m.content->'access') e where e->'policy'->>'reference' = ${policy ?? null}::text))
    order by lower(coalesce(m.content->'profile'->>'display', m.content->'user'->>'display')), k.membership_id
    limit ${MOST_MEMBERS + 1}`);
  const expression = policy ? 'policy' : profileType ? 'profileType' : undefined;
  if (rows.length === 0) throw new AppError('invalid', 'No active member is of these', { expression });
  if (rows.length > MOST_MEMBERS)
    throw new AppError('invalid', `More than ${MOST_MEMBERS} members are of these; review a part of them`, {
      expression,
    });
  return rows.map(({ id, name, login, user_ref: userRef, profile_ref: profileRef }) => {
    const who = !name || name === login ? (login ?? id) : login ? `${name} <${login}>` : name;
    return { membershipId: id, who, userRef, profileRef };
  });
}

import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { Held, ReviewDecision, ReviewOutcome, ReviewRowPage } from '#lib/protocol/access-reviews/answers.ts';
import type { ReviewRowsQuery } from '#lib/protocol/access-reviews/requests.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Ctx, callerOf, requireProjectAdmin } from '../access/context.ts';
import { findReview, heldBy } from './review-rows.ts';

type Found = {
  number: number;
  membership_id: string;
  who: string;
  user_ref: string;
  profile_ref: string;
  decision: ReviewDecision | null;
  wanted: Held | null;
  note: string | null;
  decided_by_display: string | null;
  decided_at: string | null;
  outcome: ReviewOutcome | null;
  message: string | null;
  version: number | null;
  content: ProjectMembership | null;
};

/** Its members by name, with what they have now. For administrators, who see the same of each in the list of members. */
export async function listReviewRows(
  ctx: Ctx,
  projectId: string,
  reviewId: string,
  { _count: count, cursor = 0, decision }: ReviewRowsQuery,
): Promise<ReviewRowPage> {
  const actor = requireProjectAdmin(ctx, projectId);
  await findReview(projectId, reviewId);
  const wanted =
    decision === 'open' ? sql`and r.decision is null` : decision ? sql`and r.decision = ${decision}` : sql``;
  const found = await db().execute<Found>(sql`
    select r.*, m.version, m.content from access_review_row r
    left join resource m on m.project_id = ${projectId} and m.type_id = ${typeId('ProjectMembership')} and m.id = r.membership_id::text and not m.deleted
    where r.project_id = ${projectId} and r.review_id = ${reviewId} and r.number > ${cursor} ${wanted}
    order by r.number limit ${count + 1}`);
  const rows = found.slice(0, count);
  const { user } = callerOf(actor);
  return {
    rows: rows.map((row) => ({
      ...{
        membership: row.membership_id,
        who: row.who,
        profile: row.profile_ref,
        own: [row.user_ref, row.content?.user.reference].includes(user),
      },
      now: row.content && row.version !== null ? { ...heldBy(row.content), version: row.version } : null,
      ...{ decision: row.decision, wanted: row.wanted, note: row.note, decidedBy: row.decided_by_display },
      ...{ decidedAt: toInstant(row.decided_at), outcome: row.outcome, message: row.message },
    })),
    next: found.length > count ? String(rows.at(-1)!.number) : null,
  };
}

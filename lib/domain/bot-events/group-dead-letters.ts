import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, runText } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import { countWaiting } from '#lib/infra/jobs/count-waiting.ts';
import type { DeadLetterGroups, DeadLetterGroupsQuery } from '#lib/protocol/bots/dead-letters.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';

const MOST_GROUPS = 100;

type Group = {
  fingerprint: string;
  bot_id: string | null;
  trigger: string;
  count: number;
  first: string;
  last: string;
  message: string;
};

/** What was given up, by what is alike; last failed first. For administrators. Throws 403, and 404 for no project. */
export async function groupDeadLetters(
  ctx: Ctx,
  projectId: string,
  { bot, fingerprint }: DeadLetterGroupsQuery,
): Promise<DeadLetterGroups> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const [found, waiting] = await Promise.all([
    runText<Group>(db(), GROUPS, [projectId, bot ?? null, MOST_GROUPS + 1, fingerprint ?? null]),
    countWaiting(projectId),
  ]);
  const groups = found.slice(0, MOST_GROUPS);
  const names = await resolveNames(
    projectId,
    groups.flatMap(({ bot_id: id }) => (id === null ? [] : [`Bot/${id}`])),
  );
  return {
    rows: groups.map(({ fingerprint, bot_id: id, trigger, count, first, last, message }) => ({
      fingerprint,
      bot: id === null ? null : named(names, `Bot/${id}`)!,
      trigger,
      count,
      firstFailedAt: toInstant(first),
      lastFailedAt: toInstant(last),
      message,
    })),
    more: found.length > MOST_GROUPS,
    ...waiting,
  };
}

/** A project has 10,000 of them at most (bury.ts). What several bots fail of alike is a group of each; `message` is that of one of them. */
const GROUPS = `
  select fingerprint, bot_id, trigger, count(*)::int as count, min(first_failed_at)::text as first, max(last_failed_at)::text as last,
    min(message) as message
  from dead_letter where project_id = $1::uuid and ($2::uuid is null or bot_id = $2::uuid) and ($4::text is null or fingerprint = $4)
  group by fingerprint, bot_id, trigger order by max(last_failed_at) desc, fingerprint, bot_id, trigger limit $3::int`;

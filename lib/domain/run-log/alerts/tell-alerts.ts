import { env } from '#lib/base/env.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Bot, Project } from '#lib/protocol/fhir/types.ts';
import type { Ctx, Write } from '../../access/context.ts';
import { findAdministrators, findAdministratorsAt } from '../../accounts/find-administrators.ts';
import { write } from '../../audit/write.ts';
import { findEach } from '../../store/find-row.ts';
import { toResource } from '../../store/row.ts';
import { ALERT_COLUMNS, type AlertRow } from './alert-rows.ts';

const BATCH = 100;
const CTX: Ctx = { requestId: 'alerts', remoteAddress: '', userAgent: '' };

type Due = { projectId: string; botId: string };
type Kind = 'failing' | 'silent';

/**
 * Looks at each bot of which administrators want to be told, once a minute, by whichever process is first. They hear once that it fails too often, or that nothing went
 * well for too long, and once that this is over.
 */
export async function tellAlerts(stopped?: AbortSignal): Promise<void> {
  // Each is passed once: one that cannot be looked at is due again, and would be found for ever.
  let last: DueRow | undefined;
  do {
    const due: DueRow[] = await runText<DueRow>(db(), DUE, [BATCH, ...(last ? Object.values(last) : FIRST)]);
    for (const { project_id: projectId, bot_id: botId } of due) {
      if (stopped?.aborted) return;
      const one = { projectId, botId };
      await tell(one).catch((err: unknown) => log.warn({ err, ...one }, 'it could not be looked how a bot does'));
    }
    last = due.length === BATCH ? due.at(-1) : undefined;
  } while (last);
}

type DueRow = { checked_at: string; project_id: string; bot_id: string };
const FIRST = ['-infinity', SERVER_SCOPE, SERVER_SCOPE];
const DUE = `select checked_at::text as checked_at, project_id, bot_id from bot_alert
  where checked_at < now() - interval '1 minute' and (checked_at, project_id, bot_id) > ($2::timestamptz, $3::uuid, $4::uuid)
  order by bot_alert.checked_at, project_id, bot_id limit $1::int`;
const CLAIM = `update bot_alert set checked_at = now()
  where project_id = $1::uuid and bot_id = $2::uuid and checked_at < now() - interval '1 minute'
  returning ${ALERT_COLUMNS}`;

async function tell(due: Due): Promise<void> {
  await write(
    CTX,
    async (w) => {
      w.unchanged();
      const [row] = await runText<AlertRow>(w.tx, CLAIM, [due.projectId, due.botId]);
      if (!row) return;
      const now = await judge(w.tx, due, row);
      for (const kind of ['failing', 'silent'] as const) {
        const told = row[`${kind}_since`] !== null;
        const found = now[kind];
        if (!found || found.isSo === told) continue;
        const names = await findNames(w.tx, due);
        if (!names) return;
        await note(w.tx, due, kind, found.isSo);
        await mail(w, due, row, kind, found, names);
      }
    },
    { notes: true },
  );
}

type Finding = { isSo: boolean; what: string; detail: string };
type Findings = Record<Kind, Finding | undefined>;

/** By what is counted of the hours, and the newest run that went well. Undefined: where there is too little to say, what was said stands. */
async function judge(tx: Queryable, { projectId, botId }: Due, row: AlertRow): Promise<Findings> {
  const [found] = await runText<{ runs: number; failed: number; since: string; silent: boolean }>(tx, FACTS, [
    ...[projectId, botId, row.failure_hours ?? 1, row.silent_hours ?? 1],
  ]);
  const { runs, failed, since, silent } = found!;
  const percent = runs === 0 ? 0 : Math.round((failed / runs) * 100);
  const { failure_percent: most, failure_minimum: least } = row;
  const isEnough = most !== null && least !== null && runs >= least;
  // A bot that is about the threshold would be in trouble and well every other minute: it is well when half as many fail.
  const isFailing = isEnough && failed * 100 >= (row.failing_since ? most / 2 : most) * runs;
  const isSilent = row.silent_hours !== null && silent;
  return {
    failing: isEnough
      ? {
          isSo: isFailing,
          what: isFailing ? 'It fails too often' : 'It does not fail too often any more',
          detail: `since ${since} UTC ${failed} of ${runs} runs failed (${percent} %)`,
        }
      : undefined,
    silent: {
      isSo: isSilent,
      what: isSilent ? 'Nothing went well for too long' : 'A run went well again',
      detail: isSilent ? `no run went well in the last ${toHours(row.silent_hours ?? 1)}` : 'a run went well again',
    },
  };
}

/** One that was set a moment ago has its time first. Hours are kept longer than runs. */
const FACTS = `
  select (select coalesce(sum(runs), 0)::int from bot_hour
      where project_id = $1::uuid and bot_id = $2::uuid and hour > now() - make_interval(hours => $3::int + 1)) as runs,
    (select coalesce(sum(failed), 0)::int from bot_hour
      where project_id = $1::uuid and bot_id = $2::uuid and hour > now() - make_interval(hours => $3::int + 1)) as failed,
    (select set_at < now() - make_interval(hours => $4::int) from bot_alert where project_id = $1::uuid and bot_id = $2::uuid)
      and not exists (select from bot_run where project_id = $1::uuid and bot_id = $2::uuid and status = 'ok'
        and started_at > now() - make_interval(hours => $4::int))
      and not exists (select from bot_hour where project_id = $1::uuid and bot_id = $2::uuid and runs > failed
        and hour > now() - make_interval(hours => $4::int)) as silent,
    to_char(date_trunc('hour', now() at time zone 'utc') - make_interval(hours => $3::int), 'YYYY-MM-DD HH24:MI') as since`;

async function note(tx: Queryable, { projectId, botId }: Due, kind: Kind, isSo: boolean): Promise<void> {
  const text = `update bot_alert set ${kind}_since = ${isSo ? 'now()' : 'null'} where project_id = $1::uuid and bot_id = $2::uuid`;
  await runText(tx, text, [projectId, botId]);
}

type Names = { botName: string; projectName: string };

/** Undefined: the project is closed, and nobody is told of anything in it. */
async function findNames(tx: Queryable, { projectId, botId }: Due): Promise<Names | undefined> {
  const wanted: [string, string][] = [
    ['Bot', botId],
    ['Project', projectId],
  ];
  const [bot, found] = await findEach(projectId, wanted, tx);
  const project = found && toResource<Project>(found);
  if (project?.active === false) return undefined;
  return { botName: (bot && toResource<Bot>(bot).name) || 'a bot', projectName: project?.name ?? 'your project' };
}

/** Numbers alone: nothing of what a bot was given or said. Where nobody administers any more of whom was said, all who do are told. */
async function mail(w: Write, due: Due, row: AlertRow, kind: Kind, found: Finding, names: Names): Promise<void> {
  const { projectId, botId } = due;
  const chosen = row.recipients ? await findAdministratorsAt(w.tx, projectId, row.recipients) : [];
  const recipients = chosen.length > 0 ? chosen : await findAdministrators(w.tx, projectId);
  const params = {
    ...names,
    what: found.what,
    detail: found.detail,
    url: `${env().BASE_URL}/p/${projectId}/runs?bot=${botId}`,
  };
  const template = found.isSo ? 'bot-trouble' : 'bot-well';
  for (const recipient of recipients) await queueMail(w.tx, { projectId, template, recipient, params });
  const action = found.isSo ? 'bot.alert.raise' : 'bot.alert.resolve';
  w.audit({
    projectId,
    action,
    target: `Bot/${botId}`,
    after: { kind, detail: found.detail, told: recipients.length },
  });
}

function toHours(hours: number): string {
  return hours === 1 ? 'hour' : `${hours} hours`;
}

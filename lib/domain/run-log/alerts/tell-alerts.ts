import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Bot, Project } from '#lib/protocol/fhir/types.ts';
import type { Ctx, Write } from '../../access/context.ts';
import { findAdministrators } from '../../accounts/find-administrators.ts';
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
  for (let last = BATCH; last === BATCH && !stopped?.aborted; ) {
    const due = await runText<{ project_id: string; bot_id: string }>(db(), DUE, [BATCH]);
    for (const { project_id: projectId, bot_id: botId } of due) {
      if (stopped?.aborted) return;
      const one = { projectId, botId };
      await tell(one).catch((err: unknown) => log.warn({ err, ...one }, 'it could not be looked how a bot does'));
    }
    last = due.length;
  }
}

const DUE = `select project_id, bot_id from bot_alert where checked_at < now() - interval '1 minute' order by checked_at limit $1::int`;
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
        if (now[kind].isSo === told) continue;
        await note(w.tx, due, kind, now[kind].isSo);
        await mail(w, due, row, kind, now[kind]);
      }
    },
    { notes: true },
  );
}

type Finding = { isSo: boolean; what: string; detail: string };

/** By what is counted of the hours, and the newest run that went well. */
async function judge(tx: Queryable, { projectId, botId }: Due, row: AlertRow): Promise<Record<Kind, Finding>> {
  const [found] = await runText<{ runs: number; failed: number; silent: boolean }>(tx, FACTS, [
    ...[projectId, botId, row.failure_hours ?? 1, row.silent_hours ?? 1],
  ]);
  const { runs, failed, silent } = found!;
  const percent = runs === 0 ? 0 : Math.round((failed / runs) * 100);
  const { failure_percent: most, failure_minimum: least, failure_hours: hours } = row;
  const isFailing = most !== null && least !== null && runs >= least && failed * 100 >= most * runs;
  const isSilent = row.silent_hours !== null && silent;
  return {
    failing: {
      isSo: isFailing,
      what: isFailing ? 'It fails too often' : 'It does not fail too often any more',
      detail: `in the last ${toHours(hours ?? 1)} ${failed} of ${runs} runs failed (${percent} %)`,
    },
    silent: {
      isSo: isSilent,
      what: isSilent ? 'Nothing went well for too long' : 'A run went well again',
      detail: isSilent ? `no run went well in the last ${toHours(row.silent_hours ?? 1)}` : 'a run went well again',
    },
  };
}

/** One that was set a moment ago has its time first. */
const FACTS = `
  select (select coalesce(sum(runs), 0)::int from bot_hour
      where project_id = $1::uuid and bot_id = $2::uuid and hour > now() - make_interval(hours => $3::int)) as runs,
    (select coalesce(sum(failed), 0)::int from bot_hour
      where project_id = $1::uuid and bot_id = $2::uuid and hour > now() - make_interval(hours => $3::int)) as failed,
    (select set_at < now() - make_interval(hours => $4::int) from bot_alert where project_id = $1::uuid and bot_id = $2::uuid)
      and not exists (select from bot_run where project_id = $1::uuid and bot_id = $2::uuid and status = 'ok'
        and started_at > now() - make_interval(hours => $4::int)) as silent`;

async function note(tx: Queryable, { projectId, botId }: Due, kind: Kind, isSo: boolean): Promise<void> {
  const text = `update bot_alert set ${kind}_since = ${isSo ? 'now()' : 'null'} where project_id = $1::uuid and bot_id = $2::uuid`;
  await runText(tx, text, [projectId, botId]);
}

/** Numbers alone: nothing of what a bot was given or said. */
async function mail(w: Write, { projectId, botId }: Due, row: AlertRow, kind: Kind, found: Finding): Promise<void> {
  const [bot, project] = await findEach(
    projectId,
    [
      ['Bot', botId],
      ['Project', projectId],
    ],
    w.tx,
  );
  const all = await findAdministrators(w.tx, projectId);
  const recipients = all.filter((address) => !row.recipients || row.recipients.includes(address.toLowerCase()));
  const params = {
    botName: (bot && toResource<Bot>(bot).name) || 'a bot',
    projectName: (project && toResource<Project>(project).name) ?? 'your project',
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

import { and, eq, gt, isNull, lt, or } from 'drizzle-orm';
import { eachAlone } from '#lib/base/each-alone.ts';
import { env } from '#lib/base/env.ts';
import { db } from '#lib/infra/db/client.ts';
import { clientNamedSecret } from '#lib/infra/db/schema/clients.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import { findAdministrators } from '../accounts/find-administrators.ts';
import { write } from '../audit/write.ts';
import { findEach } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

/** So many days before a secret ends its project's administrators hear of it, once each. */
const EARLY = 14;
const LATE = 3;
const DAY_MS = 86_400_000;
/** Of one round: the next one goes on. */
const MOST_SECRETS = 500;

/** Mails administrators which named secrets end soon. Of several processes at once each secret is told of by one. */
export async function warnOfEnds(ctx: Ctx, stopped?: AbortSignal, now = Date.now()): Promise<void> {
  const rows = await db()
    .select()
    .from(clientNamedSecret)
    .where(isDue(now))
    .orderBy(clientNamedSecret.expiresAt)
    .limit(MOST_SECRETS);
  await eachAlone(rows, stopped, 'nobody was told of the end of a secret', (row) => warnOf(ctx, row, now));
}

type Secret = typeof clientNamedSecret.$inferSelect;

function isDue(now: number) {
  const { expiresAt, warnedDays } = clientNamedSecret;
  const within = (days: number) => lt(expiresAt, new Date(now + days * DAY_MS));
  return and(
    gt(expiresAt, new Date(now)),
    within(EARLY),
    or(isNull(warnedDays), and(gt(warnedDays, LATE), within(LATE))),
  );
}

async function warnOf(ctx: Ctx, { id, projectId, clientId, name, expiresAt }: Secret, now: number): Promise<void> {
  const left = (expiresAt?.getTime() ?? now) - now;
  await write(ctx, async (w) => {
    const noted = await w.tx
      .update(clientNamedSecret)
      .set({ warnedDays: left < LATE * DAY_MS ? LATE : EARLY })
      .where(and(eq(clientNamedSecret.id, id), isDue(now)))
      .returning({ id: clientNamedSecret.id });
    if (noted.length === 0) return w.unchanged();
    const [client, project] = await findEach(
      projectId,
      [
        ['ClientApplication', clientId],
        ['Project', projectId],
      ],
      w.tx,
    );
    const recipients = client && project ? await findAdministrators(w.tx, projectId) : [];
    const days = Math.max(1, Math.ceil(left / DAY_MS));
    const params = {
      name,
      clientName: (client && toResource<ClientApplication>(client).name) ?? 'a client',
      projectName: (project && toResource<Project>(project).name) ?? 'your project',
      when: days === 1 ? 'within a day' : `in ${days} days`,
      url: `${env().BASE_URL}/p/${projectId}/clients/${clientId}`,
    };
    for (const recipient of recipients) {
      await queueMail(w.tx, { projectId, template: 'secret-ends', recipient, params });
    }
    const after = { name, expiresAt: expiresAt?.toISOString(), told: recipients.length };
    w.audit({ projectId, action: 'client.secret.warn', target: `ClientApplication/${clientId}`, after });
  });
}

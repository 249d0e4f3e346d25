import { subscriptionsTag } from '../access/cache-tags.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import type { Subscription } from '../store/feeds/read-subscription.ts';
import { lockRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import type { Delivery } from './delivery.ts';

type Failure = { text: string; of?: Delivery; stops: boolean };

const MOST = 500;

/**
 * `Subscription.error` says what went wrong last, an audit row each time: an address that is away for a day makes no version for each change. One that `stops` has the status `error` until somebody asks for it
 * again. Its author stays who wrote it: with their rights it tells.
 */
export async function noteFailure(
  { projectId, id }: Pick<Row, 'projectId' | 'id'>,
  { text, of, stops }: Failure,
): Promise<void> {
  const ctx: Ctx = { requestId: `subscription-${id}`, remoteAddress: '', userAgent: '' };
  await write(ctx, async (w) => {
    const current = await lockRow(w.tx, projectId, 'Subscription', id);
    const now = current && !current.deleted ? toResource<Subscription>(current) : undefined;
    const isOn = now?.status === 'active';
    // What was under way when it was switched off was not told, either.
    if (!current || !(isOn || of)) return w.unchanged();
    const next = { ...now, error: text.slice(0, MOST), ...(stops && { status: 'error' }) } as Subscription;
    const says = !isOn || (next.error === now.error && !stops);
    const row = says ? current : await updateRow(w, current, next, current.author ?? undefined);
    const about = of && { delivery: `${of.type}/${of.id}/_history/${of.version}` };
    w.audit({
      projectId,
      action: 'resource.update',
      target: `Subscription/${id}`,
      outcome: 4,
      before: { version: current.version },
      after: { version: row.version, ...about },
    });
    if (stops && isOn) w.invalidate(subscriptionsTag(projectId));
  });
}

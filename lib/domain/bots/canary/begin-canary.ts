import { AppError } from '#lib/base/errors.ts';
import { botTag } from '../../access/cache-tags.ts';
import type { Write } from '../../access/context.ts';
import type { Row } from '../../store/row.ts';
import { findDeployed } from '../live/find-deployed.ts';
import { findCanary, placeCanary, setShare } from './canary-rows.ts';
import { noneRuns } from './promote-canary.ts';

/** `running`: the trial whose share alone is to be another, which samples do not look at again. */
type Begun = { number: number; share: number; author: string; told?: object; running?: string };

/**
 * A share of the bot's runs is on this version from now on; of one that is tried already the share alone is another, and its count goes on. Under the
 * bot's lock. Throws 409 where nothing is live beside which it could be tried, for the version that is, and where `running` has ended.
 */
export async function beginCanary(w: Write, row: Row, { number, share, author, told, running }: Begun): Promise<void> {
  const { projectId, id: botId } = row;
  const live = await findDeployed(w.tx, projectId, botId);
  if (live === undefined)
    throw new AppError('conflict', 'Nothing is live that it could be tried beside: deploy it', {
      expression: 'canary',
    });
  if (live === number) throw new AppError('conflict', 'This version is live already', { expression: 'version' });
  const current = await findCanary(projectId, botId, w.tx);
  const id = running ?? (current?.state === 'running' && current.number === number ? current.id : undefined);
  if (id !== undefined) {
    if (!(await setShare(w.tx, { projectId, botId, id }, share))) throw noneRuns();
  } else await placeCanary(w.tx, projectId, botId, { number, share, author });
  const replaced = current?.state === 'running' && current.number !== number ? { replaced: current.number } : {};
  w.invalidate(botTag(botId));
  w.audit({
    projectId,
    action: 'bot.canary.start',
    target: `Bot/${botId}`,
    after: { version: number, share, live, ...replaced, ...told },
  });
}

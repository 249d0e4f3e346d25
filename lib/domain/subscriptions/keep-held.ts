import { db } from '#lib/infra/db/client.ts';
import { setHolder } from '../store/feeds/listening.ts';

/** This socket still listens to these. */
export function keepHeld(projectId: string, ids: readonly string[], socketId: string): Promise<void> {
  return setHolder(db(), projectId, ids, { from: socketId, to: socketId });
}

/** This socket listens to these no longer. */
export function letGo(projectId: string, ids: readonly string[], socketId: string): Promise<void> {
  return setHolder(db(), projectId, ids, { from: socketId, to: null });
}

import type { Write } from '../access/context.ts';
import type { LinkRow } from './find-link.ts';

/** A link of an invitation is made, spent or ended: its membership stands otherwise. */
export function tellInvite(w: Write, link: Partial<Pick<LinkRow, 'kind' | 'projectId' | 'membershipId'>>): void {
  const { kind, projectId, membershipId } = link;
  if (kind === 'invite' && projectId && membershipId) w.stands({ projectId, membershipId });
}

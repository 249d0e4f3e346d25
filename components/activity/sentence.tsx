import { toPhrase } from '#lib/client/activity/words.ts';
import type { AuditRow } from '#lib/protocol/answers/audit.ts';

/** "Ada Reyes changed the membership of Ben Okafor". */
export function Sentence({ row }: { row: AuditRow }) {
  return (
    <span className="[overflow-wrap:anywhere]">
      <span className="font-medium">{toActorName(row)}</span>{' '}
      <span className="text-muted">{toPhrase(row.action, row.before, row.after)}</span>{' '}
      <span className="font-medium">{toTargetName(row)}</span>
    </span>
  );
}

/** Without an actor: a sign-in that is still under way, or what was made along with something else. */
export function toActorName({ action, actor, onBehalfOf }: AuditRow): string {
  const nobody = /^(login|user\.password|invite)\./.test(action) ? 'Someone' : 'The system';
  const name = actor.display ?? actor.reference ?? nobody;
  return onBehalfOf ? `${name} (on behalf of ${onBehalfOf.display ?? onBehalfOf.reference})` : name;
}

/** A record without a name of its own is called by its type and the start of its id. */
export function toTargetName({ target }: AuditRow): string {
  if (target.display) return target.display;
  const [type = '', id] = (target.reference ?? '').split('/');
  return id ? `${type} ${id.slice(0, 8)}` : type || 'something';
}

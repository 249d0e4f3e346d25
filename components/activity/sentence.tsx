import type { AuditRow } from '#lib/client/activity.ts';
import { toPhrase } from '#lib/client/activity-words.ts';

/** "Ada Reyes changed the membership of Ben Okafor". */
export function Sentence({ row }: { row: AuditRow }) {
  return (
    <>
      <span className="font-medium">{toActorName(row)}</span> <span className="text-muted">{toPhrase(row.action)}</span>{' '}
      <span className="font-medium">{toTargetName(row)}</span>
    </>
  );
}

export function toActorName({ actor, onBehalfOf }: AuditRow): string {
  const name = actor.display ?? actor.reference ?? 'Someone not signed in';
  return onBehalfOf ? `${name} (through ${onBehalfOf.display ?? onBehalfOf.reference})` : name;
}

/** A record without a name of its own is called by its type and the start of its id. */
export function toTargetName({ target }: AuditRow): string {
  if (target.display) return target.display;
  const [type = '', id] = (target.reference ?? '').split('/');
  return id ? `${type} ${id.slice(0, 8)}` : type || 'something';
}

import { countTargets, findFounder, type Happening } from '#lib/client/activity/fold.ts';
import { toOwnPhrase, toPhrase } from '#lib/client/activity/words.ts';
import { shortId } from '#lib/client/api/short-id.ts';
import type { AuditRow } from '#lib/protocol/answers/audit.ts';

/** "Ada Reyes changed the membership of Ben Okafor", "Ada Reyes invited 120 people", "Ada Reyes signed in". */
export function Sentence({ happening }: { happening: Happening }) {
  const { row } = happening;
  const own = isOwn(row) ? toOwnPhrase(row.action) : undefined;
  const count = countTargets(happening);
  return (
    <span className="[overflow-wrap:anywhere]">
      <span className="font-medium">{own ? toTargetName(row) : (findFounder(happening) ?? toActorName(row))}</span>{' '}
      <span className="text-muted">{own ?? toPhrase(row.action, row.before, row.after)}</span>
      {own ? null : <span className="font-medium"> {count > 1 ? toMany(row, count) : toTargetName(row)}</span>}
    </span>
  );
}

/** Done by somebody to what is their own; who is not signed in yet is whom the entry is about. */
function isOwn({ actor, target, onBehalfOf }: AuditRow): boolean {
  if (onBehalfOf) return false;
  return actor.reference === null || actor.reference === target.reference || actor.display === target.display;
}

const KINDS: Record<string, string> = {
  ProjectMembership: 'people',
  User: 'people',
  Bot: 'bots',
  ClientApplication: 'clients',
};

function toMany({ target }: AuditRow, count: number): string {
  return `${count.toLocaleString('en')} ${KINDS[target.reference?.split('/')[0] ?? ''] ?? 'records'}`;
}

/** Without an actor: a sign-in that is still under way, or what was made along with something else. */
export function toActorName({ action, actor, onBehalfOf }: AuditRow): string {
  const nobody = /^(login|user\.password|invite)\./.test(action) ? 'Someone' : 'The system';
  const name = actor.display ?? actor.reference ?? nobody;
  return onBehalfOf ? `${name} (on behalf of ${onBehalfOf.display ?? onBehalfOf.reference})` : name;
}

/** A record without a name of its own is called by its type and the end of its id. */
export function toTargetName({ target }: AuditRow): string {
  if (target.display) return target.display;
  const [type = '', id] = (target.reference ?? '').split('/');
  return id ? `${type} ${shortId(id)}` : type || 'something';
}

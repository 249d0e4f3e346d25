import type { AuditRow } from '#lib/protocol/answers/audit.ts';

/** What somebody did in one go: the entry that names it, and what was written along with it, newest first. */
export type Happening = { row: AuditRow; rest: AuditRow[] };

/** Which entry of one request names it. Of others the first that was written. */
const NAMING = [
  'project.create',
  'bot.create',
  'client.create',
  'membership.create',
  'membership.delete',
  'membership.restore',
  'user.email.update',
  'user.rename',
  'user.rescope',
  'invite.accept',
  'login.grant',
  'login.choose',
];

const SIGN_IN = new Set(['login.password', 'login.choose', 'login.grant']);
/** From the password to the session. */
const SIGN_IN_MS = 5 * 60_000;

/** Rows of the audit log, newest first, folded: one of a request (an invitation, a bulk job) and one of a sign-in, where the newest stood. */
export function foldActivity(rows: readonly AuditRow[]): Happening[] {
  const groups: AuditRow[][] = [];
  const byRequest = new Map<string, AuditRow[]>();
  const bySignIn = new Map<string, AuditRow[]>();
  for (const row of rows) {
    const group = byRequest.get(row.requestId) ?? findSignIn(bySignIn, row) ?? [];
    if (group.length === 0) groups.push(group);
    group.push(row);
    byRequest.set(row.requestId, group);
    if (isSignIn(row)) bySignIn.set(row.target.reference ?? '', group);
  }
  return groups.map(toHappening);
}

function findSignIn(open: Map<string, AuditRow[]>, row: AuditRow): AuditRow[] | undefined {
  const group = isSignIn(row) ? open.get(row.target.reference ?? '') : undefined;
  const last = group?.at(-1);
  // A password that is newer than a session began another one.
  const follows = last && last.action !== 'login.password' && Date.parse(last.at) - Date.parse(row.at) < SIGN_IN_MS;
  return follows ? group : undefined;
}

function isSignIn({ action, outcome }: AuditRow): boolean {
  return SIGN_IN.has(action) && outcome === 'success';
}

function toHappening(group: AuditRow[]): Happening {
  const place = ({ action }: AuditRow) => (NAMING.includes(action) ? NAMING.indexOf(action) : NAMING.length);
  // The oldest of those that name it alike.
  const row = group.reduce((best, next) => (place(next) <= place(best) ? next : best));
  return { row, rest: group.filter((each) => each !== row) };
}

/** How many different ones it was done to; a bulk job's own entries say that it ran, and count for nothing. */
export function countTargets({ row, rest }: Happening): number {
  const alike = [row, ...rest].filter(({ action }) => action === row.action);
  return new Set(alike.map(({ target }) => target.reference)).size;
}

/** Who registered the project: nobody in it before, and its one member by then who is no program. */
export function findFounder({ row, rest }: Happening): string | undefined {
  if (row.action !== 'project.create' || row.actor.reference !== null) return undefined;
  const made = (kind: string) => rest.flatMap(({ action, target }) => (action === kind ? (target.display ?? []) : []));
  const programs = made('client.create');
  return made('membership.create').find((name) => !programs.includes(name));
}

import { expect, test } from 'vitest';
import type { AuditRow } from '#lib/protocol/answers/audit.ts';
import { countTargets, findFounder, foldActivity } from './fold.ts';

let clock = Date.parse('2026-11-20T10:00:00Z');

/** Each a second older than the one before. */
function row(requestId: string, action: string, target: string, more: Partial<AuditRow> = {}): AuditRow {
  clock -= 1000;
  const party = { reference: target, display: null };
  return {
    id: String(clock),
    at: new Date(clock).toISOString(),
    action,
    actor: { reference: 'Practitioner/ada', display: 'Ada' },
    onBehalfOf: null,
    target: party,
    outcome: 'success',
    before: null,
    after: null,
    requestId,
    remoteAddress: null,
    ...more,
  };
}

const names = (rows: AuditRow[]) =>
  foldActivity(rows).map(({ row: { action, target }, rest }) => [action, target.reference, rest.length]);

test('an invitation is one row, whatever it wrote', () => {
  expect(
    names([
      row('r2', 'bot.deploy', 'Bot/b'),
      row('r1', 'membership.create', 'ProjectMembership/m'),
      row('r1', 'resource.create', 'Practitioner/p'),
      row('r1', 'user.create', 'User/u'),
    ]),
  ).toEqual([
    ['bot.deploy', 'Bot/b', 0],
    ['membership.create', 'ProjectMembership/m', 2],
  ]);
});

test('a bulk job is one row with its number, though others did something meanwhile', () => {
  const rows = [
    row('job', 'membership.create', 'ProjectMembership/1'),
    row('job', 'user.create', 'User/1'),
    row('other', 'bot.save', 'Bot/b'),
    row('job', 'membership.create', 'ProjectMembership/2'),
    row('job', 'job.start', 'Project/p'),
  ];
  const [job, other] = foldActivity(rows);
  expect([job?.row.action, countTargets(job!), other?.row.action]).toEqual(['membership.create', 2, 'bot.save']);
});

test('a sign-in is one row: password, choice and session; the next one is another', () => {
  const user = 'User/ada';
  const rows = [
    row('c', 'login.grant', user),
    row('b', 'login.choose', user),
    row('a', 'login.password', user),
    row('z', 'login.grant', user),
    row('y', 'login.password', user),
    row('x', 'login.password', 'User/ben'),
  ];
  expect(names(rows)).toEqual([
    ['login.grant', user, 2],
    ['login.grant', user, 1],
    ['login.password', 'User/ben', 0],
  ]);
});

test('a project is made by the person who is in it then, in whatever order the log has their rows', () => {
  const nobody = { reference: null, display: null };
  const named = (action: string, display: string) =>
    row('r', action, 'x', { actor: nobody, target: { reference: `x/${action}/${display}`, display } });
  const rows = [
    named('membership.create', 'Clinic Default Client'),
    named('client.create', 'Clinic Default Client'),
    named('membership.create', 'Ada Reyes'),
    named('project.create', 'Clinic'),
  ];
  for (const order of [rows, rows.toReversed()]) expect(findFounder(foldActivity(order)[0]!)).toBe('Ada Reyes');
});

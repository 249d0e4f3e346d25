import { AppError } from '#lib/base/errors.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import type { ProjectMembership, User } from '#lib/protocol/fhir/types.ts';
import type { NameKept, OwnName, OwnNamePlace } from '#lib/protocol/own-account/answers.ts';
import type { OwnNameRequest } from '#lib/protocol/own-account/requests.ts';
import type { Ctx, Write } from '../access/context.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { followName } from '../memberships/follow-name.ts';
import { findDirectoryOf } from '../memberships/require-unmanaged.ts';
import { shareProject } from '../memberships/share-project.ts';
import { requireOwnAccount } from '../passkeys/require-own-account.ts';
import { lockUser } from '../people/lock-user.ts';
import { type Choice, findMemberships } from '../sign-in/find-memberships.ts';
import { findRow, lockRow, requireLive } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { type PersonName, renameProfile } from './rename-profile.ts';

/** In an hour: each is a version of every record that follows. */
const CHANGES = { limit: 10, windowSeconds: 3600 };

/** GET /auth/name: what the caller's account is called, and where a new name would be taken over. Throws 403 for who has not signed in themselves. */
export async function readOwnName(ctx: Ctx): Promise<OwnName> {
  const { user } = await requireOwnAccount(ctx);
  const row = requireLive(await findRow(user.scope, 'User', user.id));
  return toAnswer(row, await Promise.all((await placesOf(user)).map((place) => look(db(), place, user))));
}

/**
 * PUT /auth/name: what the caller is called. It is theirs alone to change. A Practitioner's official name follows in each project that they
 * may enter now, where it is still the account's old one and no directory keeps it; a Patient and a RelatedPerson are records that the project
 * keeps. Each project has it in its audit log. Throws 400 naming the field, 403, 412 for another `version` than the present one, 429.
 */
export async function changeOwnName(ctx: Ctx, { version, ...name }: OwnNameRequest): Promise<OwnName> {
  const { user } = await requireOwnAccount(ctx);
  await throttle(`name:${user.id}`, CHANGES.limit, CHANGES);
  const places = await placesOf(user);
  return write(ctx, async (w) => {
    const locked = await lockUser(w.tx, user, [user.email]);
    const { row } = locked;
    if (version !== undefined && version !== row.version) throw changedMeanwhile();
    const { firstName, lastName } = locked.user;
    const before = { firstName, lastName };
    const next: User = { ...toResource<User>(row), ...name };
    const stored = await updateRow(w, row, next, `User/${user.id}`);
    if (stored === row) {
      w.unchanged();
      return toAnswer(row, await inTurn(places, (place) => look(w.tx, place, name)));
    }
    const change = { action: 'user.rename', target: `User/${user.id}`, before, after: name } as const;
    w.audit({ projectId: user.scope, ...change });
    const done = await inTurn(places, async (place) => {
      const told = await follow(w, place, before, name);
      const { membership, kept } = told;
      const target = `ProjectMembership/${membership}`;
      w.audit({ projectId: place.projectId, ...change, target, after: { ...name, ...(kept && { kept }) } });
      return told;
    });
    return toAnswer(stored, done);
  });
}

/** One for each, project by project in the order of their ids: whoever locks several does it so. */
async function placesOf({ id }: FoundUser): Promise<Choice[]> {
  const key = (place: Choice) => `${place.projectId} ${place.id}`;
  return (await findMemberships(id)).sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

async function inTurn<T>(places: Choice[], run: (place: Choice) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (const place of places) all.push(await run(place));
  return all;
}

async function look(q: Queryable, place: Choice, name: PersonName): Promise<OwnNamePlace> {
  const [type = '', id = ''] = place.profile.reference?.split('/') ?? [];
  const row = await findRow(place.projectId, type, id, q);
  return toPlace(place, row ? await whyKept(q, place.projectId, row, name) : 'record');
}

async function whyKept(q: Queryable, projectId: string, row: Row, name: PersonName): Promise<NameKept | undefined> {
  if (row.deleted || row.type !== 'Practitioner') return 'record';
  if (!renameProfile(toResource(row), name, name)) return 'differs';
  const directory = await findDirectoryOf(q, projectId, `${row.type}/${row.id}`);
  return directory === undefined ? undefined : 'directory';
}

async function follow(w: Write, place: Choice, from: PersonName, to: PersonName): Promise<OwnNamePlace> {
  const { projectId, profile } = place;
  await shareProject(w.tx, projectId);
  const member = await lockRow(w.tx, projectId, 'ProjectMembership', place.id);
  const [type = '', id = ''] = profile.reference?.split('/') ?? [];
  const row = await lockRow(w.tx, projectId, type, id);
  const isThere = member && !member.deleted && toResource<ProjectMembership>(member).active !== false;
  if (!row || !isThere) return toPlace(place, 'record');
  const resource = toResource(row);
  // Of two memberships on one record the first has brought the name.
  if (renameProfile(resource, to, to) && row.type === 'Practitioner') return look(w.tx, place, to);
  const kept = await whyKept(w.tx, projectId, row, from);
  if (kept) return toPlace(place, kept);
  const saved = await updateRow(w, row, renameProfile(resource, from, to) ?? resource, profile.reference);
  await followName(w, saved, row);
  const target = `${type}/${id}`;
  const [before, after] = [{ version: row.version }, { version: saved.version }];
  w.audit({ projectId, action: 'resource.update', target, before, after });
  return toPlace(place);
}

function toPlace({ id, project, profile }: Choice, kept?: NameKept): OwnNamePlace {
  return { membership: id, project, profile, ...(kept && { kept }) };
}

function toAnswer(row: Row, places: OwnNamePlace[]): OwnName {
  const { firstName, lastName } = toResource<User>(row);
  return { firstName, lastName, version: row.version, places };
}

function changedMeanwhile(): AppError {
  return new AppError(
    'precondition-failed',
    'Your account was changed meanwhile: look at it again, and then change it',
    {
      expression: 'version',
    },
  );
}

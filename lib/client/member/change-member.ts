import { api } from '../api/api.ts';
import type { ApiCall } from '../api/code-samples.ts';
import type { Member } from '../api/types.ts';
import { type MemberChange, toMemberPath } from './member.ts';

/**
 * Changes a member as it was when `base` was read; throws ApiError 412 when somebody was faster, 409 when a guard refuses. `undefined`
 * takes an element away. `force`: the administrator means to give up rights of their own.
 */
export async function patchMember(
  projectId: string,
  base: Member,
  change: MemberChange,
  force = false,
): Promise<Member> {
  return api<Member>(toForcedPath(projectId, base.id, force), {
    method: 'PATCH',
    contentType: 'application/json-patch+json',
    ifMatch: base.meta?.versionId,
    body: toPatch(base, change),
  });
}

/** JSON Patch (RFC 6902) from `base` to `base` with `change`. */
export function toPatch(base: Member, change: MemberChange) {
  return (Object.keys(change) as (keyof MemberChange)[]).flatMap((key) => {
    const value = change[key];
    if (value !== undefined) return [{ op: 'add', path: `/${key}`, value }];
    return base[key] === undefined ? [] : [{ op: 'remove', path: `/${key}` }];
  });
}

/** The change that brings back what `change` would overwrite. */
export function toInverse(base: Member, change: MemberChange): MemberChange {
  return Object.fromEntries((Object.keys(change) as (keyof MemberChange)[]).map((key) => [key, base[key]]));
}

export async function removeMember(projectId: string, base: Member, force = false): Promise<void> {
  await api(toForcedPath(projectId, base.id, force), {
    method: 'DELETE',
    ifMatch: base.meta?.versionId,
  });
}

/** A new seven-day invitation; the older links die. */
export async function resendInvite(projectId: string, membershipId: string): Promise<void> {
  await api(`${toMemberPath(projectId, membershipId)}/resendinvite`, { method: 'POST', body: {} });
}

export async function sendPasswordReset(projectId: string, membershipId: string): Promise<void> {
  await api(`${toMemberPath(projectId, membershipId)}/resetpassword`, { method: 'POST', body: {} });
}

/** Brings the lost profile back as it last was, or puts `profile` ("Practitioner/id") in its place. */
export async function repairMember(projectId: string, membershipId: string, profile?: string): Promise<Member> {
  const body = profile ? { profile: { reference: profile } } : {};
  return api<Member>(`${toMemberPath(projectId, membershipId)}/repair`, { method: 'POST', body });
}

/**
 * Restores role, status and access of an earlier version; a removed member comes back with the same id, within 30 days. `seen`: the
 * version that the reader looks at (412 when it is another by now).
 */
export async function undoMember(
  projectId: string,
  membershipId: string,
  version: number,
  seen?: string,
): Promise<Member> {
  const path = `${toMemberPath(projectId, membershipId)}/undo`;
  return api<Member>(path, { method: 'POST', ifMatch: seen, body: { version } });
}

/** The requests of `patchMember` and `removeMember`, to show them as code. */
export function toPatchCall(projectId: string, base: Member, change: MemberChange, force = false): ApiCall {
  return {
    method: 'PATCH',
    path: toForcedPath(projectId, base.id, force),
    body: toPatch(base, change),
    ifMatch: base.meta?.versionId,
  };
}

export function toRemoveCall(projectId: string, base: Member, force = false): ApiCall {
  return { method: 'DELETE', path: toForcedPath(projectId, base.id, force), ifMatch: base.meta?.versionId };
}

/** `force`: the administrator means to give up rights of their own. */
function toForcedPath(projectId: string, membershipId: string, force: boolean): string {
  return `${toMemberPath(projectId, membershipId)}${force ? '?force=true' : ''}`;
}

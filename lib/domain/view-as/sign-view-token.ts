import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import type { MemberViewRow } from '#lib/infra/db/schema/members/member-view.ts';
import type { Actor } from '../access/context.ts';
import { signingKeys } from '../signing/signing-keys.ts';
import { toJws } from '../signing/to-jws.ts';

/**
 * By which an administrator looks with a member’s eyes: the member is its subject, and who really acts its `act` (RFC 8693 §4.1). Without a login, and so no
 * access token of the member; there is neither an ID token nor one to refresh it.
 */
export async function signViewToken(view: MemberViewRow, profile: string, viewer: Actor): Promise<string> {
  const [key] = await signingKeys();
  const idOf = (reference: string) => reference.slice(reference.indexOf('/') + 1);
  return toJws(
    key,
    {
      iss: env().BASE_URL,
      aud: env().BASE_URL,
      iat: Math.floor(view.createdAt.getTime() / 1000),
      exp: Math.floor(view.endsAt.getTime() / 1000),
      jti: newId(),
      project: view.projectId,
      view_id: view.id,
      sub: idOf(view.userRef),
      profile,
      act: { sub: idOf(viewer.user), profile: viewer.profile },
    },
    'at+jwt',
  );
}

import type { Actor } from '../access/context.ts';
import { findAddress } from '../accounts/find-address.ts';

/** The address for an id token: only of a person, and only when the scope asks for it (contract §1.3). */
export async function findEmail(actor: Actor, scope: string): Promise<string | undefined> {
  const [type, id = ''] = actor.user.split('/');
  return type === 'User' && scope.split(' ').includes('email') ? findAddress(id) : undefined;
}

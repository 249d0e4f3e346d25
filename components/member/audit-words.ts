import { toPhrase } from '#lib/client/activity/words.ts';
import type { AuditAction } from '#lib/protocol/answers/audit-action.ts';

/** Where the member stands for the target. */
const WORDS: Record<string, string> = {
  'membership.create': 'Added to the project',
  'membership.update': 'Changed',
  'membership.delete': 'Removed from the project',
  'membership.restore': 'Brought back',
  'membership.undo': 'A change was undone',
  'invite.resend': 'Invitation sent again',
  'invite.extend': 'Invitation extended',
  'invite.revoke': 'Invitation taken back',
  'invite.link': 'Link handed over',
  'invite.accept': 'Invitation accepted',
  'invite.renew': 'New link asked for',
  'login.password': 'Password given',
  'login.passkey': 'Passkey used',
  'login.failed': 'Sign-in failed',
  'login.grant': 'Signed in',
  'login.client': 'Signed in with its secret',
  'login.authorize': 'Signed in to an app',
  'login.choose': 'Chose this project',
  'login.scope': 'Chose what an app may do',
  'login.resume': 'Went on signing in',
  'login.switch': 'Came from another project',
  'login.refresh': 'Session renewed',
  'login.revoke': 'Session ended',
  'client.create': 'Client made',
  'client.update': 'Client changed',
  'client.disable': 'Client turned off',
  'client.enable': 'Client turned on',
  'client.secret.rotate': 'Secret rotated',
  'client.secret.drop': 'Old secret dropped',
  'resource.create': 'Record made',
  'resource.update': 'Record changed',
  'resource.delete': 'Record deleted',
  'resource.restore': 'Record restored',
  'user.create': 'Account made',
  'user.update': 'Account changed',
  'user.email.update': 'E-mail address changed',
  'user.rename': 'Changed their own name',
  'user.rescope': 'Account moved',
  'user.passkey.add': 'Passkey added',
  'user.passkey.remove': 'Passkey taken out',
  'user.passkey.rename': 'Passkey renamed',
  'user.password.change': 'Password changed',
  'user.password.request': 'New password asked for',
  'user.password.set-by-admin': 'Password set by an administrator',
  'user.password.send-reset': 'Reset link sent',
  'user.password.reset': 'Password chosen anew',
} satisfies Partial<Record<AuditAction, string>>;

/** An audit action of a member's timeline, as a person says it. */
export function toActionWords(action: string): string {
  return WORDS[action] ?? toPhrase(action).replace(/^./, (first) => first.toUpperCase());
}

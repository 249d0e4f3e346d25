import type { AuditAction } from '#lib/protocol/answers/audit-action.ts';

/** What an action of the audit log did, between actor and target: "Ada Reyes" + "changed the access of" + "Ben Okafor". */
const PHRASES: Record<string, string> = {
  'access-policy.create': 'made the access policy',
  'access-policy.update': 'changed the access policy',
  'access-policy.delete': 'deleted the access policy',
  'audit.export': 'took a copy of the audit log of',
  'audit.sweep': 'dropped what was kept long enough from the audit log of',
  'bot.create': 'made the bot',
  'bot.update': 'edited the bot',
  'bot.deploy': 'deployed the bot',
  'bot.job.start': 'started a run in the background,',
  'bot.job.cancel': 'stopped a run in the background,',
  'bot.save': 'saved a draft of the bot',
  'bot.rollback': 'rolled back the bot',
  'bot.delete': 'deleted the bot',
  'client.create': 'made the client',
  'client.update': 'changed the client',
  'client.delete': 'deleted the client',
  'client.secret.rotate': 'rotated the secret of',
  'client.secret.add': 'added a secret of',
  'client.secret.warn': 'told administrators of the end of a secret of',
  'client.secret.remove': 'took out a secret of',
  'client.secret.drop': 'dropped the old secret of',
  'client.device': 'began a sign-in on a device by the app',
  'client.disable': 'turned off the client',
  'client.enable': 'turned on the client',
  'client.launch': 'opened',
  'client.push': 'began a sign-in by the app',
  'client.register': 'registered itself as the app',
  'client.token.create': 'made a registration token of',
  'client.token.revoke': 'took back a registration token of',
  'consent.grant': 'gave access to the app',
  'consent.withdraw': 'took back the access of the app',
  'domain.check': 'asked DNS again for an e-mail domain of',
  'domain.claim': 'claimed an e-mail domain for',
  'domain.join': 'became a member by their e-mail domain:',
  'domain.verify': 'verified an e-mail domain of',
  'domain.update': 'changed an e-mail domain of',
  'domain.lapse': 'found no record any more for an e-mail domain of',
  'domain.delete': 'took out an e-mail domain of',
  'invite.accept': 'accepted the invitation of',
  'invite.extend': 'extended the invitation of',
  'invite.link': 'took the invitation link of',
  'invite.renew': 'asked for a new invitation for',
  'invite.resend': 'sent the invitation again to',
  'invite.revoke': 'took back the invitation of',
  'job.cancel': 'stopped a bulk job in',
  'job.repeat': 'asked again for a bulk job in',
  'job.start': 'started a bulk job in',
  'login.authorize': 'let an app sign in as',
  'login.choose': 'entered this project as',
  'login.client': 'signed in as',
  'login.device': 'answered a device as',
  'login.external': 'was named by an identity provider as',
  'login.failed': 'tried in vain to sign in as',
  'login.grant': 'signed in as',
  'login.link': 'used a mailed link of',
  'login.passkey': 'used a passkey of',
  'login.password': 'gave the right password of',
  'login.prove': 'showed again to be',
  'login.refresh': 'went on as',
  'login.resume': 'went on signing in as',
  'login.revoke': 'ended a session of',
  'login.scope': 'chose what an app may do as',
  'login.switch': 'came from another project as',
  'login.verify': 'gave the second factor of',
  'membership.export': 'exported the record of',
  'membership.create': 'added',
  'membership.update': 'changed the membership of',
  'membership.delete': 'removed',
  'membership.lock': 'locked out',
  'membership.release': 'let in again',
  'membership.restore': 'brought back',
  'membership.secure': 'secured the account of',
  'membership.warn': 'told of the end of the membership of',
  'membership.undo': 'undid a change of',
  'project.close': 'closed',
  'project.create': 'made the project',
  'project.delete': 'deleted the project',
  'project.owner': 'handed over the ownership of',
  'project.export': 'exported all of',
  'project.import': 'imported',
  'project.removal': 'asked for the removal of',
  'project.reopen': 'opened again',
  'project.update': 'changed the settings of',
  'key.create': 'made an API key as',
  'key.end': 'ended an API key of',
  'project.secret.delete': 'deleted a secret of',
  'project.secret.replace': 'replaced the secrets of',
  'project.secret.reveal': 'looked at the secrets of',
  'project.secret.set': 'set a secret of',
  'project.setting.replace': 'replaced the settings of',
  'project.site.replace': 'replaced the sites of',
  'provider.secret.set': 'set the secret for the identity provider of',
  'reset.renew': 'asked for a new password link for',
  'resource.read': 'looked at',
  'resource.search': 'searched',
  'resource.create': 'made',
  'resource.update': 'changed',
  'resource.delete': 'deleted',
  'resource.restore': 'restored',
  'scim.connection.create': 'connected the directory',
  'scim.connection.update': 'changed the connection of the directory',
  'scim.connection.delete': 'disconnected the directory',
  'scim.group.create': 'made a group of the directory',
  'scim.group.update': 'changed a group of the directory',
  'scim.group.delete': 'took out a group of the directory',
  'scim.group.map': 'said what a group gives, of the directory',
  'scim.token.create': 'made a token for the directory',
  'scim.token.revoke': 'took back a token of the directory',
  'signing-key.rotate': 'changed the signing key to',
  'super-admin.ensure': 'made sure of the super-admin client',
  'user.create': 'made the account of',
  'user.update': 'changed the account of',
  'user.delete': 'deleted the account of',
  'user.change.request': 'asked for a change, which waits, of how to sign in as',
  'user.change.confirm': 'confirmed the new address of',
  'user.change.stop': 'stopped a change of how to sign in as',
  'user.change.cancel': 'took back a change of how to sign in as',
  'user.change.fail': 'could not make a change of how to sign in as',
  'user.device.forget': 'forgot a browser of',
  'user.device.new': 'came in by a new browser as',
  'user.device.rename': 'named a browser of',
  'user.email.update': 'changed the e-mail address of',
  'user.rename': 'changed the name of',
  'user.export': 'took a copy of the account of',
  'user.rescope': 'moved the account of',
  'user.restore': 'brought back the account of',
  'user.email.request-verification': 'asked to confirm the address of',
  'user.email.verify': 'confirmed the address of',
  'user.factor.enroll': 'added a second factor for',
  'user.factor.failed': 'gave a wrong second factor for',
  'user.factor.recover': 'used a recovery code of',
  'user.factor.remove': 'removed a second factor of',
  'user.factor.renew-codes': 'made new recovery codes for',
  'user.factor.reset': 'reset the second factor of',
  'user.factor.send-code': 'sent a sign-in code to',
  'user.link.request': 'was mailed a sign-in link for',
  'user.passkey.add': 'added a passkey for',
  'user.passkey.remove': 'took out a passkey of',
  'user.passkey.rename': 'renamed a passkey of',
  'user.password.change': 'changed the password of',
  'user.password.request': 'asked for a new password for',
  'user.password.reset': 'set a new password for',
  'user.password.send-reset': 'sent a password link to',
  'user.password.set-by-admin': 'set the password of',
  'verify-email.renew': 'asked again to confirm the address of',
} satisfies Record<AuditAction, string>;

/** Where it is one's own: the target is left out. */
const OWN: Partial<Record<AuditAction, string>> = {
  'invite.accept': 'accepted the invitation',
  'invite.renew': 'asked for a new invitation',
  'login.authorize': 'let an app sign in',
  'login.choose': 'entered this project',
  'login.client': 'signed in',
  'login.grant': 'signed in',
  'login.link': 'used a mailed link',
  'login.passkey': 'used a passkey',
  'login.password': 'gave the right password',
  'login.prove': 'showed again who they are',
  'login.refresh': 'went on working',
  'login.resume': 'went on signing in',
  'login.revoke': 'signed out',
  'login.scope': 'chose what an app may do',
  'login.switch': 'came from another project',
  'login.verify': 'gave the second factor',
  'reset.renew': 'asked for a new password link',
  'user.create': 'made an account',
  'user.change.request': 'asked for another address to sign in with',
  'user.change.cancel': 'took back a change of how they sign in',
  'user.device.forget': 'forgot a browser',
  'user.device.new': 'came in by a new browser',
  'user.device.rename': 'named a browser',
  'user.rename': 'changed their name',
  'user.email.request-verification': 'asked to confirm the e-mail address',
  'user.email.verify': 'confirmed the e-mail address',
  'user.factor.enroll': 'added a second factor',
  'user.factor.failed': 'gave a wrong second factor',
  'user.factor.recover': 'used a recovery code',
  'user.factor.remove': 'removed a second factor',
  'user.factor.renew-codes': 'made new recovery codes',
  'user.factor.send-code': 'asked for a sign-in code',
  'user.link.request': 'was mailed a sign-in link',
  'user.passkey.add': 'added a passkey',
  'user.passkey.remove': 'took out a passkey',
  'user.passkey.rename': 'renamed a passkey',
  'user.password.change': 'changed the password',
  'user.password.request': 'asked for a new password',
  'user.password.reset': 'set a new password',
  'user.update': 'changed the account',
  'verify-email.renew': 'asked again to confirm the e-mail address',
};

/** What somebody did to what is their own; undefined where that is said like anything else. */
export function toOwnPhrase(action: string): string | undefined {
  return OWN[action as AuditAction];
}

/** What an action did. Of a membership, what it says of role and status before and after (`toFacts`) makes it plain. */
export function toPhrase(action: string, before?: unknown, after?: unknown): string {
  if (action === 'membership.create' && isPerson(after)) return 'invited';
  if (action === 'membership.update') return toMembershipPhrase(asFacts(before), asFacts(after));
  return PHRASES[action] ?? `did ${action} to`;
}

type Facts = { admin?: boolean; active?: boolean };

function toMembershipPhrase(before: Facts, after: Facts): string {
  if (before.active !== after.active && after.active !== undefined) return after.active ? 'reactivated' : 'deactivated';
  if (before.admin !== after.admin && after.admin !== undefined) {
    return after.admin ? 'gave administration to' : 'took administration from';
  }
  return PHRASES['membership.update'] ?? '';
}

function isPerson(after: unknown): boolean {
  const user = typeof after === 'object' && after !== null && 'user' in after ? after.user : undefined;
  return typeof user === 'string' && user.startsWith('User/');
}

function asFacts(value: unknown): Facts {
  return typeof value === 'object' && value !== null ? value : {};
}

export const AREAS = ['any', 'people', 'sign-in', 'bots', 'clients', 'settings', 'records'] as const;
export type Area = (typeof AREAS)[number];

/** The `action` parameter of an area: prefixes, any of which fits. */
export const AREA_ACTIONS: Record<Exclude<Area, 'any'>, string> = {
  people: 'membership.*,invite.*,user.*,job.*',
  'sign-in': 'login.*,user.device.*,user.password.*,user.passkey.*,reset.*',
  bots: 'bot.*',
  clients: 'client.*',
  settings: 'project.*,access-policy.*',
  records: 'resource.*',
};

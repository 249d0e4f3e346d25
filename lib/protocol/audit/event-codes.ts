import type { Coding } from 'fhir/r4';
import type { AuditAction } from '../answers/audit-action.ts';

const DCM = 'http://dicom.nema.org/resources/ontology/DCM';
const EVENT_TYPE = 'http://terminology.hl7.org/CodeSystem/audit-event-type';
const RESTFUL = 'http://hl7.org/fhir/restful-interaction';
/** Our own names of actions, as the audit log has them. */
const OWN = 'urn:gatehouse:audit-action';

/** What an event is, as DICOM PS3.16 CID 400 to 403 and HL7 name it. */
const KINDS = {
  login: [coding(DCM, '110114', 'User Authentication'), coding(DCM, '110122', 'Login')],
  logout: [coding(DCM, '110114', 'User Authentication'), coding(DCM, '110123', 'Logout')],
  session: [coding(DCM, '110114', 'User Authentication')],
  roles: [coding(DCM, '110113', 'Security Alert'), coding(DCM, '110136', 'Security Roles Changed')],
  person: [coding(DCM, '110113', 'Security Alert'), coding(DCM, '110137', 'User Security Attributes Changed')],
  security: [coding(DCM, '110113', 'Security Alert'), coding(DCM, '110129', 'Security Configuration')],
  software: [coding(DCM, '110100', 'Application Activity'), coding(DCM, '110131', 'Software Configuration')],
  activity: [coding(DCM, '110100', 'Application Activity')],
  log: [coding(DCM, '110101', 'Audit Log Used')],
  export: [coding(DCM, '110101', 'Audit Log Used'), coding(DCM, '110106', 'Export')],
  disclosure: [coding(DCM, '110106', 'Export')],
  execute: [coding('https://medplum.com/CodeSystem/audit-event', 'execute', 'Execute')],
  read: rest('read'),
  search: rest('search-type'),
  create: rest('create'),
  update: rest('update'),
  delete: rest('delete'),
} as const satisfies Record<string, readonly Coding[]>;

/** R4's AuditEvent.action: made, looked at, changed, deleted, done. */
type Code = 'C' | 'R' | 'U' | 'D' | 'E';

const EVENTS = {
  'access-policy.create': 'C roles',
  'access-policy.update': 'U roles',
  'access-policy.delete': 'D roles',
  'audit.export': 'R export',
  'audit.sweep': 'D log',
  'bot.create': 'C software',
  'bot.update': 'U software',
  'bot.deploy': 'U software',
  'bot.execute': 'E execute',
  'bot.run.replay': 'E activity',
  'bot.run.reveal': 'R read',
  'bot.job.start': 'E activity',
  'bot.job.cancel': 'E activity',
  'bot.save': 'U software',
  'bot.rollback': 'U software',
  'bot.delete': 'D software',
  'client.create': 'C security',
  'client.update': 'U security',
  'client.delete': 'D security',
  'client.secret.add': 'C security',
  'client.secret.drop': 'D security',
  'client.secret.remove': 'D security',
  'client.secret.rotate': 'U security',
  'client.secret.warn': 'E security',
  'client.device': 'E session',
  'client.disable': 'U security',
  'client.enable': 'U security',
  'client.launch': 'E session',
  'client.push': 'E session',
  'client.register': 'C security',
  'client.token.create': 'C security',
  'client.token.revoke': 'D security',
  'consent.grant': 'C roles',
  'consent.withdraw': 'D roles',
  'domain.check': 'E security',
  'domain.claim': 'C security',
  'domain.join': 'C roles',
  'domain.verify': 'U security',
  'domain.update': 'U security',
  'domain.lapse': 'U security',
  'domain.delete': 'D security',
  'export.cancel': 'D activity',
  'export.fetch': 'R disclosure',
  'export.start': 'E disclosure',
  'import.cancel': 'D activity',
  'import.end': 'E activity',
  'import.start': 'E activity',
  'invite.accept': 'E person',
  'invite.extend': 'U person',
  'invite.link': 'R person',
  'invite.renew': 'E person',
  'invite.resend': 'E person',
  'invite.revoke': 'D person',
  'job.cancel': 'E activity',
  'job.repeat': 'E activity',
  'job.start': 'E activity',
  'key.create': 'C person',
  'key.end': 'D person',
  'login.authorize': 'E login',
  'login.choose': 'E login',
  'login.client': 'E login',
  'login.device': 'E session',
  'login.external': 'E login',
  'login.failed': 'E login',
  'login.grant': 'E login',
  'login.link': 'E login',
  'login.passkey': 'E login',
  'login.password': 'E login',
  'login.prove': 'E login',
  'login.refresh': 'E session',
  'login.resume': 'E login',
  'login.revoke': 'E logout',
  'login.scope': 'E session',
  'login.switch': 'E login',
  'login.verify': 'E login',
  'membership.export': 'R export',
  'membership.create': 'C roles',
  'membership.update': 'U roles',
  'membership.delete': 'D roles',
  'membership.lock': 'U roles',
  'membership.merge': 'U roles',
  'membership.release': 'U roles',
  'membership.restore': 'C roles',
  'membership.secure': 'U person',
  'membership.warn': 'E person',
  'membership.undo': 'U roles',
  'project.close': 'U security',
  'project.create': 'C security',
  'project.delete': 'D security',
  'project.owner': 'U roles',
  'project.update': 'U security',
  'project.export': 'R export',
  'project.import': 'C security',
  'project.removal': 'U security',
  'project.reopen': 'U security',
  'project.secret.delete': 'D security',
  'project.secret.replace': 'U security',
  'project.secret.reveal': 'R security',
  'project.secret.set': 'U security',
  'project.setting.replace': 'U security',
  'project.site.replace': 'U security',
  'provider.secret.set': 'U security',
  'record.erase': 'D delete',
  'record.erasure': 'E activity',
  'reset.renew': 'E person',
  'resource.read': 'R read',
  'resource.search': 'E search',
  'resource.create': 'C create',
  'resource.update': 'U update',
  'resource.delete': 'D delete',
  'resource.restore': 'C create',
  'scim.connection.create': 'C security',
  'scim.connection.update': 'U security',
  'scim.connection.delete': 'D security',
  'scim.group.create': 'C security',
  'scim.group.update': 'U security',
  'scim.group.delete': 'D security',
  'scim.group.map': 'U roles',
  'scim.token.create': 'C security',
  'scim.token.revoke': 'D security',
  'signing-key.rotate': 'U security',
  'super-admin.ensure': 'U roles',
  'user.create': 'C person',
  'user.update': 'U person',
  'user.delete': 'D person',
  'user.merge': 'D person',
  'user.merge.begin': 'E person',
  'user.erase': 'D person',
  'user.change.request': 'E person',
  'user.change.confirm': 'E person',
  'user.change.stop': 'E person',
  'user.change.cancel': 'E person',
  'user.change.fail': 'E person',
  'user.device.forget': 'D person',
  'user.device.new': 'C person',
  'user.device.rename': 'U person',
  'user.email.update': 'U person',
  'user.rename': 'U person',
  'user.export': 'R export',
  'user.rescope': 'U person',
  'user.restore': 'C person',
  'user.email.request-verification': 'E person',
  'user.email.verify': 'U person',
  'user.factor.enroll': 'C person',
  'user.factor.failed': 'E login',
  'user.factor.recover': 'E login',
  'user.factor.remove': 'D person',
  'user.factor.renew-codes': 'U person',
  'user.factor.reset': 'D person',
  'user.factor.send-code': 'E session',
  'user.link.request': 'E person',
  'user.passkey.add': 'C person',
  'user.passkey.remove': 'D person',
  'user.passkey.rename': 'U person',
  'user.password.change': 'U person',
  'user.password.request': 'E person',
  'user.password.reset': 'U person',
  'user.password.send-reset': 'E person',
  'user.password.set-by-admin': 'U person',
  'verify-email.renew': 'E person',
} as const satisfies Record<AuditAction, `${Code} ${keyof typeof KINDS}`>;

export type EventCodes = { action: Code; type: Coding; subtype: Coding[] };

/** What FHIR calls an action of the log. One that an earlier release wrote, and this one does not know, is an activity. */
export function codesOf(name: string): EventCodes {
  const text: string = Object.hasOwn(EVENTS, name) ? EVENTS[name as AuditAction] : 'E activity';
  const [action, kind] = text.split(' ') as [Code, keyof typeof KINDS];
  const [type, ...subtype] = KINDS[kind] as readonly [Coding, ...Coding[]];
  return { action, type, subtype: [...subtype, { system: OWN, code: name }] };
}

/** The actions of which all that is asked is so. */
export function actionsWith(asked: (codes: EventCodes) => boolean): string[] {
  return Object.keys(EVENTS).filter((name) => asked(codesOf(name)));
}

/** Whether it is about somebody who signs in or out: who does so is whom it is about. */
export function isSignIn({ code }: Coding): boolean {
  return code === '110114';
}

function coding(system: string, code: string, display: string): Coding {
  return { system, code, display };
}

function rest(interaction: string): readonly Coding[] {
  return [coding(EVENT_TYPE, 'rest', 'RESTful Operation'), { system: RESTFUL, code: interaction }];
}

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
  'login.grant': 'Signed in',
  'login.client': 'Signed in with its secret',
  'login.choose': 'Chose this project',
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
  'user.rescope': 'Account moved',
  'user.password.change': 'Password changed',
  'user.password.request': 'New password asked for',
  'user.password.set-by-admin': 'Password set by an administrator',
  'user.password.send-reset': 'Reset link sent',
  'user.password.reset': 'Password chosen anew',
};

/** An audit action as a person says it; one that nobody gave words stays as it is. */
export function toActionWords(action: string): string {
  return WORDS[action] ?? action;
}

export type FieldChange = { field: string; before: string; after: string };

/** The top-level fields that differ for a reader. `names` gives references a display. */
export function toChanges(before: unknown, after: unknown, names: Record<string, string>): FieldChange[] {
  if (!isRecord(before) || !isRecord(after)) return [];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, before: toText(before[field], names), after: toText(after[field], names) }))
    .filter((change) => change.before !== change.after);
}

function toText(value: unknown, names: Record<string, string>): string {
  if (value === undefined || value === null) return 'none';
  if (value === true || value === false) return value ? 'yes' : 'no';
  if (typeof value === 'string') return names[value] ?? value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((each) => toText(each, names)).join(', ');
  if (isRecord(value) && typeof value.reference === 'string') return names[value.reference] ?? value.reference;
  if (isRecord(value) && isRecord(value.policy)) return toText(value.policy, names);
  return JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

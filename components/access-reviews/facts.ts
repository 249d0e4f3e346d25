import type {
  AccessReview,
  Held,
  ReviewOutcome,
  ReviewRow,
  ReviewScope,
} from '#lib/protocol/access-reviews/answers.ts';

type PolicyNames = ReadonlyMap<string, string>;

export const KINDS = {
  Practitioner: 'Practitioners',
  Patient: 'Patients',
  RelatedPerson: 'Related persons',
  ClientApplication: 'Clients',
  Bot: 'Bots',
} as const;

export const DECISIONS = {
  keep: { label: 'Keep', tone: 'good' },
  reduce: { label: 'Reduce', tone: 'warn' },
  remove: { label: 'Remove', tone: 'danger' },
} as const;

export const STATES = {
  open: { label: 'Open', tone: 'info' },
  closing: { label: 'Being applied', tone: 'accent' },
  closed: { label: 'Closed', tone: 'good' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
} as const;

export const OUTCOMES: Record<ReviewOutcome, string> = {
  kept: 'Kept',
  reduced: 'Reduced',
  removed: 'Removed',
  gone: 'Was gone already',
  undecided: 'Undecided: left as it was',
  failed: 'Not done',
};

export function toWhom({ policy, profileType }: ReviewScope, names: PolicyNames): string {
  const kind = profileType ? KINDS[profileType] : 'Everybody';
  return policy ? `${kind} with the policy ${names.get(policy) ?? policy}` : kind;
}

/** What a member has, in the words of the list of members; each policy by name, with its parameters. */
export function toEntries({ accessPolicy, access = [] }: Held, names: PolicyNames): string[] {
  const own = accessPolicy?.reference ? [nameOf(accessPolicy.reference, names)] : [];
  return [...own, ...access.map((entry) => toEntry(entry, names))];
}

export function toEntry({ policy, parameter = [] }: NonNullable<Held['access']>[number], names: PolicyNames): string {
  const values = parameter.map(
    ({ name, valueString, valueReference }) =>
      `${name} ${valueString ?? valueReference?.display ?? valueReference?.reference ?? ''}`,
  );
  return `${nameOf(policy?.reference ?? '', names)}${values.length > 0 ? ` (${values.join(', ')})` : ''}`;
}

function nameOf(reference: string, names: PolicyNames): string {
  return names.get(reference) ?? reference;
}

export function isOverdue({ state, dueAt }: Pick<AccessReview, 'state' | 'dueAt'>): boolean {
  return state === 'open' && Date.parse(dueAt) < Date.now();
}

/** What the parentheses of "Ann Lee <ann@…>" are to a screen reader: the name alone. */
export function toName({ who }: Pick<ReviewRow, 'who'>): string {
  return who.replace(/ <[^<>]*>$/, '');
}

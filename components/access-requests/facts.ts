import type { AccessParameter } from '#lib/protocol/fhir/types.ts';

export const STATES = {
  open: { label: 'Open', tone: 'info' },
  granted: { label: 'Granted', tone: 'good' },
  refused: { label: 'Refused', tone: 'danger' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
  lapsed: { label: 'Lapsed', tone: 'neutral' },
  ended: { label: 'Ended', tone: 'neutral' },
} as const;

const VERBS: Record<string, string> = {
  read: 'read',
  search: 'search',
  create: 'create',
  update: 'change',
  delete: 'delete',
  history: 'read the history of',
  vread: 'read versions of',
};

/** What may be chosen; the others are asked for by the id of a refusal. */
export const CHOICES = ['read', 'search', 'create', 'update', 'delete', 'history'] as const;

export function toVerb(interaction: string): string {
  return VERBS[interaction] ?? interaction;
}

/** "change Observation" */
export function toWhat({ interaction, resourceType }: { interaction: string; resourceType: string }): string {
  return `${toVerb(interaction)} ${resourceType}`;
}

export function toName({ member }: { member: { display: string | null; reference: string } }): string {
  return member.display ?? member.reference;
}

export function toValues(parameters: readonly AccessParameter[]): string {
  return parameters
    .map(({ name, valueString, valueReference }) => `${name} ${valueString ?? valueReference?.reference ?? ''}`)
    .join(', ');
}

import type { Grant, GrantUse, OwnGrant } from '#lib/protocol/break-glass/answers.ts';

export const STATES = {
  open: { label: 'Open', tone: 'danger' },
  waiting: { label: 'Waits for review', tone: 'warn' },
  closed: { label: 'Reviewed', tone: 'neutral' },
} as const;

export function toName({ member }: Pick<Grant, 'member'>): string {
  return member.display ?? member.reference;
}

/** "by themselves" */
export function toEnd({ endedBy, endedByWhom }: Pick<OwnGrant, 'endedBy'> & Partial<Grant>): string {
  if (endedBy === 'member') return 'by the member';
  if (endedBy === 'time') return 'when its time was over';
  return `by ${endedByWhom?.display ?? 'an administrator'}`;
}

/** "read 3 times, changed twice" */
export function toUse({ read, changed, failed }: GrantUse): string {
  const times = (n: number) => (n === 1 ? 'once' : n === 2 ? 'twice' : `${n.toLocaleString('en')} times`);
  const parts = [
    read > 0 ? `read or searched ${times(read)}` : '',
    changed > 0 ? `changed ${times(changed)}` : '',
    failed > 0 ? `refused or not there ${times(failed)}` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Of a type of the log: a request that was of none is of the project. */
export function toType(type: string): string {
  return type === 'Project' ? 'Other requests' : type;
}

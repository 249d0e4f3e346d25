import type { AccessEntry } from '#lib/protocol/fhir/types.ts';
import type { Member } from '../api/types.ts';
import type { MemberChange } from '../member/member.ts';

/** One policy of a member as the form shows it. `key` is only for React; `id` says of emergency access which it is. `dates`: from when and until when, as days or as they were given. */
export type AccessRow = {
  key: string;
  id?: string;
  policy: string;
  parameters: { key: string; name: string; value: string }[];
  dates?: { start: string; end: string };
};

let made = 0;

/** A key for a new row or parameter. */
export function newRowKey(): string {
  made += 1;
  return `row ${made}`;
}

/** Both ways of writing policies down (`accessPolicy` and `access`) as one list. */
export function toAccessRows({ accessPolicy, access = [] }: Member): AccessRow[] {
  const single: AccessEntry[] = accessPolicy ? [{ policy: accessPolicy }] : [];
  return toRows([...single, ...access]);
}

export function toRows(entries: readonly AccessEntry[]): AccessRow[] {
  return entries.map(({ id, policy, parameter = [], period }) => ({
    key: newRowKey(),
    ...(id !== undefined && { id }),
    policy: policy.reference ?? '',
    parameters: parameter.map(({ name, valueString, valueReference }) => ({
      key: newRowKey(),
      name,
      value: valueReference?.reference ?? valueString ?? '',
    })),
    ...(period && { dates: { start: period.start ?? '', end: period.end ?? '' } }),
  }));
}

/** A row as it is when it is added. */
export function newAccessRow(): AccessRow {
  return { key: newRowKey(), policy: '', parameters: [] };
}

/** One policy without parameters is the plain `accessPolicy`; anything else is a list. Rows without a policy say nothing. */
export function toAccessChange(rows: readonly AccessRow[]): AccessChange {
  const entries = toAccessEntries(rows);
  const [only] = entries;
  if (entries.length === 1 && only && !only.parameter && !only.period)
    return { accessPolicy: only.policy, access: undefined };
  return { accessPolicy: undefined, access: entries.length > 0 ? entries : undefined };
}

/** As the API takes them, in this order. */
export function toAccessEntries(rows: readonly AccessRow[]): SentEntry[] {
  return rows.filter(({ policy }) => policy !== '').map(toEntry);
}

/** What is not finished: path within its row ("policy", "parameters.0.name") and why. */
export function findUnfinished(row: AccessRow): [path: string, why: string][] {
  const found: [string, string][] = row.policy ? [] : [['policy', 'Choose a policy, or take this one away']];
  row.parameters.forEach(({ name, value }, index) => {
    if (!name.trim()) found.push([`parameters.${index}.name`, 'A parameter needs its name from the policy']);
    if (!value.trim()) found.push([`parameters.${index}.value`, 'A parameter needs a value']);
  });
  const { start = '', end = '' } = row.dates ?? {};
  if (start && end && start.slice(0, 10) > end.slice(0, 10)) found.push(['dates.end', 'It must end after it begins']);
  return found;
}

/** Whether saving would take the last policy away. No policy is no limit. */
export function isFullAccess(base: Member, rows: readonly AccessRow[]): boolean {
  return toAccessRows(base).length > 0 && rows.length === 0;
}

type SentEntry = AccessEntry & { policy: { reference: string } };

type AccessChange = Pick<MemberChange, 'accessPolicy' | 'access'>;

function toEntry({ id, policy, parameters, dates }: AccessRow): SentEntry {
  const parameter = parameters
    .filter(({ name }) => name.trim() !== '')
    .map(({ name, value }) => ({ name: name.trim(), ...toValue(value.trim()) }));
  const { start, end } = dates ?? {};
  const period = { ...(start && { start }), ...(end && { end }) };
  return {
    ...(id !== undefined && { id }),
    policy: { reference: policy },
    ...(parameter.length > 0 && { parameter }),
    ...((start || end) && { period }),
  };
}

function toValue(text: string) {
  return /^[A-Z][A-Za-z]+\/[\w.-]+$/.test(text) ? { valueReference: { reference: text } } : { valueString: text };
}

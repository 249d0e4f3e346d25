import { parseCsv } from '#lib/protocol/parse-csv.ts';
import type { InviteInput } from './input.ts';

/** One line of the grid, as typed. */
export type InviteCells = Record<ColumnKey, string>;

export const COLUMNS = [
  { key: 'firstName', label: 'First name', heads: ['firstname', 'givenname', 'given', 'first'] },
  { key: 'lastName', label: 'Last name', heads: ['lastname', 'familyname', 'surname', 'family', 'last'] },
  { key: 'email', label: 'E-mail', heads: ['email', 'mail', 'emailaddress'] },
  { key: 'resourceType', label: 'Type', heads: ['resourcetype', 'type', 'role', 'profiletype'] },
  { key: 'accessPolicy', label: 'Policy', heads: ['accesspolicy', 'policy', 'access'] },
  { key: 'admin', label: 'Admin', heads: ['admin', 'administrator', 'isadmin'] },
  { key: 'externalId', label: 'External id', heads: ['externalid', 'external'] },
  { key: 'patient', label: 'Patient', heads: ['patient'] },
  { key: 'sendEmail', label: 'Mail', heads: ['sendemail', 'sendmail'] },
] as const;
export type ColumnKey = (typeof COLUMNS)[number]['key'];

export const CSV_EXAMPLE =
  'firstName,lastName,email,resourceType,accessPolicy,admin\nAda,Okonkwo,ada@clinic.example,Practitioner,,false\n';

/** What a pasted or dropped CSV holds. Without a header, the columns are in the order of COLUMNS. `unknown`: heads nobody knows. */
export function readInviteCsv(text: string): { rows: InviteCells[]; used: ColumnKey[]; unknown: string[] } {
  const lines = parseCsv(text);
  const heads = (lines[0] ?? []).map(findColumn);
  const hasHeader = heads.some((head) => head !== undefined);
  // Of two heads for one thing ("E-mail", "Mail") the first counts; the other is said not to be used.
  const first = heads.map((head, at) => (head && heads.indexOf(head) === at ? head : undefined));
  const columns = hasHeader ? first : COLUMNS.map(({ key }) => key);
  const rows = lines.slice(hasHeader ? 1 : 0).map((line) => {
    const cells = Object.fromEntries(COLUMNS.map(({ key }) => [key, ''])) as InviteCells;
    for (const [at, key] of columns.entries()) if (key) cells[key] = line[at] ?? '';
    return cells;
  });
  const used = COLUMNS.map(({ key }) => key).filter((key) => rows.some((cells) => cells[key] !== ''));
  const unknown = hasHeader ? (lines[0] ?? []).filter((head, at) => head !== '' && !first[at]) : [];
  return { rows, used, unknown };
}

/** The request a line stands for. A policy may be named instead of referred to; an empty type is Practitioner. */
export function toInviteRow(cells: InviteCells, policies: ReadonlyMap<string, string>): InviteInput {
  const type = TYPES[toWord(cells.resourceType)] ?? cells.resourceType;
  const policy = policies.get(cells.accessPolicy.toLowerCase()) ?? cells.accessPolicy;
  const said = {
    email: cells.email,
    externalId: cells.externalId,
    accessPolicy: policy && { reference: policy },
    patient: cells.patient && { reference: cells.patient },
    admin: toFlag(cells.admin),
    sendEmail: toFlag(cells.sendEmail),
  };
  return {
    resourceType: (type || 'Practitioner') as InviteInput['resourceType'],
    firstName: cells.firstName,
    lastName: cells.lastName,
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== '')),
  };
}

const TYPES: Record<string, string> = {
  practitioner: 'Practitioner',
  patient: 'Patient',
  relatedperson: 'RelatedPerson',
};

/** "yes" and "1" mean true; what means neither goes to the API as it is, which says what is wrong with it. */
function toFlag(text: string): string {
  const word = text.toLowerCase();
  if (['true', 'yes', 'y', '1'].includes(word)) return 'true';
  return ['false', 'no', 'n', '0'].includes(word) ? 'false' : text;
}

function findColumn(head: string): ColumnKey | undefined {
  const word = toWord(head);
  return COLUMNS.find(({ heads }) => (heads as readonly string[]).includes(word))?.key;
}

function toWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}

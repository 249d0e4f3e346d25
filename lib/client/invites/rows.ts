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

type InviteCsv = {
  rows: InviteCells[];
  used: ColumnKey[];
  /** Heads nobody knows. */
  unknown: string[];
  /** Whether the first line names the columns. Without one, they are in the order of COLUMNS. */
  hasHeader: boolean;
  /** How many lines have more cells than there are columns. */
  tooLong: number;
};

/** What a pasted or dropped CSV holds. */
export function readInviteCsv(text: string): InviteCsv {
  const lines = parseCsv(text);
  const [line = []] = lines;
  const hasHeader = isHeader(line);
  const heads = line.map(findColumn);
  // Of two heads for one thing ("E-mail", "Mail") the first counts; the other is said not to be used.
  const first = heads.map((head, at) => (head && heads.indexOf(head) === at ? head : undefined));
  const columns = hasHeader ? first : COLUMNS.map(({ key }) => key);
  const data = lines.slice(hasHeader ? 1 : 0);
  const rows = data.map((cellsOfLine) => {
    const cells = Object.fromEntries(COLUMNS.map(({ key }) => [key, ''])) as InviteCells;
    for (const [at, key] of columns.entries()) if (key) cells[key] = cellsOfLine[at] ?? '';
    return cells;
  });
  const used = COLUMNS.map(({ key }) => key).filter((key) => rows.some((cells) => cells[key] !== ''));
  const unknown = hasHeader ? line.filter((head, at) => head !== '' && !first[at]) : [];
  const tooLong = data.filter((cells) => cells.slice(columns.length).some((cell) => cell !== '')).length;
  return { rows, used, unknown, hasHeader, tooLong };
}

/** What of it was read otherwise than one might think; undefined when nothing was. */
export function noticeOf({ unknown, hasHeader, tooLong }: InviteCsv): string | undefined {
  const said = [
    ...(hasHeader
      ? []
      : ['The first line names no columns, so it is a person, and the columns are in the usual order']),
    ...(unknown.length > 0 ? [`Not used: ${unknown.join(', ')}`] : []),
    ...(tooLong > 0
      ? [`${tooLong} ${tooLong === 1 ? 'line has' : 'lines have'} more cells than there are columns`]
      : []),
  ];
  return said.length > 0 ? `${said.join('. ')}.` : undefined;
}

/**
 * Whether a line names columns: all of its cells do, or several, one of them a name or an address. A cell of it that can only be
 * somebody's (an address, a reference) tells that it does not: "Patient" is a column and a type, "Given" a column and a surname.
 */
function isHeader(line: string[]): boolean {
  const cells = line.filter((cell) => cell !== '');
  if (cells.some((cell) => /@|^(?:true|false|yes|no)$|^[A-Z]\w+\/|^\d/i.test(cell))) return false;
  const known = cells.map(findColumn).filter((key) => key !== undefined);
  if (known.length === 0 || known.length === cells.length) return known.length > 0;
  return known.length > 1 && known.some((key) => WHO.has(key));
}

const WHO = new Set<ColumnKey>(['firstName', 'lastName', 'email']);

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

import { PLACEMENT } from '../cluster/placement.ts';

type Table = keyof typeof PLACEMENT;

/** `update`: of all columns but the project, or of these alone. */
type Allowed = { insert: true; update: true | readonly string[]; delete: boolean };

const APPEND = { insert: true, update: [], delete: false } as const;

/** What is told of the past is added to. What is over of the audit log goes by sweep_audit_event(), which takes nothing that is young. */
const NARROW: Partial<Record<Table, Allowed>> = {
  audit_event: APPEND,
  audit_seal: APPEND,
  audit_key: APPEND,
  // Signed again when its beginning moved; and where the chain stands.
  audit_head: { insert: true, update: ['jws', 'at'], delete: false },
  audit_chain: {
    insert: true,
    update: ['seq', 'hash', 'start_seq', 'start_hash', 'complete_to'],
    delete: false,
  },
  // A version is never changed; the name of somebody who was erased is taken out of its text (store/delete-row.ts).
  resource_history: { insert: true, update: ['content'], delete: true },
  bot_version: { insert: true, update: [], delete: true },
};

/** A login waits in no project until its person has chosen one. */
const MOVES: readonly string[] = ['login'] satisfies readonly Table[];

const ALL: Allowed = { insert: true, update: true, delete: true };

/** What the server may do with a table beside reading it. */
export function allowedOn(table: Table): Allowed {
  return NARROW[table] ?? ALL;
}

/** The columns that may be updated; undefined: the whole table, which also says that all to come may. */
export function updatable(table: Table, columns: readonly string[]): readonly string[] | undefined {
  const { update } = allowedOn(table);
  if (update !== true) return update;
  // No row goes from one project to another.
  return columns.includes('project_id') && !MOVES.includes(table)
    ? columns.filter((column) => column !== 'project_id')
    : undefined;
}

export function isOurs(name: string): name is Table {
  return Object.hasOwn(PLACEMENT, name);
}

/** Of public: what runs with the owner's rights, each bounded by itself (drizzle/0067_server_role.sql). */
export const FUNCTIONS = [
  'sweep_audit_event(uuid, uuid[], bigint)',
  'refresh_statistics()',
  'next_project_in(text, uuid)',
] as const;

/**
 * With row-level security: of their rows the server's role has those of the project that its transaction has named (of-project.ts), so they are asked
 * in transactions alone. Secrets, which a process reads once and keeps.
 */
export const GUARDED: readonly string[] = [
  'bot_secret',
  'project_secret',
  'provider_secret',
] satisfies readonly Table[];

export function isGuarded(name: string): boolean {
  return GUARDED.includes(name);
}

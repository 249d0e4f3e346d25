import { isIdentityType } from '#lib/protocol/fhir/type-ids.ts';
import type { AuditEntry } from '../access/context.ts';
import type { Row } from '../store/row.ts';

const NOUNS = {
  AccessPolicy: 'access-policy',
  Bot: 'bot',
  ClientApplication: 'client',
  Project: 'project',
  User: 'user',
} as const;

/** Health data stays in the store's history: of a clinical resource the audit row only names the versions. */
export function auditEntry(verb: 'create' | 'update' | 'delete', row: Row, before?: Row): AuditEntry {
  return {
    projectId: row.projectId,
    action: `${isNamed(row.type) ? NOUNS[row.type] : 'resource'}.${verb}`,
    target: `${row.type}/${row.id}`,
    before: before && stateOf(before),
    after: verb === 'delete' ? undefined : stateOf(row),
  };
}

function isNamed(type: string): type is keyof typeof NOUNS {
  return Object.hasOwn(NOUNS, type);
}

function stateOf({ type, version, content }: Row): unknown {
  return isIdentityType(type) && content ? JSON.parse(content) : { version };
}

import { isIdentityType } from '#lib/protocol/fhir/type-ids.ts';
import type { AuditEntry } from '../access/context.ts';
import type { Row } from '../store/row.ts';

const NOUNS: Record<string, string> = {
  AccessPolicy: 'access-policy',
  Bot: 'bot',
  ClientApplication: 'client',
  Project: 'project',
  User: 'user',
};

/** Health data stays in the store's history: of a clinical resource the audit row only names the versions. */
export function auditEntry(verb: 'create' | 'update' | 'delete', row: Row, before?: Row): AuditEntry {
  return {
    projectId: row.projectId,
    action: `${NOUNS[row.type] ?? 'resource'}.${verb}`,
    target: `${row.type}/${row.id}`,
    before: before && stateOf(before),
    after: verb === 'delete' ? undefined : stateOf(row),
  };
}

function stateOf({ type, version, content }: Row): unknown {
  return isIdentityType(type) && content ? JSON.parse(content) : { version };
}

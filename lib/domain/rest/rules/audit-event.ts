import { EVENT_PARAMS } from '#lib/protocol/audit/read-event-search.ts';
import { findAuditEvent } from '../audit-event/find-audit-event.ts';
import { searchAuditEvents } from '../audit-event/search-audit-events.ts';
import type { TypeRule } from '../type-rule.ts';

const TEXT = 'The server writes the audit log, and nobody changes it';

export const auditEventRule: TypeRule = {
  closed: { create: TEXT, update: TEXT, delete: TEXT },
  elsewhere: { find: findAuditEvent, search: searchAuditEvents, params: EVENT_PARAMS },
};

import { isResourceType } from './fhir/type-ids.ts';

/** What a scope lets be done: create, read, update, delete, search. */
export type SmartAction = 'c' | 'r' | 'u' | 'd' | 's';

/** `query`: search parameters that limit it further, as in a URL. `type` is a resource type or `*`. */
export type SmartScope = {
  context: 'patient' | 'user' | 'system';
  type: string;
  actions: readonly SmartAction[];
  query: string | undefined;
};

const RESOURCE_SCOPE = /^(patient|user|system)\/(\*|[A-Za-z]+)\.(read|write|\*|(?=[cruds])c?r?u?d?s?)(?:\?(.+))?$/;
const V1: Record<string, string> = { read: 'rs', write: 'cud', '*': 'cruds' };

/** The scopes of a space-separated list (RFC 6749 §3.3), each once. */
export function splitScopes(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((item) => item !== ''))];
}

/** Whether somebody means access to resources by it, written well or not: who asks for a limit must never get none. */
export function isResourceScope(scope: string): boolean {
  return /^(patient|user|system)\//i.test(scope);
}

/** SMART App Launch 1.0 and 2.2, "Scopes for requesting FHIR Resources". Undefined for what is none, or names no type of ours. */
export function parseSmartScope(scope: string): SmartScope | undefined {
  const [, context, type = '', access = '', query] = RESOURCE_SCOPE.exec(scope) ?? [];
  if (!context || (type !== '*' && !isResourceType(type))) return undefined;
  const v1 = Object.hasOwn(V1, access) ? V1[access] : undefined;
  // Version 1 knows no queries, and a query has the parameters of one type.
  if (query !== undefined && (v1 !== undefined || type === '*')) return undefined;
  return { context: context as SmartScope['context'], type, actions: [...(v1 ?? access)] as SmartAction[], query };
}

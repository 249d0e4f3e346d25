import type { AccessPolicy, AccessPolicyRule } from '#lib/protocol/fhir/types.ts';
import type { StoredPolicy } from './policies.ts';

const OF_THE_PLATFORM = new Set(['versionId', 'lastUpdated', 'project', 'author', 'onBehalfOf', 'account', 'accounts']);

/** A policy as the editor shows it: without what only the platform sets. */
export function toText(policy: StoredPolicy | AccessPolicy): string {
  const { id: _, meta, ...rest } = policy as StoredPolicy;
  const given = Object.entries(meta ?? {}).filter(([name]) => !OF_THE_PLATFORM.has(name));
  return JSON.stringify({ ...rest, ...(given.length > 0 && { meta: Object.fromEntries(given) }) }, null, 2);
}

/** The policy that a text is; undefined while it is none, or is not shaped so that a form could show it. */
export function toPolicy(text: string): AccessPolicy | undefined {
  const policy = parse(text);
  if (!isObject(policy) || policy.resourceType !== 'AccessPolicy' || !isText(policy.name)) return undefined;
  const { resource = [], ipAccessRule = [], extension = [], compartment = {}, basedOn = [] } = policy;
  const isShown =
    Array.isArray(resource) &&
    resource.every(isRule) &&
    Array.isArray(ipAccessRule) &&
    ipAccessRule.every(isPlace) &&
    Array.isArray(extension) &&
    extension.every(isObject) &&
    isObject(compartment) &&
    isText(compartment.reference) &&
    Array.isArray(basedOn) &&
    basedOn.every((each) => isObject(each) && isText(each.reference));
  return isShown ? (policy as unknown as AccessPolicy) : undefined;
}

/** Any JSON; undefined for what is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** With one rule changed, taken out (`undefined`) or put in (after the last). */
export function withRule(policy: AccessPolicy, at: number, rule: AccessPolicyRule | undefined): AccessPolicy {
  const rules = [...(policy.resource ?? [])];
  rules.splice(at, 1, ...(rule ? [rule] : []));
  return { ...policy, resource: rules };
}

/** With a rule in another place: the first that holds of a record decides of its fields. */
export function withMoved(policy: AccessPolicy, from: number, to: number): AccessPolicy {
  const rules = [...(policy.resource ?? [])];
  const [moved] = rules.splice(from, 1);
  if (!moved || to < 0 || to > rules.length) return policy;
  rules.splice(to, 0, moved);
  return { ...policy, resource: rules };
}

function isRule(value: unknown): value is AccessPolicyRule {
  if (!isObject(value) || typeof value.resourceType !== 'string' || !isText(value.criteria)) return false;
  const { readonly, interaction, hiddenFields, readonlyFields, writeConstraint = [] } = value;
  const areTexts = [interaction, hiddenFields, readonlyFields].every((list) => list === undefined || isTexts(list));
  const isFlag = readonly === undefined || typeof readonly === 'boolean';
  return areTexts && isFlag && Array.isArray(writeConstraint) && writeConstraint.every(isExpression);
}

function isExpression(value: unknown): boolean {
  return isObject(value) && isText(value.expression);
}

function isPlace(value: unknown): boolean {
  return isObject(value) && [value.name, value.value, value.action].every(isText);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

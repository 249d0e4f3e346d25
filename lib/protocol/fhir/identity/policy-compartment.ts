import type { Issue } from '#lib/base/errors.ts';
import { isFhirId, parseReference } from '../references.ts';
import { isResourceType } from '../type-ids.ts';
import type { AccessPolicy } from '../types.ts';

/** `%name`, `Type/%name`, `Type/%name.id`. */
const VARIABLE = /^(?:([A-Za-z]+)\/)?%([A-Za-z_][A-Za-z0-9_-]*)(\.id)?$/;

/** Whether it stands for a reference that the membership says. */
export function isVariable(text: string): boolean {
  const [, type, name, id] = VARIABLE.exec(text) ?? [];
  if (name === undefined || name === 'now') return false;
  return type === undefined ? id === undefined : isResourceType(type);
}

/** Where a policy puts what is written under it, as `Type/id`, several where its variable has several values. Undefined where that is nowhere. */
export function compartmentsOf(text: string, values: ReadonlyMap<string, string[]>): string[] | undefined {
  if (!isVariable(text)) {
    const local = localOf(text);
    return local === undefined ? undefined : [local];
  }
  const [, type, name = ''] = VARIABLE.exec(text) ?? [];
  const found = (values.get(name) ?? []).map((value) => {
    const local = localOf(value);
    if (type === undefined) return local;
    const id = local ? local.slice(local.indexOf('/') + 1) : value;
    return isFhirId(id) ? `${type}/${id}` : undefined;
  });
  const known = found.filter((each) => each !== undefined);
  return known.length > 0 && known.length === found.length ? [...new Set(known)] : undefined;
}

/** Expects a structurally valid policy. */
export function compartmentIssues({ compartment }: AccessPolicy): Issue[] {
  if (compartment === undefined) return [];
  const { reference = '' } = compartment;
  if (isVariable(reference) || localOf(reference)) return [];
  const text = 'compartment is a reference like Organization/<id>, or a variable: %organization, Organization/%id';
  return [{ text, expression: 'AccessPolicy.compartment', code: 'invariant' }];
}

function localOf(text: string): string | undefined {
  const parsed = parseReference(text);
  return parsed?.kind === 'local' && parsed.version === undefined ? `${parsed.type}/${parsed.id}` : undefined;
}

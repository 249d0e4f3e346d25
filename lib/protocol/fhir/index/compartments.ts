import { COMPARTMENTS } from '../generated/r4.ts';

export type Membership = {
  /** Type of the compartment's owner (`Patient`). */
  compartment: string;
  /** Search parameters whose references put a resource into it. */
  params: readonly string[];
};

let table: { owner: string; members: Map<string, string[]> }[] | undefined;

/** The compartments that resources of this type can belong to (HL7's CompartmentDefinitions). */
export function compartmentsOf(type: string): Membership[] {
  return load().flatMap(({ owner, members }) => {
    const params = members.get(type);
    return params ? [{ compartment: owner, params }] : [];
  });
}

/** Does a resource of this type own a compartment? */
export function isCompartment(type: string): boolean {
  return load().some(({ owner }) => owner === type);
}

/** The types that own one. */
export function compartmentOwners(): string[] {
  return load().map(({ owner }) => owner);
}

/** The types that a compartment of this owner can hold, its owner among them. */
export function compartmentTypes(owner: string): string[] {
  const types = load().flatMap((row) => (row.owner === owner ? [...row.members.keys()] : []));
  return [...new Set([owner, ...types])];
}

/** Line format: owner, then `Type:param,param` for each member type. */
function load(): { owner: string; members: Map<string, string[]> }[] {
  table ??= COMPARTMENTS.split('\n').map((line) => {
    const [owner = '', ...entries] = line.split(' ');
    return { owner, members: new Map(entries.map((entry) => memberOf(entry))) };
  });
  return table;
}

function memberOf(entry: string): [string, string[]] {
  const [type = '', params = ''] = entry.split(':');
  return [type, params.split(',')];
}

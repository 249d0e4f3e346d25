import type { Issue } from '#lib/base/errors.ts';
import { parseCanonical } from '../references.ts';
import { structure } from '../structures.ts';
import { isIdentityType, isResourceType } from '../type-ids.ts';

const BASE = 'http://hl7.org/fhir/StructureDefinition/';
const VERSION = '4.0.1';

/**
 * What stands against judging a resource of this type by a profile, by R4 alone. The base definitions are known, and validateResource
 * judges by them; any other is not-supported, unless the project has it.
 */
export function profileIssue(type: string, profile: string, expression: string): Issue | undefined {
  const { url, version } = parseCanonical(profile);
  const name = url.startsWith(BASE) ? url.slice(BASE.length) : '';
  const isBase = name === 'Resource' || name === 'DomainResource' || (isResourceType(name) && !isIdentityType(name));
  if (!isBase || (version !== undefined && version !== VERSION)) {
    const text = `Not checked against ${profile.slice(0, 200)}: it is no base definition of R4, and no profile of this project`;
    return { text, expression, code: 'not-supported' };
  }
  if (name === type || name === 'Resource' || (name === 'DomainResource' && isDomainResource(type))) return undefined;
  return { text: `A ${type} is no ${name}`, expression, code: 'value' };
}

function isDomainResource(type: string): boolean {
  return structure(type)?.elements.has('contained') === true;
}

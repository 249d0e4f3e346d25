import { parseReference } from '../../fhir/references.ts';
import type { Base, Reference } from '../../fhir/types.ts';

/** The peer's: on an OperationDefinition, it names the bot that does it. */
export const IMPLEMENTATION = 'https://medplum.com/fhir/StructureDefinition/operationDefinition-implementation';

export type OperationLevel = 'system' | 'type' | 'instance';

/** What an operation takes or gives (R4 OperationDefinition.parameter); `type` or `part`. */
export type OperationParameter = {
  name: string;
  use?: 'in' | 'out';
  min: number;
  max: string;
  type?: string;
  part?: OperationParameter[];
};

export type OperationDefinition = Base<'OperationDefinition'> & {
  code: string;
  status: string;
  kind: string;
  affectsState?: boolean;
  resource?: string[];
  system: boolean;
  type: boolean;
  instance: boolean;
  parameter?: OperationParameter[];
  extension?: { url: string; valueReference?: Reference }[];
};

/** The id of the bot that does it. */
export function implementingBot({ extension = [] }: OperationDefinition, baseUrl: string): string | undefined {
  const { valueReference } = extension.find(({ url }) => url === IMPLEMENTATION) ?? {};
  const to = parseReference(valueReference?.reference ?? '', baseUrl);
  return to?.kind === 'local' && to.type === 'Bot' ? to.id : undefined;
}

/** Whether it is on this type, where it is on types at all. */
export function isOnType(definition: OperationDefinition, type: string): boolean {
  return isOnAllTypes(definition) || definition.resource?.includes(type) === true;
}

/** As `isOnType`, of each. */
export function isOnAllTypes({ resource = [] }: OperationDefinition): boolean {
  return resource.length === 0 || resource.some((one) => BASES.has(one));
}

/** Of every type (R4 resource §2.26). */
const BASES: ReadonlySet<string> = new Set(['Resource', 'DomainResource']);

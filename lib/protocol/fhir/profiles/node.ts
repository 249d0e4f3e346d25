/** What a profile says of one element, or of one slice of it. A tree: from the resource or data type down. */
export type ProfileNode = {
  /** As in the definition, with slices: `Observation.component:systolic.code`. For people. */
  id: string;
  /** As in the definition: `Observation.component.code`. */
  path: string;
  /** The property, without `[x]`. */
  name: string;
  choice: boolean;
  sliceName?: string;
  min?: number;
  /** Infinity when any number may be there. */
  max?: number;
  types?: TypeRule[];
  fixed?: unknown;
  pattern?: unknown;
  maxLength?: number;
  /** Canonical of the set of a required binding. */
  valueSet?: string;
  /** Of an extensible one. */
  advisedSet?: string;
  constraints: Constraint[];
  slicing?: Slicing;
  slices: ProfileNode[];
  children: ProfileNode[];
  /** Path of the element whose children these have. */
  contentReference?: string;
};

export type TypeRule = { code: string; profiles: string[]; targets: string[] };
export type Constraint = { key: string; severity: 'error' | 'warning'; text: string; expression: string };
export type Discriminator = { type: string; path: string };
export type Slicing = {
  discriminators: Discriminator[];
  rules: 'open' | 'closed' | 'openAtEnd';
  ordered: boolean;
};

export type Profile = {
  url: string;
  version?: string;
  /** Of what it is a profile: `Patient`, `Extension`. */
  type: string;
  root: ProfileNode;
  /** By path, what content references mean. */
  byPath: ReadonlyMap<string, ProfileNode>;
  /** Canonicals of the profiles and value sets that it names. */
  profiles: readonly string[];
  valueSets: readonly string[];
};

/** What stands in a StructureDefinition, as far as it is read here. */
export type ElementDefinition = {
  id?: string;
  path: string;
  sliceName?: string;
  min?: number;
  max?: string;
  base?: { min?: number; max?: string };
  type?: { code?: string; profile?: string[]; targetProfile?: string[] }[];
  maxLength?: unknown;
  contentReference?: string;
  constraint?: { key: string; severity: string; human?: string; expression?: string }[];
  binding?: { strength?: string; valueSet?: string };
  slicing?: { discriminator?: Discriminator[]; rules?: string; ordered?: boolean };
  [choice: string]: unknown;
};

export type StructureDefinition = {
  resourceType: string;
  url?: string;
  version?: string;
  type?: string;
  derivation?: string;
  baseDefinition?: string;
  snapshot?: { element?: ElementDefinition[] };
  differential?: { element?: ElementDefinition[] };
};

export const BASE = 'http://hl7.org/fhir/StructureDefinition/';

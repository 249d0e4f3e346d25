import type {
  Attachment,
  CodeableConcept,
  Coding,
  Expression,
  Extension,
  Identifier,
  Period,
  Reference as R4Reference,
  Timing,
} from 'fhir/r4';

export type { Attachment, CodeableConcept, Coding, Identifier };

export type Reference = R4Reference;

export type Meta = {
  versionId?: string;
  /** FHIR instant. */
  lastUpdated?: string;
  source?: string;
  profile?: string[];
  security?: Coding[];
  tag?: Coding[];
  /** Shown in extended mode only (api.md §1.1 item 4). */
  project?: string;
  author?: Reference;
  onBehalfOf?: Reference;
  account?: Reference;
  accounts?: Reference[];
  compartment?: Reference[];
};

/** Any resource, as parsed from JSON. Numbers may be JSON.rawJSON objects (see lib/protocol/json/json.ts). */
export type Resource = { resourceType: string; id?: string; meta?: Meta } & Record<string, unknown>;

export type Base<T extends string> = { resourceType: T; id?: string; meta?: Meta };

/** As it comes from the store: the server has given it an id. */
export type Stored<T extends { id?: string }> = T & { id: string };

/** A named setting or a project secret. */
export type ProjectSetting = {
  name: string;
  valueString?: string;
  valueBoolean?: boolean;
  valueDecimal?: number;
  valueInteger?: number;
};

/** What a new member of this kind gets when nobody names a policy. */
export type DefaultPolicy = {
  profileType: 'Patient' | 'Practitioner' | 'RelatedPerson' | 'Admin';
  accessPolicy: Reference;
};

export type Project = Base<'Project'> & {
  name?: string;
  description?: string;
  /** Absent = active. */
  active?: boolean;
  owner?: Reference;
  superAdmin?: boolean;
  strictMode?: boolean;
  checkReferencesOnWrite?: boolean;
  features?: string[];
  defaultAccessPolicies?: DefaultPolicy[];
  defaultPatientAccessPolicy?: Reference;
  setting?: ProjectSetting[];
  secret?: ProjectSetting[];
  systemSetting?: ProjectSetting[];
  systemSecret?: ProjectSetting[];
  site?: { name: string; domain: string[]; googleClientId?: string; recaptchaSiteKey?: string }[];
  link?: { project: Reference }[];
  defaultProfile?: { resourceType: string; profile: string[] }[];
  exportedResourceType?: string[];
  identifier?: Identifier[];
};

export type User = Base<'User'> & {
  firstName: string;
  lastName: string;
  /** All lower case. */
  email?: string;
  emailVerified?: boolean;
  identifier?: Identifier[];
  externalId?: string;
  admin?: boolean;
  mfaRequired?: boolean;
  mfaEnrolled?: boolean;
  mfaMethod?: ('totp' | 'email')[];
  /** The project whose user this is; absent for server-scoped users. */
  project?: Reference;
};

export type AccessParameter = { name: string; valueString?: string; valueReference?: Reference };

/** `period`: outside of it the entry gives nothing; each end may be open. `id`: of emergency access, which grant it is. */
export type AccessEntry = { id?: string; policy: Reference; parameter?: AccessParameter[]; period?: Period };

export type ProjectMembership = Base<'ProjectMembership'> & {
  project: Reference;
  /** Bot, ClientApplication or User. */
  user: Reference;
  /** Bot, ClientApplication, Patient, Practitioner or RelatedPerson. */
  profile: Reference;
  invitedBy?: Reference;
  /** Absent = active. */
  active?: boolean;
  /** Absent = not an admin. */
  admin?: boolean;
  accessPolicy?: Reference;
  access?: AccessEntry[];
  userConfiguration?: Reference;
  userName?: string;
  externalId?: string;
  /** By which ways this member may sign in. Absent = as the project says. */
  signInWays?: ('password' | 'passkey' | 'link' | 'provider')[];
  /** From when on and until when it is entered; each end may be open. */
  period?: Period;
  /** On leave: not entered before. */
  suspendedUntil?: string;
  identifier?: Identifier[];
};

export type Bot = Base<'Bot'> & {
  identifier?: Identifier[];
  name?: string;
  description?: string;
  runtimeVersion?: 'awslambda' | 'vmcontext' | 'fission';
  /** Seconds. */
  timeout?: number;
  photo?: Attachment;
  category?: CodeableConcept[];
  cronTiming?: Timing;
  cronString?: string;
  system?: boolean;
  runAsUser?: boolean;
  publicWebhook?: boolean;
  rawBody?: boolean;
  /** Hosts that it may call (protocol/bots/allowed-hosts.ts); absent: what its project says, or any. */
  allowedHost?: string[];
  streamingEnabled?: boolean;
  auditEventTrigger?: 'always' | 'never' | 'on-error' | 'on-output';
  auditEventDestination?: ('log' | 'resource')[];
  sourceCode?: Attachment;
  executableCode?: Attachment;
  cdsService?: {
    hook: string;
    title: string;
    description: string;
    usageRequirements?: string;
    prefetch?: { key: string; query: string }[];
  };
  code?: string;
  extension?: Extension[];
};

export type PolicyInteraction = 'read' | 'vread' | 'update' | 'delete' | 'history' | 'create' | 'search';

export type AccessPolicyRule = {
  /** A resource type or `*`. */
  resourceType: string;
  compartment?: Reference;
  criteria?: string;
  readonly?: boolean;
  interaction?: PolicyInteraction[];
  hiddenFields?: string[];
  readonlyFields?: string[];
  writeConstraint?: Expression[];
};

export type AccessPolicy = Base<'AccessPolicy'> & {
  extension?: Extension[];
  name?: string;
  basedOn?: Reference[];
  compartment?: Reference;
  resource?: AccessPolicyRule[];
  ipAccessRule?: { name?: string; value: string; action: 'allow' | 'block' }[];
};

export type AsyncJob = Base<'AsyncJob'> & {
  status: 'accepted' | 'active' | 'completed' | 'error' | 'cancelled';
  requestTime: string;
  request: string;
  transactionTime?: string;
  output?: Resource;
  type?: string;
};

export type OperationOutcomeIssue = {
  severity: 'fatal' | 'error' | 'warning' | 'information';
  code: string;
  details?: { text?: string; coding?: { system: string; code: string }[] };
  diagnostics?: string;
  expression?: string[];
};

export type OperationOutcome = { resourceType: 'OperationOutcome'; id?: string; issue: OperationOutcomeIssue[] };

import type { Ctx } from '#lib/domain/access/context.ts';
import type { Reply, StreamedReply } from '../../door/reply.ts';

export type OperationInput = {
  ctx: Ctx;
  /** '' of the system. */
  type: string;
  /** Of the instance; absent at type level. */
  id?: string;
  request: Request;
  url: URL;
  /** X-Medplum: extended. */
  extended: boolean;
};

type Simple = 'boolean' | 'code' | 'date' | 'dateTime' | 'instant' | 'integer' | 'string' | 'uri';

/** `max`: 1, when it is not said. */
export type Parameter = {
  type: Simple | 'Coding' | 'CodeableConcept' | 'Meta' | 'Reference' | 'Resource';
  min?: 1;
  max?: number;
  documentation?: string;
};

/** One that has parts instead of a value. */
type Composite = Omit<Parameter, 'type'> & { part: Record<string, Parameter> };

/** Of the Parameters that are answered; `part` instead of a type. */
type Told = { type?: string; min?: 1; max?: '*'; part?: Record<string, Told> };

/** What an OperationDefinition is made of: `to-definition.ts`. */
export type Definition = {
  code: string;
  /** Of the resources that it is on; Resource for every type, '' where it is of the system. */
  resource: string;
  at: readonly ('system' | 'type' | 'instance')[];
  affectsState: boolean;
  /** All that it takes. What is not here is refused by name. */
  parameters: Record<string, Parameter | Composite>;
  /** The type of what it answers, or what stands in the Parameters that it answers. */
  returns: string | Record<string, Told>;
  comment?: string;
  /** Of one that HL7 defines: its address, and which of its parameters are not taken here, if any, or where it is not. */
  base?: string;
  lacks?: readonly string[];
};

export type Operation = {
  definition: Definition;
  /** GET only for what changes nothing (R4 operations §3.2.0). */
  methods: readonly ('GET' | 'POST')[];
  /** It reads, answers at once and leaves nothing behind: it is there for an administrator who looks with a member’s eyes. */
  inView?: true;
  /** Reads the body itself: the door has not. */
  run(input: OperationInput): Promise<Reply | StreamedReply>;
};

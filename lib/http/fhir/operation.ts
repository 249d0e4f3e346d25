import type { Ctx } from '#lib/domain/access/context.ts';
import type { Reply } from '../door/reply.ts';

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

export type Operation = {
  /** Of one that HL7 defines. */
  definition?: string;
  /** GET only for what changes nothing (R4 operations §3.2.0). */
  methods: readonly ('GET' | 'POST')[];
  /** Reads the body itself: the door has not. */
  run(input: OperationInput): Promise<Reply>;
};

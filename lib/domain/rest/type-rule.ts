import type { Queryable } from '#lib/infra/db/client.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import type { Actor, Ctx, Write } from '../access/context.ts';
import type { Interaction } from '../access/rule.ts';
import type { Row } from '../store/row.ts';

/** Where an instance is kept, and what of the type the caller may reach there. */
export type Located = { projectId: string; reach: Expr };

/** A row, and what is told of it only in this one answer (a new client's secret). */
export type Made = { row: Row; once?: Record<string, unknown> };

/** `before` is undefined for a new resource. `after` is valid and carries its id. */
export type ResourceChange = {
  ctx: Ctx & { write: Write };
  actor: Actor;
  projectId: string;
  before?: Resource;
  after: Stored<Resource>;
};

/** Of a type that is not kept in the store: how it is found there where it is. */
export type Elsewhere = {
  find(actor: Actor, projectId: string, id: string): Promise<Row | undefined>;
  /** A searchset Bundle as JSON text. */
  search(ctx: Ctx, params: readonly (readonly [string, string])[], extended: boolean): Promise<string>;
  /** The search parameters that it knows. */
  params: readonly string[];
};

/** What a type adds to the interactions as R4 has them. A type that says nothing is stored as it comes. */
export type TypeRule = {
  /** Interactions that FHIR does not offer for this type: the text says where it is done instead. */
  closed?: { [I in Interaction]?: string };
  /** Where it is kept elsewhere than in the store. What stands in the store besides can be read by its id. */
  elsewhere?: Elsewhere;
  /** Default: the caller's project, under the caller's policy. */
  locate?(actor: Actor, id: string, interaction: Interaction): Promise<Located> | Located;
  /** Top-level elements that this caller never sees and never changes. */
  hidden?(actor: Actor): readonly string[];
  /** Whether the caller may know of this one, beyond what policies say: who may not is told 404. */
  isSeen?(ctx: Ctx, row: Row): Promise<boolean>;
  /** What of it stands beside its row: whether a change brings some, which makes it a new version by itself, and how that is kept with it. */
  beside?: {
    brings(w: Write, before: Row, stored: Resource): Promise<boolean>;
    keep(w: Write, row: Row, stored: Resource, before: Row): Promise<void>;
  };
  /** Creates it with everything that belongs to it, and audits that. */
  create?(ctx: Ctx, projectId: string, resource: Resource): Promise<Made>;
  /** What is stored instead of `after`; throws for what may not be. */
  prepare?(change: ResourceChange): Promise<Resource> | Resource;
  /** After a create, an update or a delete, in its transaction. */
  changed?(w: Write, row: Row): Promise<void> | void;
  /** After an update, in its transaction. `before` is what it replaced. */
  updated?(w: Write, row: Row, before: Row): Promise<void> | void;
  /** Names that a delete holds, taken before any row lock (lock-name.ts). */
  lockForDelete?(tx: Queryable, projectId: string): Promise<void>;
  /** Throws 409 while something needs it, and removes what belongs to it. In the transaction, the row locked. */
  beforeDelete?(w: Write, row: Row, actor: Actor): Promise<void>;
};

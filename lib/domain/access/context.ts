import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { AuditAction } from '#lib/protocol/answers/audit-action.ts';
import type { ClientBounds } from '#lib/protocol/clients/bounds.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { SessionBounds } from '#lib/protocol/sign-in/bounds.ts';
import type { Policy } from './policy.ts';

/** Emergency access that is open, until when in epoch milliseconds. `without`: what they may without it. */
export type Glass = { grantId: string; until: number; without: Policy };

/** Who is calling: a membership of one project, as it stands now. Frozen and shared between requests. */
export type Actor = {
  projectId: string;
  projectName: string;
  membershipId: string;
  /** `User/…`, `ClientApplication/…` or `Bot/…`. */
  user: string;
  /** `Practitioner/…`, `Patient/…`, `RelatedPerson/…`, `ClientApplication/…` or `Bot/…`. */
  profile: string;
  profileDisplay: string | undefined;
  /** Of its project; of a super-admin, whether no policy keeps it from administering all of them (may-govern.ts). */
  admin: boolean;
  superAdmin: boolean;
  /** Of the project: `bots` and the like. */
  features: string[];
  /** Its setting `auditReads`. */
  auditReads: boolean;
  /** Unless its setting `botRunContents` says no: what goes into a bot and comes out is kept with the run. */
  keepsRuns: boolean;
  /** Its setting `updateCreate`: whether a PUT may create. */
  updateCreate: boolean;
  /** Its setting `botAllowedHosts`: which hosts its bots may call that do not say so themselves. */
  botHosts?: string[];
  /** What its settings say of all its sessions. */
  bounds: SessionBounds;
  /** Its `strictMode`: what goes against an invariant is refused, and not only told by `$validate`. */
  strict?: true;
  /** Its `checkReferencesOnWrite`: what a resource refers to must be there. */
  checksReferences?: true;
  /** Its setting `apiKeys`: whether people may have keys of their own. */
  mayHaveKeys: boolean;
  policy: Policy;
  /** Its setting `requirePolicy`: who has no policy reaches no record. */
  requiresPolicy?: true;
  /** Emergency access that they have in their own session. */
  glass?: Glass;
  /** For how many minutes they may break the glass, as the project’s settings have it; undefined: not at all. */
  glassMinutes?: number;
  /** When their membership ends, in epoch milliseconds. */
  until?: number;
  loginId: string | undefined;
  clientId: string | undefined;
  /** What that client limits all its tokens to, if it does. */
  client?: ClientBounds;
  scope: string;
  /** `Patient/…` that the app was started about, whose records its `patient/` scopes are. */
  patient?: string;
  /** The connection of a directory, where it calls by a token of its own. */
  scim?: { connectionId: string; tokenId: string; sendEmail: boolean };
  /** By which of a client's named secrets it calls, where it sends one with each request; and when that ends, in epoch milliseconds. */
  secret?: { id: string; endsAt: number | null };
  /** What it does now was asked for earlier, and judged then: a row of a bulk job. */
  askedBefore?: true;
  /** The code of a bot asks with these rights: what a person must prove, and what their session is good for, is not its own. */
  byBot?: true;
  /** The key by which a person calls; and when that ends, in epoch milliseconds. */
  key?: { id: string; endsAt: number };
  /** They look with a member’s eyes, and do nothing else (view-policy.ts); until when, in epoch milliseconds. */
  view?: { id: string; endsAt: number };
  /** Who really calls, when X-Medplum-On-Behalf-Of put this actor in their place. */
  caller?: Actor;
};

/** What changed, for the audit trail: `target` is `Type/id`; before and after hold fields, never secrets. */
export type AuditEntry = {
  projectId: string;
  action: AuditAction;
  target: string;
  before?: unknown;
  after?: unknown;
  outcome?: number;
};

/** Of which memberships something changed that tells how they stand: one; those of a person, wherever; those on a profile ("Patient/id"). */
export type Standing =
  | { projectId: string; membershipId: string }
  | { userId: string }
  | { projectId: string; profile: string };

/** An open transaction, and what leaves with its commit. */
export type Write = {
  tx: Queryable;
  /** How many subscriptions, one after the other, have led to it. */
  depth?: number;
  /** With whose rights. */
  actor?: Actor;
  audit(entry: AuditEntry): void;
  /** As `audit`, for the statement that stores a new row (`createRowWith`): it takes its audit row along. */
  auditBeside(entry: AuditEntry): { parts: string; params: readonly unknown[] };
  /** Everything was so already: when nothing else is audited the transaction is rolled back, and its result stands. */
  unchanged(): void;
  /** Drops what is cached under this tag (cache-tags.ts), in this process and every other, at commit. */
  invalidate(tag: string): void;
  afterCommit(run: () => void): void;
  /** What is stored of how these stand (lib/domain/standing) is written anew, before the commit. */
  stands(of: Standing): void;
  /** Writes it now: for who reads it before the commit. */
  settle(): Promise<void>;
  /** Of a transaction in which many things are tried, each for itself: what throws here is taken back, and what was done before stays. */
  attempt?<T>(run: () => Promise<T>): Promise<T>;
};

/** One request. `write` is there while a transaction is open, so that verbs called inside join it. */
export type Ctx = {
  requestId: string;
  remoteAddress: string;
  userAgent: string;
  /** The Origin header: of which site the page is that sent this. */
  origin?: string;
  actor?: Actor;
  /** Which client has tried to show who it is, whether or not it is; for its log. */
  client?: { projectId: string; clientId: string };
  write?: Write;
  /** Inside a transaction of many changes: takes what is written, whose references are looked at when all of it is there. */
  referring?: (resource: Resource) => void;
  /** Inside of it, by `Type/id`: what it makes, some of it later than what refers to it. */
  making?: ReadonlySet<string>;
  /** A policy is saved also when tests of it fail (X-Gatehouse-Override). */
  overridesTests?: true;
  /** How many subscriptions, one after the other, have led to this: what a bot writes that one of them runs. */
  depth?: number;
  /** Is told what was committed. */
  committed?: (entries: readonly AuditEntry[]) => void;
  /** How many bots, each run by the one before, wait for this. */
  within?: number;
  /** Of a bot's run: the event that it is for, which is that of the bots that it runs, too. */
  eventKey?: string;
  /** By which the run that does this is found with what ran it, and what it runs. */
  traceId?: string;
  /** What is left, in ms, for all FHIRPath of one change that is explained, and what was answered: which constraints of a rule are not true of it. */
  judging?: { leftMs: number; unmet: Map<string, number[]> };
};

/** Who really calls: what is the person's own (account, sessions, access) is theirs, and not that of whom they act for. */
export function callerOf(actor: Actor): Actor {
  return actor.caller ?? actor;
}

export function requireActor(ctx: Ctx): Actor {
  if (!ctx.actor) throw new AppError('unauthorized', 'Authentication required');
  return ctx.actor;
}

/**
 * The caller, about the account itself. An app that was given records only (a login with scopes for resources) has nothing to do with the
 * account, its sessions and its other projects.
 */
export function requireAccount(ctx: Ctx): Actor {
  const actor = requireActor(ctx);
  if (callerOf(actor).policy.scope) {
    throw new AppError('forbidden', 'This token is for records only: sign in without scopes for resources to do this');
  }
  return actor;
}

/** The caller as an administrator of the project that the path names; a super-admin whom no policy limits stands above projects. */
export function requireProjectAdmin(ctx: Ctx, projectId: string): Actor {
  const actor = requireActor(ctx);
  if (actor.superAdmin && actor.admin) return actor;
  if (!actor.admin || actor.projectId !== projectId) throw new AppError('forbidden', 'Forbidden');
  return actor;
}

/** As `requireProjectAdmin`, of the server. */
export function requireSuperAdmin(ctx: Ctx): Actor {
  const actor = requireActor(ctx);
  if (!actor.superAdmin || !actor.admin) throw new AppError('forbidden', 'Forbidden');
  return actor;
}

/** Whether a policy limits them or not: for what that policy is asked about next, and for nothing else (contract §2.1, §4.4). */
export function requireAnySuperAdmin(ctx: Ctx): Actor {
  const actor = requireActor(ctx);
  if (!actor.superAdmin) throw new AppError('forbidden', 'Forbidden');
  return actor;
}

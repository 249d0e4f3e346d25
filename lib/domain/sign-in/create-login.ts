import { AppError } from '#lib/base/errors.ts';
import { newId, newSecret, SERVER_SCOPE } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { type LoginRow, login } from '#lib/infra/db/schema/login.ts';
import { readClientBounds, scopesBeyond } from '#lib/protocol/clients/bounds.ts';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';
import type { AuditEntry, Ctx } from '../access/context.ts';
import { writeOne } from '../audit/write.ts';
import { isOfSite } from '../bounds/within-bounds.ts';
import { findClient } from '../clients/find-client.ts';
import { liveClient } from '../clients/live-client.ts';
import { noteEntry } from '../invites/note-entry.ts';
import { askGate, type Need, type Pass } from './gate.ts';

/** What a sign-in asks for (contract §1.5): shared by login and registration. */
export type LoginRequestFields = {
  clientId?: string;
  projectId?: string;
  resourceType?: string;
  scope?: string;
  nonce?: string;
  remember?: boolean;
  codeChallenge?: string;
  codeChallengeMethod?: 'plain' | 'S256';
  redirectUri?: string;
  needsProof?: boolean;
  /** The name of what the client was opened about. */
  launch?: string;
};

export type Chosen = { projectId: string; membershipId: string };

export type CreateLoginOptions = {
  chosen?: Chosen;
  /** How they showed who they are. Default: by password. */
  authMethod?: LoginRow['authMethod'];
  /** When they did, if not now. */
  authTime?: Date;
  /** When the second factor was proven, if it was. */
  factorAt?: Date | null;
  /** When they last showed who they are, if that is of an earlier sign-in that this one follows. */
  provenAt?: Date | null;
  /** The browser that they came in by (known_device). */
  deviceId?: string | null;
  /** It is good for this project alone (schema: login.within_project). */
  withinProject?: boolean;
  /** What the app was started about. */
  launch?: LaunchContext | null;
  /** As what the audit log has it. */
  action?: 'login.password' | 'login.link' | 'login.passkey' | 'login.authorize' | 'login.external';
};

/** A code lives for five minutes (RFC 6749 §4.1.2 recommends ten at most). */
const CODE_MS = 5 * 60_000;

/** A code, or what must be proven before there is one (`describeNeed`). */
export type CreatedLogin = { login: string; code?: string; need?: Need };

/**
 * Stores a sign-in that has not granted tokens yet; with a membership it gets its code at once, without one it waits in the server's scope,
 * and so does one whose second factor is not proven yet.
 */
export async function createLogin(
  ctx: Ctx,
  userId: string,
  fields: LoginRequestFields,
  {
    chosen: wanted,
    authTime = new Date(),
    factorAt = null,
    provenAt = null,
    deviceId = null,
    withinProject = false,
    launch = null,
    action = 'login.password',
    authMethod = 'password',
  }: CreateLoginOptions = {},
): Promise<CreatedLogin> {
  const id = newId();
  const limitedTo = wanted?.projectId ?? fields.projectId;
  const person = { userRef: `User/${userId}`, authMethod, factorAt, remoteAddress: ctx.remoteAddress, withinProject };
  const { pass, need } = await askGate(ctx.write?.tx ?? db(), person, wanted ?? { projectId: limitedTo });
  const chosen = pass ? wanted : undefined;
  const code = pass && wanted && newCode(pass);
  const projectId = chosen?.projectId ?? SERVER_SCOPE;
  // All of them, so that there is one text.
  const row: Omit<LoginRow, UntilGranted> = {
    id,
    userRef: `User/${userId}`,
    authMethod,
    authTime,
    projectId,
    limitedTo: (!chosen && limitedTo) || null,
    membershipId: chosen?.membershipId ?? null,
    clientId: fields.clientId?.toLowerCase() ?? null,
    profileType: fields.resourceType ?? null,
    scope: scopeOf(fields),
    nonce: fields.nonce ?? null,
    codeChallenge: fields.codeChallenge ?? null,
    codeChallengeMethod: fields.codeChallenge ? (fields.codeChallengeMethod ?? 'plain') : null,
    redirectUri: fields.redirectUri ?? null,
    needsProof: fields.needsProof ?? false,
    factorAt,
    provenAt,
    deviceId,
    withinProject,
    launch,
    remoteAddress: ctx.remoteAddress,
    userAgent: ctx.userAgent,
    ...(code ? codeColumns(code) : { codeHash: null, codeExpiresAt: null }),
  };
  await insert(ctx, row, { projectId, action, target: `User/${userId}` });
  if (chosen) await noteEntry(ctx, { ...chosen, authMethod, userRef: row.userRef });
  return { login: id, ...(code ? { code } : {}), ...(need ? { need } : {}) };
}

type UntilGranted =
  | 'granted'
  | 'revoked'
  | 'refreshHash'
  | 'previousRefreshHash'
  | 'refreshSealed'
  | 'refreshRotatedAt'
  | 'lastUsedAt';

async function insert(ctx: Ctx, row: Omit<LoginRow, UntilGranted>, entry: AuditEntry): Promise<void> {
  if (ctx.write) {
    await ctx.write.tx.insert(login).values(row);
    ctx.write.audit(entry);
    return;
  }
  const { sql, params } = db().insert(login).values(row).toSQL();
  await writeOne(ctx, { parts: `l as (${sql})`, params }, entry);
}

/** Names its project, by which it is found. Nobody has a pass for it but from the gate. */
export function newCode({ projectId }: Pass): string {
  return `${projectId}.${newSecret()}`;
}

export function codeColumns(code: string): { codeHash: string; codeExpiresAt: Date } {
  return { codeHash: hashSecret(code), codeExpiresAt: new Date(Date.now() + CODE_MS) };
}

/** The client must exist (404), and then decides the project; another project or origin than its own is a mistake (400). */
export async function projectOfRequest(ctx: Ctx, fields: LoginRequestFields): Promise<string | undefined> {
  if (!fields.clientId) return fields.projectId;
  const client = (await liveClient(fields.clientId)) ?? (await findClient(fields.clientId));
  if (!client) throw new AppError('not-found', 'Client not found', { expression: 'clientId' });
  if (!isOfSite(readClientBounds(client.resource) ?? {}, ctx)) {
    throw new AppError('invalid', 'This client does not sign in from this origin', { expression: 'clientId' });
  }
  const [beyond] = scopesBeyond(client.resource.allowedScope, scopeOf(fields));
  if (beyond !== undefined) {
    throw new AppError('invalid', `This client does not get the scope ${beyond.slice(0, 200)}`, {
      expression: 'scope',
    });
  }
  if (fields.projectId && fields.projectId !== client.projectId) {
    throw new AppError('invalid', 'Client and project do not match', { expression: 'projectId' });
  }
  return client.projectId;
}

function scopeOf(fields: LoginRequestFields): string {
  const scope = fields.scope?.trim() || 'openid';
  return fields.remember && !/\boffline/.test(scope) ? `${scope} offline` : scope;
}

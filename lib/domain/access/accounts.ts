import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { isIdentityType } from '#lib/protocol/fhir/type-ids.ts';
import type { Meta, Reference, Resource } from '#lib/protocol/fhir/types.ts';
import type { Actor } from './context.ts';
import { writesInto } from './writes-into.ts';

/** Of one resource: each is an entry of the index, and stands in every version. */
const MOST = 100;
const EXPRESSION = 'Resource.meta.accounts';

export type Placing = Pick<Actor, 'policy' | 'admin' | 'caller'>;

/** Whether what they say of `meta.accounts` counts: an administrator, by a token that is for the administration, too (contract §4.4). */
export function mayPlace(actor: Placing): boolean {
  return [actor, actor.caller ?? actor].every(({ admin, policy }) => admin && !policy.scope);
}

/** `meta.account` and `meta.accounts` as they are stored: each once, the single one of older clients first. Throws 400. */
export function accountsIn(meta: Meta | undefined): Reference[] | undefined {
  const { account, accounts } = (meta ?? {}) as { account?: unknown; accounts?: unknown };
  if (account === undefined && accounts === undefined) return undefined;
  if (accounts !== undefined && !Array.isArray(accounts)) throw wrong('accounts is a list of references');
  const all = (accounts ?? []) as unknown[];
  if (all.length > MOST) throw tooMany();
  const named = [...(account === undefined ? [] : [account]), ...all].map(localOf);
  const listed = named.slice(account === undefined ? 0 : 1);
  return toReferences(named[0] !== undefined && listed.includes(named[0]) ? listed : named);
}

/**
 * The next state of a resource in its accounts, which nobody but administrators says: what they say, else what is stored; and what the writer's policy puts
 * there. This is the one place that decides it, for every way of writing. `stored`: those that it has, if it is there. Throws 400.
 */
export function placed<R extends Resource>(actor: Placing, stored: readonly Reference[], next: R): R {
  const { account: _, accounts: __, ...meta } = next.meta ?? {};
  const accounts = isIdentityType(next.resourceType) ? [] : nextAccounts(actor, stored, next);
  if (accounts.length === 0 && !next.meta?.account && !next.meta?.accounts) return next;
  const { meta: ___, ...rest } = next;
  const left = accounts.length > 0 ? { ...meta, accounts } : meta;
  return (Object.keys(left).length > 0 ? { ...rest, meta: left } : rest) as R;
}

function nextAccounts(actor: Placing, stored: readonly Reference[], { meta }: Resource): readonly Reference[] {
  const said = (mayPlace(actor) ? accountsIn(meta) : undefined) ?? stored;
  const known = new Set(said.map(({ reference }) => reference));
  const added = writesInto(actor.policy).filter((reference) => !known.has(reference));
  if (added.length === 0) return said;
  if (said.length + added.length > MOST) throw tooMany();
  return [...said, ...toReferences(added)];
}

function localOf(reference: unknown): string {
  const text = (reference as Reference | null)?.reference;
  const parsed = typeof text === 'string' ? parseReference(text, fhirBase()) : undefined;
  if (parsed?.kind === 'local' && parsed.version === undefined) return `${parsed.type}/${parsed.id}`;
  throw wrong('An account is a reference to a resource of this project, like Organization/<id>');
}

function toReferences(names: readonly string[]): Reference[] {
  return [...new Set(names)].map((reference) => ({ reference }));
}

function tooMany(): AppError {
  return wrong(`A resource has at most ${MOST} accounts`);
}

function wrong(text: string): AppError {
  return new AppError('invalid', text, { expression: EXPRESSION });
}

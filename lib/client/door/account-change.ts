import type { ChangeLink } from '#lib/protocol/account-changes/answers.ts';
import type { LinkSecret } from '#lib/protocol/answers/link.ts';
import { api } from '../api/api.ts';

/** What a mailed link about a change of an account is for; it spends nothing. */
export async function readChange({ id, secret }: LinkSecret, signal?: AbortSignal): Promise<ChangeLink> {
  return api('/auth/changes/link', { method: 'POST', signingIn: true, body: { id, secret }, signal });
}

/** Stops it, or confirms the new address. */
export async function answerChange({ id, secret }: LinkSecret, how: 'stop' | 'confirm'): Promise<ChangeLink> {
  return api(`/auth/changes/${how}`, { method: 'POST', signingIn: true, body: { id, secret } });
}

import type { LinkInfo, LinkSecret, RedeemedLink } from '#lib/protocol/answers/link.ts';
import { api } from '../api/api.ts';

export async function readLink(link: LinkSecret, signal?: AbortSignal): Promise<LinkInfo> {
  return api<LinkInfo>('/auth/link', { method: 'POST', body: link, signal });
}

/** The six digits of a mail, for the link that stands in it. */
export async function redeemCode(email: string, code: string): Promise<RedeemedLink> {
  return api('/auth/link/code', { method: 'POST', signingIn: true, body: { email, code } });
}

export async function verifyEmail({ id, secret }: LinkSecret): Promise<void> {
  await api('/auth/verifyemail', { method: 'POST', signingIn: true, body: { id, secret } });
}

/** Of the owner's mail about a closed project. */
export async function reopenProject({ id, secret }: LinkSecret): Promise<void> {
  await api('/auth/reopen', { method: 'POST', signingIn: true, body: { id, secret } });
}

export async function renewLink(link: LinkSecret): Promise<void> {
  await api('/auth/link/renew', { method: 'POST', body: link });
}

export async function setPassword(link: LinkSecret, password: string): Promise<void> {
  await api('/auth/setpassword', { method: 'POST', body: { ...link, password } });
}

/** Always succeeds for a well-formed address, whether or not anyone has it. */
export async function requestReset(email: string, projectId?: string): Promise<void> {
  await api('/auth/resetpassword', { method: 'POST', body: { email, projectId } });
}

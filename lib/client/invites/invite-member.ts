import { INVITE_LINK_EXTENSION, type InviteStatus } from '#lib/protocol/answers/invites.ts';
import { apiAnswer } from '../api/api.ts';
import type { Member } from '../api/types.ts';
import type { InviteInput } from './input.ts';

export type InviteOutcome = {
  membershipId: string;
  status: InviteStatus;
  /** Asked for with `returnLink`; told this once. */
  link?: string;
};

/** Invites one person. The same `idempotencyKey` with the same input again gives the first answer. Throws ApiError naming the field. */
export async function inviteMember(
  projectId: string,
  input: InviteInput,
  idempotencyKey: string,
): Promise<InviteOutcome> {
  const { body, headers } = await apiAnswer<Member & { extension?: { url: string; valueUrl?: string }[] }>(
    `/admin/projects/${projectId}/invite`,
    {
      method: 'POST',
      body: input,
      headers: { 'Idempotency-Key': idempotencyKey },
    },
  );
  return {
    membershipId: body.id,
    status: (headers.get('x-invite-status') ?? 'created') as InviteStatus,
    link: body.extension?.find(({ url }) => url === INVITE_LINK_EXTENSION)?.valueUrl,
  };
}

import type { z } from 'zod';
import type { inviteRequest } from '#lib/protocol/requests/invite-member.ts';

/** The body of POST /admin/projects/:id/invite, as a sender writes it. */
export type InviteInput = z.input<typeof inviteRequest>;

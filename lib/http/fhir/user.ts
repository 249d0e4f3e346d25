import { type Ctx, requireActor, requireProjectAdmin } from '#lib/domain/access/context.ts';
import { rescopeUser } from '#lib/domain/people/rescope-user.ts';
import { updateEmail } from '#lib/domain/people/update-email.ts';
import { rescopeRequest, updateEmailRequest } from '#lib/protocol/requests/user-operations.ts';
import { rowReply } from '../door/admin-reply.ts';
import { parametersBody } from '../door/parameters-body.ts';
import type { Operation } from './operation.ts';

/** `User/:id/$rescope` (contract §2.7). */
export const rescopeOperation: Operation = {
  methods: ['POST'],
  async run({ ctx, id, request, extended }) {
    requireAdmin(ctx);
    const input = await parametersBody(rescopeRequest).read(request);
    return rowReply(await rescopeUser(ctx, id!, input), extended);
  },
};

/** `User/:id/$update-email` (contract §2.7). */
export const updateEmailOperation: Operation = {
  methods: ['POST'],
  async run({ ctx, id, request, extended }) {
    requireAdmin(ctx);
    const input = await parametersBody(updateEmailRequest).read(request);
    const { row, waiting } = await updateEmail(ctx, id!, input);
    // It is as it was, and will be otherwise (RFC 9110 §15.3.3).
    return { ...rowReply(row, extended), ...(waiting && { status: 202 }) };
  },
};

/** Who may not is told so before any fault of the request. */
function requireAdmin(ctx: Ctx): void {
  requireProjectAdmin(ctx, requireActor(ctx).projectId);
}

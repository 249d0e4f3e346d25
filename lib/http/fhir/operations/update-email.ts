import { requireActor, requireProjectAdmin } from '#lib/domain/access/context.ts';
import { updateEmail } from '#lib/domain/people/update-email.ts';
import { updateEmailRequest } from '#lib/protocol/requests/user-operations.ts';
import { rowReply } from '../../door/admin-reply.ts';
import { parametersBody } from '../../door/parameters-body.ts';
import type { Operation } from './operation.ts';
import { refuseAddress } from './read-parameters.ts';

/** `User/:id/$update-email` (contract §2.7). Who may not is told so before any fault of the request. */
export const updateEmailOperation: Operation = {
  definition: {
    code: 'update-email',
    resource: 'User',
    at: ['instance'],
    affectsState: true,
    parameters: {
      email: { type: 'string', min: 1 },
      updateProfileTelecom: { type: 'boolean', documentation: 'Also on the profile of the person' },
    },
    returns: 'User',
  },
  methods: ['POST'],
  async run({ ctx, id, request, url, extended }) {
    requireProjectAdmin(ctx, requireActor(ctx).projectId);
    refuseAddress(url);
    const input = await parametersBody(updateEmailRequest).read(request);
    const { row, waiting } = await updateEmail(ctx, id!, input);
    // It is as it was, and will be otherwise (RFC 9110 §15.3.3).
    return { ...rowReply(row, extended), ...(waiting && { status: 202 }) };
  },
};

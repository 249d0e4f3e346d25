import { requireActor, requireProjectAdmin } from '#lib/domain/access/context.ts';
import { rescopeUser } from '#lib/domain/people/rescope-user.ts';
import { rescopeRequest } from '#lib/protocol/requests/user-operations.ts';
import { rowReply } from '../../door/admin-reply.ts';
import { parametersBody } from '../../door/parameters-body.ts';
import type { Operation } from './operation.ts';
import { refuseAddress } from './read-parameters.ts';

/** `User/:id/$rescope` (contract §2.7). Who may not is told so before any fault of the request. */
export const rescopeOperation: Operation = {
  definition: {
    code: 'rescope',
    resource: 'User',
    at: ['instance'],
    affectsState: true,
    parameters: {
      scope: { type: 'code', min: 1, documentation: 'project or global' },
      project: { type: 'Reference', documentation: 'With a scope of project' },
    },
    returns: 'User',
  },
  methods: ['POST'],
  async run({ ctx, id, request, url, extended }) {
    requireProjectAdmin(ctx, requireActor(ctx).projectId);
    refuseAddress(url);
    const input = await parametersBody(rescopeRequest).read(request);
    return rowReply(await rescopeUser(ctx, id!, input), extended);
  },
};

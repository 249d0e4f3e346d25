import { requireCreator } from '#lib/domain/projects/create-project.ts';
import { initProject } from '#lib/domain/projects/init-project.ts';
import { initProjectRequest } from '#lib/protocol/requests/init-project.ts';
import { createdReply } from '../../door/admin-reply.ts';
import { onceInTransaction } from '../../door/idempotency.ts';
import { parametersBody } from '../../door/parameters-body.ts';
import type { Operation } from './operation.ts';
import { refuseAddress } from './read-parameters.ts';

/** `Project/$init` (contract §2.1). Who may not is told so before any fault of the request. */
export const initProjectOperation: Operation = {
  definition: {
    code: 'init',
    resource: 'Project',
    at: ['type'],
    affectsState: true,
    parameters: {
      name: { type: 'string', min: 1 },
      owner: { type: 'Reference', documentation: 'To a User; else the caller, when that is a person' },
      ownerEmail: { type: 'string', documentation: 'Instead of owner' },
    },
    returns: 'Project',
  },
  methods: ['POST'],
  async run({ ctx, request, url, extended }) {
    requireCreator(ctx);
    refuseAddress(url);
    const body = await parametersBody(initProjectRequest).read(request);
    return onceInTransaction(ctx, request, body, async (inside) =>
      createdReply(await initProject(inside, body), extended),
    );
  },
};

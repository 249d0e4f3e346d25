import { stopRunning } from '#lib/domain/runs/running/stop-running.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await stopRunning(ctx, projectId, params.runningId!);
      return { status: 204 };
    },
  }),
});

import { followDelivery } from '#lib/domain/triggers/follow-delivery.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { readText } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { receiveDeliveryEvent } from '#lib/infra/mail/receive-delivery-event.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    run: async (_, { request }) => {
      const header = (name: string) => request.headers.get(`svix-${name}`) ?? '';
      const signature = { id: header('id'), timestamp: header('timestamp'), signature: header('signature') };
      await receiveDeliveryEvent(await readText(request), signature, followDelivery);
      return json({});
    },
  }),
});

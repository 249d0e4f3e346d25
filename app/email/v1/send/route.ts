import { sendEmail } from '#lib/domain/project-mail/send-email.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { sendEmailRequest } from '#lib/protocol/project-mail/send-email.ts';

/** Texts, and attachments in base64. */
const BODY_LIMIT = 6 * 1024 * 1024;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(sendEmailRequest, undefined, BODY_LIMIT),
    run: async (ctx, { body }) => {
      await sendEmail(ctx, body);
      return fhir(allOk());
    },
  }),
});

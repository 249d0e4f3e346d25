import type { Ctx } from '../access/context.ts';
import { type App, findApp } from '../clients/find-app.ts';
import { clientRefused } from './oauth-error.ts';
import { proveRequest } from './prove-request.ts';
import { bringsProof, namedClient } from './request-client.ts';
import { requireProofKind } from './require-proof-kind.ts';
import type { TokenRequest } from './token-request.ts';

/**
 * The client of a request that a public client may make too: one with keys of its own shows them, any other proves itself or not, as it has
 * done or does later (`isProven`). Throws what `clientRefused` says, and 429 after many that were wrong.
 */
export async function identifyClient(ctx: Ctx, request: TokenRequest): Promise<{ app: App; isProven: boolean }> {
  const clientId = namedClient(request);
  const refused = (text: string) => clientRefused(request, text);
  if (!clientId) throw refused('Missing client_id');
  const isProven = request.basic !== undefined || bringsProof(request);
  const app = await findApp(clientId);
  if (app?.client) ctx.client = { projectId: app.client.projectId, clientId: app.id };
  if (isProven && !(await proveRequest(ctx, app?.client, request))) throw refused('Invalid client or secret');
  if (!app) throw refused('Invalid client');
  const inForm = request.form.get('client_id');
  if (inForm !== null && inForm.toLowerCase() !== app.id) throw refused('client_id is another client');
  requireProofKind(app.resource, request);
  return { app, isProven };
}

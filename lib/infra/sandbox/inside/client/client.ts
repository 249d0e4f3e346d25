import type { BotSession } from '../../host/run-job.ts';
import { type Host, setHost } from '../host.ts';
import { type CallBridge, createApiFetch } from './api-fetch.ts';
import { createPdfMaker } from './create-pdf.ts';
import { loadCore, loadedCore } from './load-core.ts';
import { withBytes } from './send-email.ts';

// The prelude's variable (prelude.ts).
// biome-ignore lint/style/useConst: it is assigned to, once
declare let __createClientPart: typeof createClientPart;
__createClientPart = createClientPart;

const SIGNED_IN_MS = 3_600_000;

export type ClientPart = ReturnType<typeof createClientPart>;

/** The peer's client and what it stands on. A bundle of its own inside the prelude, as `extras.ts`: most runs never touch it. */
function createClientPart(host: Host, callBridge: CallBridge) {
  setHost(host);
  return { loadCore, loadedCore, createClient: (session: BotSession) => createClient(session, callBridge) };
}

/** A MedplumClient as a handler gets it at the peer: signed in as the bot. It speaks over the bridge instead of a socket. */
function createClient(session: BotSession, callBridge: CallBridge): Record<string, unknown> {
  const { MedplumClient } = loadCore();
  const { project, profile, membership, accessToken } = session;
  const baseUrl = `${session.baseUrl}/`;
  const client = new MedplumClient({
    baseUrl,
    fetch: createApiFetch(callBridge, baseUrl, accessToken),
    createPdf: createPdfMaker(callBridge),
  });
  const sendEmail = client.sendEmail as (email: object, ...options: unknown[]) => unknown;
  client.sendEmail = (email: object, ...options: unknown[]) => sendEmail.call(client, withBytes(email), ...options);
  // Its fields, as it fills them itself when it is asked who it is: that would be one more call of every run.
  client.accessToken = accessToken;
  // By it the client knows that it is signed in. Longer than any run.
  client.accessTokenExpires = Date.now() + SIGNED_IN_MS;
  client.sessionDetails = {
    project: { resourceType: 'Project', ...project },
    membership: {
      resourceType: 'ProjectMembership',
      ...membership,
      profile: { reference: `${profile.resourceType}/${profile.id}` },
    },
    profile,
  };
  return client;
}

import type { FeedAnswer, Hl7Feed, Hl7Server } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import type { FeedRequest } from '#lib/protocol/hl7/feeds/feed-requests.ts';

/** How the sender of a feed is told: by the port that it sends to, or by the certificate that it shows at the server's port for these. */
export type FeedWay = 'port' | 'certificate';

/** A feed as a form has it. `allowedAddress`: one in each line. */
export type FeedForm = {
  name: string;
  bot: string;
  way: FeedWay;
  port: string;
  tls: boolean;
  clientCertificate: string;
  allowedAddress: string;
  answer: FeedAnswer;
};

/** Ways that a server offers. */
export function waysOf({ ports, tlsPort }: Hl7Server): FeedWay[] {
  return [...(ports ? (['port'] as const) : []), ...(tlsPort === null ? [] : (['certificate'] as const))];
}

/** A new one has the first port that no other feed of the project has. */
export function newFeedForm(server: Hl7Server, feeds: readonly Hl7Feed[]): FeedForm {
  const [way = 'port'] = waysOf(server);
  const { from = 0, to = -1 } = server.ports ?? {};
  const all = Array.from({ length: Math.min(to - from + 1, feeds.length + 1) }, (_, at) => from + at);
  const free = all.find((port) => !feeds.some((feed) => feed.port === port));
  return {
    ...{ name: '', bot: '', way, port: String(free ?? ''), tls: false },
    ...{ clientCertificate: '', allowedAddress: '', answer: 'stored' },
  };
}

export function toFeedForm({ name, bot, port, tls, clientCertificate, allowedAddress, answer }: Hl7Feed): FeedForm {
  return {
    ...{ name, bot: bot.reference, way: port === null ? 'certificate' : 'port', port: String(port ?? ''), tls },
    ...{ clientCertificate: clientCertificate ?? '', allowedAddress: allowedAddress.join('\n'), answer },
  };
}

export function toFeedRequest(form: FeedForm, active: boolean): Partial<FeedRequest> {
  const { name, bot, way, port, tls, clientCertificate, allowedAddress, answer } = form;
  const isShared = way === 'certificate';
  return {
    name: name.trim(),
    bot: { reference: bot },
    port: isShared ? null : Number(port),
    tls: isShared || tls,
    clientCertificate: isShared || tls ? clientCertificate.trim() || null : null,
    allowedAddress: allowedAddress.split(/[\s,]+/).filter(Boolean),
    answer,
    active,
  };
}

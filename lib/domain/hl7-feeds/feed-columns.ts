import { createHash } from 'node:crypto';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import type { FeedRequest } from '#lib/protocol/hl7/feeds/feed-requests.ts';
import { findRow } from '../store/find-row.ts';
import type { FeedRow } from './require-feed.ts';

export type FeedColumns = Pick<
  FeedRow,
  'name' | 'botId' | 'port' | 'tls' | 'certificate' | 'addresses' | 'answer' | 'active'
>;

/**
 * A feed as it is stored. Throws 400 for what the server does not offer, and a bot that the project does not have; but one that is `before` as it is may be turned
 * off whatever is there no more.
 */
export async function toColumns(projectId: string, request: FeedRequest, before?: FeedColumns): Promise<FeedColumns> {
  const { name, port, tls, clientCertificate, allowedAddress, answer, active } = request;
  const botId = request.bot.reference.slice('Bot/'.length).toLowerCase();
  const isOff = before !== undefined && !active;
  if (!(isOff && before.port === port && before.tls === tls)) requireOffered(request);
  if (!(isOff && before.botId === botId)) {
    const bot = await findRow(projectId, 'Bot', botId);
    if (!bot || bot.deleted) throw wrong('bot', 'There is no such bot in the project');
  }
  return { name, botId, port, tls, certificate: clientCertificate, addresses: allowedAddress, answer, active };
}

function requireOffered({ port, tls }: FeedRequest): void {
  const { MLLP_PORTS, MLLP_TLS_PORT, MLLP_TLS_CERT } = env();
  if (!MLLP_PORTS && MLLP_TLS_PORT === undefined)
    throw wrong('port', 'This server does not listen for HL7 v2 (MLLP_PORTS)');
  if (port === null && MLLP_TLS_PORT === undefined)
    throw wrong('port', 'This server has no port for certificates (MLLP_TLS_PORT): give the feed one of its own');
  if (port !== null && !(MLLP_PORTS && port >= MLLP_PORTS.from && port <= MLLP_PORTS.to))
    throw wrong(
      'port',
      MLLP_PORTS ? `must be from ${MLLP_PORTS.from} to ${MLLP_PORTS.to}` : 'This server has no ports for feeds',
    );
  if (tls && !MLLP_TLS_CERT) throw wrong('tls', 'This server has no certificate (MLLP_TLS_CERT)');
}

/** As the audit log tells it. */
export function toTold(feed: FeedColumns): Record<string, unknown> {
  const { name, port, tls, answer, active, botId, certificate, addresses } = feed;
  const told = { bot: `Bot/${botId}`, clientCertificate: certificate, allowedAddress: addresses };
  return { name, port, tls, answer, active, ...told };
}

/** Another whenever something of it that is set is another. */
export function versionOf(feed: FeedColumns): string {
  return createHash('sha256')
    .update(JSON.stringify(toTold(feed)))
    .digest('base64url')
    .slice(0, 16);
}

/** 409 where the unique index says so, of whichever project the other is. */
export function throwTaken(error: unknown, { port }: FeedColumns): never {
  if (uniqueViolation(error) === undefined) throw error;
  const [text, expression] =
    port === null ? ['Another feed has this certificate', 'clientCertificate'] : ['Another feed has this port', 'port'];
  throw new AppError('conflict', text, { expression });
}

function wrong(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression });
}

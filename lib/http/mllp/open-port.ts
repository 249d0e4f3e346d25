import { createServer, type Server, type Socket } from 'node:net';
import {
  createServer as createTlsServer,
  type PeerCertificate,
  type TLSSocket,
  type Server as TlsServer,
} from 'node:tls';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import type { TlsFiles } from './tls-files.ts';

/** `fault`: why it is not listened, while it is tried again, too; neither that nor listening: it is about to be for the first time. */
export type Port = {
  isListening: boolean;
  hasFailed: boolean;
  fault: string | undefined;
  renew(files: TlsFiles): void;
  close(): void;
};

/** `onFull`: one had to be sent away before anybody knew who it was. */
type Callers = {
  /** Of the one that could not be listened to before it. */
  faultBefore: string | undefined;
  serve: (socket: Socket, certificate: string | undefined) => void;
  isShared: boolean;
  onFull: () => void;
};

/** Who has said all may still hear the answer (serve-connection.ts closes). */
const HALF_OPEN = { allowHalfOpen: true };
/** Also of those who are not known yet. Of a port that projects share more, since each has its share (switchboard.ts). */
const MOST_CONNECTIONS = { own: 500, shared: 2000 };

/**
 * Listens on a port, by TLS where there are `files`: then with the SHA-256 of the certificate that the other side has shown, if it has one that counts. That it has the key
 * to it, TLS has proven; who signed it does not matter, since it is known by itself.
 */
export function openPort(
  port: number,
  files: TlsFiles | undefined,
  { serve, isShared, onFull, faultBefore }: Callers,
): Port {
  const server = files
    ? createTlsServer(
        {
          ...files.options,
          ...HALF_OPEN,
          requestCert: true,
          rejectUnauthorized: false,
          handshakeTimeout: pace.mllpHandshakeMs,
        },
        (socket) => serve(socket, shownBy(socket)),
      )
    : createServer(HALF_OPEN, (socket) => serve(socket, undefined));
  server.maxConnections = MOST_CONNECTIONS[isShared ? 'shared' : 'own'];
  server.on('drop', onFull);
  const opened: Port = {
    isListening: false,
    hasFailed: false,
    fault: faultBefore,
    renew: ({ options }) => files && (server as TlsServer).setSecureContext(options),
    close: () => void server.close(),
  };
  server.on('tlsClientError', (err, socket: TLSSocket) => {
    log.debug({ err }, 'no TLS on a port of HL7 v2');
    // Half open, it would not end by itself.
    socket.destroy();
  });
  server.on('listening', () => {
    opened.isListening = true;
    opened.fault = undefined;
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    log.warn({ port, code: error.code }, 'a port of HL7 v2 cannot be listened to');
    Object.assign(opened, { isListening: false, hasFailed: true });
    opened.fault =
      error.code === 'EADDRINUSE' ? 'The port is taken by another program' : 'The port cannot be listened to';
    (server as Server).close();
  });
  // This process alone: those of a cluster would hand connections on to one that does not know the feed.
  server.listen({ host: env().MLLP_HOST, port, exclusive: true });
  return opened;
}

function shownBy(socket: TLSSocket): string | undefined {
  const certificate = socket.getPeerCertificate() as Partial<PeerCertificate>;
  if (!certificate.fingerprint256) return undefined;
  const now = Date.now();
  const isInTime = Date.parse(certificate.valid_from ?? '') <= now && now <= Date.parse(certificate.valid_to ?? '');
  return isInTime ? certificate.fingerprint256.replaceAll(':', '').toLowerCase() : undefined;
}

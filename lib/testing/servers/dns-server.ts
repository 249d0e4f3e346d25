import { createSocket } from 'node:dgram';

/** A DNS server of this machine, for TXT and A records alone (RFC 1035 §4). */
export type DnsServer = {
  /** As DNS_SERVERS has it. */
  address: string;
  /** By name. */
  texts: Map<string, string[]>;
  /** By name, of IPv4. */
  addresses: Map<string, string>;
  /** It answers that it cannot (SERVFAIL). */
  failing: boolean;
  stop(): Promise<void>;
};

const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NO_NAME = 3;

export async function startDnsServer(port = 0): Promise<DnsServer> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    texts: new Map(),
    addresses: new Map(),
    failing: false,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (query, from) => socket.send(toAnswer(query, server), from.port, from.address));
  return server;
}

const [A, TXT] = [1, 16];

function toAnswer(query: Buffer, { texts, addresses, failing }: DnsServer): Buffer {
  const { name, end } = readName(query);
  const [found, address] = [texts.get(name.toLowerCase()), addresses.get(name.toLowerCase())];
  const wanted = query.readUInt16BE(end);
  const data = [
    ...(wanted === TXT ? (found ?? []).map(ofText) : []),
    ...(wanted === A && address ? [Buffer.from(address.split('.').map(Number))] : []),
  ];
  const records = failing ? [] : data.map((each) => toRecord(wanted, each));
  const code = failing ? SERVER_FAILURE : found || address ? NO_ERROR : NO_NAME;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8580 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, query.subarray(12, end + 4), ...records]);
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** In pieces of 30, as a long one comes. */
function ofText(text: string): Buffer {
  const pieces = (text.match(/.{1,30}/gs) ?? ['']).map((piece) =>
    Buffer.from(`${String.fromCharCode(piece.length)}${piece}`, 'latin1'),
  );
  return Buffer.concat(pieces);
}

/** The name of the question, its type, IN, for no time. */
function toRecord(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Other = { address: string; stop(): Promise<void> };

/** A server of somebody else, which bots call: it tells what it was sent. */
export async function startOther(): Promise<Other> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const [path, query] = request.url!.split('?');
    if (path === '/down') return response.writeHead(503).end('busy');
    if (path === '/slow') return setTimeout(() => response.end('late'), 2000).unref();
    if (path === '/moved') return response.writeHead(302, { location: '/lines' }).end();
    if (path === '/file') return response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7');
    if (path === '/xml')
      return response.writeHead(200, { 'content-type': 'text/xml' }).end('<r><id>7</id><id>8</id></r>');
    if (path === '/lines') return response.writeHead(200, { 'content-type': 'text/plain' }).end('a\nb\nc\n');
    const { method, headers } = request;
    response.writeHead(path === '/made' ? 201 : 200, { 'content-type': 'application/json', 'x-of': 'other' });
    return response.end(JSON.stringify({ method, path, query, headers, body: body.toString('latin1') }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

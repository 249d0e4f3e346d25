import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another system, as bots meet it: most addresses tell what was asked; some answer in ways of their own. `url` ends with `/`. */
export async function startAnyService(): Promise<{ server: Server; url: string }> {
  const server = createServer(async (request, response) => {
    const path = request.url!;
    const own = Object.keys(ANSWERS).find((start) => path.startsWith(start));
    if (own) return ANSWERS[own]!(path, response);
    const told = { method: request.method, path, headers: request.headers, body: await textOf(request) };
    return json(response, 200, told);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const ANSWERS: Record<string, (path: string, response: ServerResponse) => unknown> = {
  '/readings': (_, response) =>
    json(response, 200, {
      readings: [
        { at: '2026-01-01T08:00:00Z', value: 61 },
        { at: '2026-01-01T09:00:00Z', value: 64 },
      ],
    }),
  '/letter.pdf': (_, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4\n'),
  '/busy/': (path, response) => json(response, path === '/busy/2' ? 200 : 503, { path }),
  // Whoever asks gives up first.
  '/never': () => undefined,
  '/lines': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/fhir+ndjson' });
    for (const text of ['{"n":1}\n{"n"', ':2}\n', '{"n":3}\n']) response.write(text);
    response.end();
  },
  '/moved': (_, response) => response.writeHead(302, { location: '/here' }).end(),
};

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

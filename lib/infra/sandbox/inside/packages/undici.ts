/** https://undici.nodejs.org: its `fetch`, and `request` on top of it. */
const { Blob, fetch, File, FormData, Headers, Request, Response } = globalThis;

type Options = { method?: string; headers?: Record<string, string>; body?: BodyInit; signal?: AbortSignal } & {
  query?: Record<string, string>;
};

export async function request(address: string | URL, { query, ...init }: Options = {}) {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.append(name, value);
  const response = await fetch(url.href, { ...init, redirect: 'manual' });
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  return {
    statusCode: response.status,
    headers,
    trailers: {},
    body: Object.assign(response, {
      dump: () => response.text(),
      [Symbol.asyncIterator]: () => (response.body ?? new Blob().stream())[Symbol.asyncIterator](),
    }),
  };
}

export { File, FormData, fetch, Headers, Request, Response };

type Options = { body?: unknown; form?: string; token?: string };

/** One call of the product's API; anything but success ends the bench. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, of which a field or two are read.
export async function request(base: string, method: string, path: string, options: Options): Promise<any> {
  const { body, form, token } = options;
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const response = await fetch(`${base}/${path}`, {
    method,
    headers: { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }) },
    body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

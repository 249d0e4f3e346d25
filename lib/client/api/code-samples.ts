/** A call of our API that a form or a dialog is about to make. `path` without the origin; no secret of the caller is in it. */
export type ApiCall = {
  method?: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** A JSON Patch (RFC 6902) for PATCH. */
  body?: unknown;
  /** The `meta.versionId` that the change stands on. */
  ifMatch?: string;
};

export type CodeSample = { label: string; code: string };

/** The call as curl, by the SDK and by the CLI, and its body alone, to paste elsewhere. `base`: the origin of this server. */
export function toCodeSamples(base: string, call: ApiCall): CodeSample[] {
  const samples = [
    { label: 'curl', code: toCurl(base, call) },
    { label: 'SDK', code: toSdk(base, call) },
    { label: 'CLI', code: toCli(base, call) },
  ];
  return call.body === undefined ? samples : [...samples, { label: 'JSON', code: toJson(call.body) }];
}

function toCurl(base: string, { method = 'POST', path, body, ifMatch }: ApiCall): string {
  const type = method === 'PATCH' ? 'application/json-patch+json' : 'application/json';
  return [
    `curl -X ${method} ${toShellPath(base + path)}`,
    `-u "$CLIENT_ID:$CLIENT_SECRET"`,
    ...(ifMatch ? [`-H 'If-Match: W/"${ifMatch}"'`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${type}'`, `-d ${toShellWord(toJson(body))}`]),
  ].join(' \\\n  ');
}

function toSdk(base: string, { method = 'POST', path, body, ifMatch }: ApiCall): string {
  const given = [`'${path.slice(1)}'`, ...(body === undefined ? [] : [toJson(body)])];
  if (ifMatch) given.push(`{ headers: { 'If-Match': 'W/"${ifMatch}"' } }`);
  return [
    "import { MedplumClient } from '@medplum/core';",
    '',
    `const medplum = new MedplumClient({ baseUrl: '${base}/' });`,
    'await medplum.startClientLogin(process.env.CLIENT_ID, process.env.CLIENT_SECRET);',
    `await medplum.${method.toLowerCase()}(${given.join(', ')});`,
  ].join('\n');
}

/** The CLI has no headers: what was changed meanwhile is not noticed there. */
function toCli(base: string, { method = 'POST', path, body }: ApiCall): string {
  const words = [toShellWord(path.slice(1)), ...(body === undefined ? [] : [toShellWord(JSON.stringify(body))])];
  return [
    `npx medplum ${method.toLowerCase()} ${words.join(' ')} \\`,
    `  --base-url ${base}/ --client-id "$CLIENT_ID" --client-secret "$CLIENT_SECRET"`,
  ].join('\n');
}

function toJson(body: unknown): string {
  return JSON.stringify(body, null, 2);
}

/** A query has letters that a shell reads. */
function toShellPath(url: string): string {
  return url.includes('?') ? toShellWord(url) : url;
}

/** One word for any POSIX shell, whatever a person typed. */
export function toShellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

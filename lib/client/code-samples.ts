/** A call of our admin API that a form is about to make. */
export type AdminCall = { base: string; path: string; body: Record<string, unknown> };

/** The call as curl, by the SDK and by the CLI, and its body alone. */
export function toCodeSamples({ base, path, body }: AdminCall): { label: string; code: string }[] {
  const json = JSON.stringify(body, null, 2);
  return [
    { label: 'curl', code: toCurl(base, path, json) },
    { label: 'SDK', code: toSdk(base, path, json) },
    { label: 'CLI', code: `medplum post '${path.slice(1)}' ${toShellWord(JSON.stringify(body))}` },
    { label: 'JSON', code: json },
  ];
}

function toCurl(base: string, path: string, json: string): string {
  return [
    `curl -X POST ${base}${path} \\`,
    '  -u "$CLIENT_ID:$CLIENT_SECRET" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d ${toShellWord(json)}`,
  ].join('\n');
}

function toSdk(base: string, path: string, json: string): string {
  return [
    "import { MedplumClient } from '@medplum/core';",
    '',
    `const medplum = new MedplumClient({ baseUrl: '${base}/' });`,
    'await medplum.startClientLogin(process.env.CLIENT_ID, process.env.CLIENT_SECRET);',
    `await medplum.post('${path.slice(1)}', ${json});`,
  ].join('\n');
}

/** One word for any POSIX shell, whatever a person typed. */
export function toShellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

import type { InviteInput } from './invite-input.ts';

/** The same invitation as JSON, curl, SDK and CLI: what the form would send, to paste elsewhere. No secret of the caller is in it. */
export function toInviteSamples(origin: string, projectId: string, input: InviteInput) {
  const pretty = JSON.stringify(input, undefined, 2);
  const line = JSON.stringify(input);
  return [
    { label: 'JSON', code: pretty },
    {
      label: 'curl',
      code: [
        `curl -X POST ${origin}/admin/projects/${projectId}/invite \\`,
        `  -u "$CLIENT_ID:$CLIENT_SECRET" \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d ${toShellText(line)}`,
      ].join('\n'),
    },
    {
      label: 'SDK',
      code: [
        `import { MedplumClient } from '@medplum/core';`,
        '',
        `const medplum = new MedplumClient({ baseUrl: '${origin}/' });`,
        'await medplum.startClientLogin(process.env.CLIENT_ID, process.env.CLIENT_SECRET);',
        `await medplum.invite('${projectId}', ${pretty});`,
      ].join('\n'),
    },
    {
      label: 'CLI',
      code: [
        `npx medplum post "admin/projects/${projectId}/invite" ${toShellText(line)} \\`,
        `  --base-url ${origin}/ --client-id "$CLIENT_ID" --client-secret "$CLIENT_SECRET"`,
      ].join('\n'),
    },
  ];
}

/** POSIX: nothing is special inside single quotes but the single quote. */
function toShellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

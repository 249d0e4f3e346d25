import type { ClientSecret } from './clients.ts';

/** The lines of an `.env` file for a program that uses this client. */
export function toEnvFile(
  base: string,
  projectId: string,
  { id, secret }: Pick<ClientSecret, 'id' | 'secret'>,
): string {
  return [
    `GATEHOUSE_URL=${base}`,
    `GATEHOUSE_PROJECT_ID=${projectId}`,
    `GATEHOUSE_CLIENT_ID=${id}`,
    `GATEHOUSE_CLIENT_SECRET=${secret}`,
  ].join('\n');
}

/** A token by client_credentials (RFC 6749 §4.4), with the names of the `.env` file. */
export function toTokenCurl(base: string, id: string): string {
  return [
    `curl -X POST ${base}/oauth2/token \\`,
    `  -d grant_type=client_credentials \\`,
    `  -d client_id=${id} \\`,
    `  -d client_secret="$GATEHOUSE_CLIENT_SECRET"`,
  ].join('\n');
}

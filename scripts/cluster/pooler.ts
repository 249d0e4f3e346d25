import { runCommand } from '../run-command.ts';

const SECONDS = 60;

/** The main job, and many who look for what they have just written, by way of a PgBouncer before the coordinator that shares its connections. */
export async function testPooler(url: string): Promise<string[]> {
  const args = ['run', '--reporter=dot', '--project=alone', 'lib/testing/pooler.alone.test.ts'];
  const env = { TEST_SHARED_DATABASE_URL: url, POOLER_SECONDS: String(SECONDS) };
  const { code } = await runCommand('vitest', args, { live: true, env });
  return code === 0 ? [] : ['tests fail behind PgBouncer'];
}

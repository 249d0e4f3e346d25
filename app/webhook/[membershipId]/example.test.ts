import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toWebhookCurl } from '#lib/client/bots/connections/webhook-curl.ts';
import { toWebhook, toWebhookForm } from '#lib/client/bots/connections/webhook-form.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { PRESETS } from '#lib/protocol/bots/webhook-signature.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { make } from '#lib/testing/invites.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

const SECRETS: Record<string, string> = {
  plain: 'a key of the project',
  standard: `whsec_${Buffer.from('a key of the project').toString('base64')}`,
};

let world: World;

beforeAll(async () => {
  world = await createWorld();
  const body = Object.entries(SECRETS).map(([name, valueString]) => ({ name, valueString }));
  expect((await world.call('POST', '/secrets', { body })).status).toBe(200);
});
afterAll(async () => {
  await flushRuns();
  await stopRunner();
});

/** What curl would be given: as a shell reads it. */
function argumentsOf(sample: string, secret: string): string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${sample}`;
  const told = execFileSync('sh', ['-c', script], { env: { ...process.env, SECRET: secret }, encoding: 'utf8' });
  return told.split('\0').slice(0, -1);
}

const EACH = [...PRESETS, 'none' as const].map((preset) => [preset, 'plain'] as const);

test.each([...EACH, ['standard-webhooks', 'standard'] as const])(
  'the example that the console shows is taken as it stands: %s, with a %s secret',
  async (preset, secret) => {
    const form = { ...toWebhookForm({}), open: true, preset, secret, header: 'X-Sig' };
    const accessPolicy = {
      reference: `AccessPolicy/${(await make(world, 'AccessPolicy', { resource: [{ resourceType: 'Patient' }] })).id}`,
    };
    const code = 'export async function handler(m: any, e: any) { return e.input; }';
    const id = await deployedBot(world, code, { accessPolicy, ...toWebhook(form, {}) });
    const found = await callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership?profile=Bot/${id}`);
    const path = `/webhook/${found.body.entry[0].resource.id}`;
    const given = argumentsOf(toWebhookCurl(`http://localhost${path}`, form), SECRETS[secret]!);
    expect(given.slice(0, 3)).toEqual(['-X', 'POST', `http://localhost${path}`]);
    const after = (flag: string) => given.flatMap((one, at) => (one === flag ? [given[at + 1]!] : []));
    const headers = Object.fromEntries(
      after('-H').map((line) => {
        const [name = '', value = ''] = line.split(/: (.*)/);
        return [name.toLowerCase(), value];
      }),
    );
    const answer = await callApi(undefined, 'POST', path, { body: after('--data-binary')[0]!, headers });
    expect([answer.status, answer.body], answer.text).toEqual([200, { hello: 'world' }]);
  },
);

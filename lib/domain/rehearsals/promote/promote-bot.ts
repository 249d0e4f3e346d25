import { createHash } from 'node:crypto';
import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import type { Promoted, PromoteRequest } from '#lib/protocol/bots/promote.ts';
import { MOST_SAMPLES, type SampleResult } from '#lib/protocol/bots/samples.ts';
import type { Bot, Reference } from '#lib/protocol/fhir/types.ts';
import { botSecretsTag, botTag } from '../../access/cache-tags.ts';
import type { Actor, Ctx, Write } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { copySamples, countSamples, findSamples, type SampleRow } from '../../bot-samples/sample-rows.ts';
import { requireSampleSight } from '../../bot-samples/sees-samples.ts';
import { saveBotSecrets } from '../../bot-secrets/bot-secrets.ts';
import { requireLiveIs } from '../../bots/deploy-bot.ts';
import { holdsOwnDraft } from '../../bots/draft/own-draft.ts';
import { toSourceCode } from '../../bots/draft/source-code.ts';
import { insertBot } from '../../bots/insert-bot.ts';
import { addVersion } from '../../bots/live/add-version.ts';
import { findDeployed } from '../../bots/live/find-deployed.ts';
import { setLive } from '../../bots/live/set-live.ts';
import { wantsOf } from '../../bots/live/wants-of.ts';
import { loadBot } from '../../bots/load-bot.ts';
import { policyRequired, requirePolicies } from '../../memberships/require-policies.ts';
import { shareProject } from '../../memberships/share-project.ts';
import { requireProof } from '../../proofs/require-proof.ts';
import type { Bridge } from '../../runs/run-loaded-bot.ts';
import { lockRow, requireLive } from '../../store/find-row.ts';
import { type Row, toResource } from '../../store/row.ts';
import { updateRow } from '../../store/update-row.ts';
import { refusedOf } from '../change-of-wants.ts';
import { type Disagreed, requireAgreement } from '../require-samples.ts';
import { runSamples, type SampleOptions } from '../run-samples.ts';
import { findNamesake, isNamed } from './find-namesake.ts';
import { enterWith, requireLiveVersion, settingsOf, sourcesOf, type Version } from './leaving.ts';

/**
 * What is live of a bot becomes the next version of the bot with the same identifier in another project that the caller administers, too: byte for byte,
 * live or as its draft. Of secrets nothing goes
 * but what the caller says. It stands in both audit logs. Throws 403 and 404 as `enterWith` has it, 403 for samples that they may not see here or there, 404 where that project has no
 * such bot and none is to be made, 409 where nothing is live or nothing names the bot, 412 for several, 422 where samples there are not as expected.
 */
export async function promoteBot(
  ctx: Ctx,
  projectId: string,
  botId: string,
  request: PromoteRequest,
  bridge: Bridge,
): Promise<Promoted> {
  const { from, bot, there, actor } = await enterWith(ctx, projectId, botId, request.project);
  if (request.samples) {
    requireSampleSight(ctx, projectId);
    requireSampleSight(there, request.project);
  }
  if (request.secrets.length > 0) await requireProof(ctx.actor);
  const version = await requireLiveVersion(projectId, botId);
  if (request.version !== undefined && request.version !== version.number) throw otherThan(version.number);
  const namesake = await findNamesake(there, bot.identifier ?? []);
  if (namesake && request.accessPolicy)
    throw new AppError('invalid', 'The bot is there already, and has its own access', { expression: 'accessPolicy' });
  if (!namesake && !request.create)
    throw new AppError('not-found', 'That project has no bot with this identifier', { expression: 'create' });
  if (!namesake) await requireAccess(actor, request.accessPolicy);
  if (namesake && request.settings && !request.live) await requireNothingLive(request.project, namesake);
  const samples = request.samples ? await findSamples(projectId, botId) : [];
  const { force, secrets } = request;
  const as = {
    ...(request.settings && { settings: settingsOf(bot) }),
    ...(secrets.length > 0 && { secrets: Object.fromEntries(secrets.map((secret) => [secret.name, secret])) }),
  };
  const options = { bridge, force, as, brought: samples };
  const tried = namesake && request.live ? await tryOut(there, namesake, version, options) : [];
  const told = requireAgreement(there, tried, { force, expression: 'live' });
  const { wants } = await wantsOf(projectId, sourcesOf(version));
  const gone = { version: version.number, to: `Project/${request.project}`, samples: samples.length };
  const tell = (outcome: 0 | 4) =>
    write(ctx, async (w) =>
      w.audit({ projectId, action: 'bot.promote', target: `Bot/${botId}`, outcome, after: gone }),
    );
  // What leaves the project stands in its log before it does; and that it did not arrive.
  await tell(0);
  const arrived = await arrive(there, actor, { request, bot, from, namesake, version, samples, told }).catch(
    async (error: unknown) => {
      await tell(4).catch((err: unknown) => log.error({ err }, 'a promotion that did not arrive could not be noted'));
      throw error;
    },
  );
  const loaded = await loadBot(request.project, arrived.id);
  const display = bot.name ? { display: bot.name } : {};
  return {
    bot: { reference: `Bot/${arrived.id}`, ...display },
    ...{ version: arrived.number, live: request.live, created: !namesake, copiedSamples: samples.length },
    keepsDraft: arrived.keepsDraft,
    samples: tried,
    refused: loaded ? refusedOf(loaded, wants) : [],
  };
}

/** Settings are of a bot, not of its versions: what is live would run with them, tried by nobody. */
async function requireNothingLive(projectId: string, botId: string): Promise<void> {
  if ((await findDeployed(db(), projectId, botId)) === undefined) return;
  const text = 'What is live there would have the settings at once: bring the version live, or without them';
  throw new AppError('invalid', text, { expression: 'settings' });
}

function otherThan(live: number): AppError {
  return new AppError('precondition-failed', `Version ${live} is live by now`, { expression: 'version' });
}

/** Before anything is said to have gone. */
async function requireAccess({ projectId, requiresPolicy }: Actor, accessPolicy: Reference | undefined): Promise<void> {
  if (accessPolicy) await requirePolicies(db(), projectId, { accessPolicy });
  else if (requiresPolicy) throw policyRequired();
}

function tryOut(
  ctx: Ctx,
  botId: string,
  { bundle, sourceMap }: Version,
  options: SampleOptions,
): Promise<SampleResult[]> {
  const key = `promoted-${createHash('sha256').update(bundle).digest('hex')}`;
  const code = { key, number: null, bundle, sourceMap: sourceMap ?? undefined };
  return runSamples(ctx, ctx.actor!.projectId, botId, code, options);
}

type Arrival = {
  request: PromoteRequest;
  bot: Bot;
  from: Row;
  namesake: string | undefined;
  version: Version;
  samples: readonly SampleRow[];
  told: Disagreed;
};

async function arrive(ctx: Ctx, actor: Actor, arrival: Arrival) {
  const { request, bot, from, namesake, version, samples, told } = arrival;
  const { projectId, profile } = actor;
  return write(ctx, async (w) => {
    const held = namesake
      ? requireLive(await lockRow(w.tx, projectId, 'Bot', namesake))
      : await make(w, actor, { bot, request });
    if (request.over !== undefined) await requireLiveIs(w.tx, projectId, held.id, request.over);
    const note = request.note ?? `Version ${version.number} of Bot/${from.id} in Project/${from.projectId}`;
    const number = await addVersion(w.tx, version, { projectId, botId: held.id, author: profile, note });
    const { filename, source, files } = version;
    const was = { ...toResource<Bot>(held), id: held.id };
    // Work that was saved there and is none of its versions would be gone: it stays.
    const keepsDraft = namesake !== undefined && (await holdsOwnDraft(w.tx, projectId, was));
    const draft = { filename, source, files: files ?? undefined };
    const changed = {
      ...toResource<Bot>(held),
      ...(request.settings && settingsOf(bot)),
      ...(!keepsDraft && { sourceCode: await toSourceCode(w.tx, projectId, was, draft) }),
    };
    const saved = await updateRow(w, held, changed, profile);
    const ended = request.live ? await setLive(w, saved, { number, filename: version.filename, author: profile }) : {};
    await keepSecrets(w, projectId, held.id, request.secrets);
    if (samples.length > 0) {
      await copySamples(w.tx, samples, { projectId, botId: held.id, author: profile });
      if ((await countSamples(w.tx, projectId, held.id)) > MOST_SAMPLES)
        throw new AppError('business-rule', `A bot has at most ${MOST_SAMPLES} samples`, { expression: 'samples' });
    }
    w.invalidate(botTag(held.id));
    const after = {
      ...{ version: number, from: `Project/${from.projectId}`, bot: `Bot/${from.id}`, fromVersion: version.number },
      ...{ live: request.live, samples: samples.length, keepsDraft, ...ended },
      ...told,
    };
    w.audit({ projectId, action: 'bot.promote', target: `Bot/${held.id}`, after });
    return { id: held.id, number, keepsDraft };
  });
}

/** Those that are set there already are replaced. */
async function keepSecrets(
  w: Write,
  projectId: string,
  botId: string,
  secrets: PromoteRequest['secrets'],
): Promise<void> {
  if (secrets.length === 0) return;
  await saveBotSecrets(w.tx, projectId, botId, { secrets, expression: 'secrets' });
  w.invalidate(botSecretsTag(projectId));
  w.audit({ projectId, action: 'bot.secret.set', target: `Bot/${botId}`, after: secrets.map(({ name }) => name) });
}

async function make(
  w: Write,
  { projectId, profile, user }: Actor,
  { bot, request }: Pick<Arrival, 'bot' | 'request'>,
): Promise<Row> {
  // Whoever makes it at once waits here. A policy of the caller's hides no bot from this: a second one of the name could not be promoted to.
  await lockName(w.tx, `promote:${projectId}`);
  if (await isNamed(w.tx, projectId, bot.identifier ?? []))
    throw new AppError('conflict', 'That project has a bot with this identifier by now', { expression: 'create' });
  await shareProject(w.tx, projectId);
  const { name, description, identifier, category } = bot;
  const made = { resourceType: 'Bot', name, description, identifier, category, ...settingsOf(bot) };
  return insertBot(w, projectId, JSON.parse(JSON.stringify(made)) as Bot, {
    author: profile,
    invitedBy: { reference: user },
    ...(request.accessPolicy && { access: { accessPolicy: request.accessPolicy } }),
  });
}

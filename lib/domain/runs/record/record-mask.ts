import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { Content } from '#lib/protocol/bots/masking/mask-run.ts';
import { createMask, type Mask } from '#lib/protocol/bots/secret-mask.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { botSecretsTag, projectTag } from '../../access/cache-tags.ts';
import { findNewestSecrets } from '../../bot-secrets/bot-secrets.ts';
import { loadSecrets } from '../../projects/project-secrets.ts';
import { maskResult } from '../mask-result.ts';
import { withoutTokens } from './without-tokens.ts';

type Known = { mask: Mask | undefined; characters: number };

/** Of bots' own secrets, the newest; and characters of values that are looked for, in one project and in all that are kept. */
const MOST_SECRETS = 1000;
const MOST_CHARACTERS = 512 * 1024;
/** Bytes, of which a character of a secret takes so many: it is looked for in many forms. */
const MOST_KEPT = 128 * 1024 * 1024;
const BYTES_OF_CHARACTER = 120;

const masks = createLiveCache<Known>(1000, {
  most: MOST_KEPT,
  sizeOf: ({ characters }) => characters * BYTES_OF_CHARACTER + 1,
});

/**
 * Finds the secrets of the project and of all its bots, and tokens of ours: one that a bot hands on, or writes where it makes another run, stands in that one's record. Kept
 * until one of them changes.
 */
export async function recordMask(projectId: string): Promise<Mask> {
  const known = await masks.get(projectId, async () => {
    const [shared, own] = await Promise.all([loadSecrets(projectId), findNewestSecrets(projectId, MOST_SECRETS)]);
    let characters = 0;
    // The short ones first: a long one is no reason not to look for many.
    const looked = [...shared, ...own].sort(byLength).filter(({ valueString = '' }) => {
      if (characters + valueString.length > MOST_CHARACTERS) return false;
      characters += valueString.length;
      return true;
    });
    const value = { mask: createMask(looked), characters };
    return { value, tags: [projectTag(projectId), botSecretsTag(projectId)] };
  });
  const { mask } = known;
  // Tokens last, since a text may be withheld as a whole.
  return async (text, options) => withoutTokens(mask ? await mask(text, options) : text);
}

function byLength({ valueString: one = '' }: ProjectSetting, { valueString: other = '' }: ProjectSetting): number {
  return one.length - other.length;
}

/** What a run is recorded with, without these secrets: nobody is ever shown one. */
export async function maskRecord<T extends { input: Content | null; result: RunResult }>(
  record: T,
  mask: Mask,
): Promise<T> {
  const { input } = record;
  const text = input && (await mask(input.text, { json: input.kind === 'json' }));
  return { ...record, input: input && { ...input, text }, result: await maskResult(record.result, mask) };
}

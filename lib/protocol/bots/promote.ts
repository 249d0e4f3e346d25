import { z } from 'zod';
import { accessPolicy, versionNote } from '../requests/create-bot.ts';
import { secretNameRequest } from '../requests/project-settings.ts';
import type { SampleResult } from './samples.ts';
import { MOST_OWN_SECRETS } from './secrets.ts';
import type { Refused } from './wants/wants.ts';

const project = z.uuid('project must be the id of a project').toLowerCase();
/** All of them at their longest, where two bytes make a character. */
export const PROMOTION_BODY_LIMIT = 8 * 1024 * 1024;
export const SECRET_CHARACTERS = 32_768;

const secret = z.strictObject({
  name: secretNameRequest,
  valueString: z.string().min(1, 'A secret needs a value').max(SECRET_CHARACTERS, 'At most 32,768 characters'),
});

/** POST /admin/projects/:id/bots/:botId/promote: what is live goes to the bot with the same identifier in another project of the caller's. */
export const promoteRequest = z.strictObject({
  project,
  /** What is live here, and there (0 for nothing), as the caller has seen it: 412 where another is by now. */
  version: z.int().positive().optional(),
  over: z.int().min(0).optional(),
  /** Live there at once; else it is a version that nothing runs on, and the draft. */
  live: z.boolean().default(false),
  /** Makes the bot where the project has none with an identifier of this one. */
  create: z.boolean().default(false),
  /** Of a bot that is made: a policy of that project, which its membership gets. */
  accessPolicy: accessPolicy.optional(),
  /** Also its time limit, allowed hosts and how it takes its input and rights; with `live` alone where something is live there, which would have them at once. */
  settings: z.boolean().default(false),
  /** Also its samples, which are data of patients; in place of those of the same name. */
  samples: z.boolean().default(false),
  /** Set for the bot there alone, as the caller says them here: none is read from this project. */
  secrets: z
    .array(secret)
    .max(MOST_OWN_SECRETS, `At most ${MOST_OWN_SECRETS}`)
    .refine((given) => new Set(given.map(({ name }) => name)).size === given.length, 'Each name may stand only once')
    .default([]),
  note: versionNote,
  /** Live also when samples of the bot there are not as expected. */
  force: z.boolean().default(false),
});
export type PromoteRequest = z.output<typeof promoteRequest>;

/** `refused`: what its source wants that would be refused there today; secrets go by their name, and never with their value. */
export type Promoted = {
  bot: { reference: string; display?: string };
  version: number;
  live: boolean;
  created: boolean;
  copiedSamples: number;
  /** The draft there was nobody's version, and stayed. */
  keepsDraft: boolean;
  samples: SampleResult[];
  refused: Refused[];
};

/** GET /admin/projects/:id/bots/:botId/promote?project=…&settings=true: what a promotion to that project would do, which changes nothing. */
export const promotionQuery = z.strictObject({ project, settings: z.enum(['true', 'false']).default('false') });
export type PromotionQuery = z.output<typeof promotionQuery>;

/** One of the bot's settings that would change there: as it is here, and there. Undefined where it says nothing. */
export type SettingChange = { name: string; here?: unknown; there?: unknown };

/**
 * `version`: what is live here, and goes. `bot`: which it goes to; null where that project has none, and one must be made. `next`: the number that it gets
 * there, `live` the one that is live there now, `isSame` whether that is the same source. `settings`: what `settings` would change, or bring to a new bot.
 * `refused`: what its source wants that would be refused there.
 */
export type Promotion = {
  version: number;
  bot: { reference: string; display?: string } | null;
  next: number;
  live: number | null;
  isSame: boolean;
  /** Whether the draft there has what none of its versions has: it stays then. */
  keepsDraft: boolean;
  settings: SettingChange[];
  refused: Refused[];
  /** Where one must be made: policies of that project by name, and whether it needs one of them. */
  made: { policies: { reference: string; display: string }[]; requiresPolicy: boolean } | null;
};

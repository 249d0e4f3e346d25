import { z } from 'zod';
import { versionNote } from '../requests/create-bot.ts';
import type { SampleResult } from './samples.ts';
import type { Refused } from './wants/wants.ts';

/** POST /admin/projects/:id/bots/:botId/promote: what is live goes to the bot with the same identifier in another project of the caller's. */
export const promoteRequest = z.strictObject({
  project: z.uuid('project must be the id of a project').toLowerCase(),
  /** Live there at once; else it is a version that nothing runs on, and the draft. */
  live: z.boolean().default(false),
  /** Makes the bot where the project has none with an identifier of this one. */
  create: z.boolean().default(false),
  /** Also its time limit, allowed hosts and how it takes its input and rights. */
  settings: z.boolean().default(false),
  /** Also its samples, which are data of patients; in place of those of the same name. */
  samples: z.boolean().default(false),
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
  samples: SampleResult[];
  refused: Refused[];
};

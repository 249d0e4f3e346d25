import type { BotFile } from './files.ts';

/**
 * GET /admin/projects/{id}/bots/{id}/source: the draft of a bot. `version` is that of the Bot resource, for If-Match. `from`: nobody has
 * edited the draft since something was deployed, and this is the code of that version, which is live.
 * `files`: the others, where it is many; of a draft that was saved without saying so, those of the live version of that name.
 */
export type BotSource = {
  code: string;
  filename: string;
  version: number;
  from: number | null;
  files?: BotFile[];
};

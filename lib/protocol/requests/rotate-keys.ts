import { z } from 'zod';

/** POST /admin/super/rotatekeys. `retire`: the older keys are not trusted any more, and every token made with them ends at once. */
export const rotateKeysRequest = z.strictObject({
  retire: z.boolean({ error: 'retire must be true or false' }).default(false),
});

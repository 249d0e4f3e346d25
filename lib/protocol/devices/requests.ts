import { z } from 'zod';
import { plainName } from '../requests/plain-name.ts';

/** Null: as it calls itself. */
export const nameDeviceRequest = z.object({ name: plainName('A name is required', 64).nullable() });

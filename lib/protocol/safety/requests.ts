import { z } from 'zod';
import { auditQuery } from '../requests/audit.ts';

/** From when on: an instant. */
export const safetyQuery = z.strictObject({ since: auditQuery.shape.from });
export type SafetyQuery = z.output<typeof safetyQuery>;

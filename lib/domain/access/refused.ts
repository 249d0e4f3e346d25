import { AppError } from '#lib/base/errors.ts';
import type { Interaction } from './rule.ts';

/** 403 by a policy, of a type or of one record that the caller knows of: what an administrator can look up. */
export function refused(type: string, interaction: Interaction, text = 'Forbidden', id?: string): AppError {
  return new AppError('forbidden', text, { refused: { type, interaction, ...(id !== undefined && { id }) } });
}

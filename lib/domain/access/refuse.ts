import { AppError } from '#lib/base/errors.ts';

/** Reasons that a program can tell apart, as `details.coding` of the outcome. */
export type Reason = 'owner' | 'last-admin' | 'self-demotion' | 'locked-out' | 'already-accepted' | 'directory';

/** 409 with a machine-readable reason. */
export function refuse(reason: Reason, text: string): AppError {
  return new AppError('conflict', text, {
    outcome: {
      resourceType: 'OperationOutcome',
      id: 'conflict',
      issue: [
        {
          severity: 'error',
          code: 'conflict',
          details: { coding: [{ system: 'urn:gatehouse:refusal', code: reason }], text },
        },
      ],
    },
  });
}

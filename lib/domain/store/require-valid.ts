import { AppError } from '#lib/base/errors.ts';
import { validateResource } from '#lib/protocol/fhir/validate/validate.ts';

/** Throws 400 with one issue for every fault, each naming its element. */
export function requireValid(resource: unknown, type: string): void {
  const issues = validateResource(resource, type);
  if (issues.length > 0) throw new AppError('structure', issues[0]!.text, { issues });
}

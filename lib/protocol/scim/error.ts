import type { AppError } from '#lib/base/errors.ts';
import { SCIM_ERROR } from './urns.ts';

export type ScimErrorBody = { schemas: [typeof SCIM_ERROR]; status: string; scimType?: string; detail: string };

/** RFC 7644 §3.12. The detail names every field that is wrong. */
export function toScimError(error: AppError, status: number): ScimErrorBody {
  const scimType = scimTypeOf(error);
  const faults = error.issues.map(({ text, expression }) => (expression ? `${expression}: ${text}` : text));
  const detail = faults.length > 0 ? [...new Set(faults)].join('; ') : error.message;
  return { schemas: [SCIM_ERROR], status: String(status), ...(scimType && { scimType }), detail };
}

/** What the RFC calls it, where it has a name for it. */
export function scimTypeOf({ code, options }: AppError): string | undefined {
  if (options.scim !== undefined) return options.scim;
  if (code === 'structure') return 'invalidSyntax';
  if (code === 'invalid') return 'invalidValue';
  return code === 'too-costly' ? 'tooMany' : undefined;
}

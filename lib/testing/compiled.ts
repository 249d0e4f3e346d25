import type { PolicySource } from '#lib/domain/access/entry-rules.ts';
import { compileSteps, type Policy } from '#lib/domain/access/policy.ts';

/** As `compilePolicy`, in one go. */
export function compiled(source: PolicySource): Policy {
  const steps = compileSteps(source);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

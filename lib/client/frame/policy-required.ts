'use client';
import { requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { useMe } from './me.ts';

/** Whether who has no policy reaches no record here, as the project's settings have it; else they reach every record. */
export function usePolicyRequired(): boolean {
  return requiresPolicy(useMe().data?.project ?? {});
}

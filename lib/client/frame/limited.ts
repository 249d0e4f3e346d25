'use client';
import { useMe } from './me.ts';

/** Whether a policy limits them to a part of the project: what holds data of anybody (inputs, samples, exports) is not for them, as the server has it. */
export function useLimited(): boolean {
  return useMe().data?.limited === true;
}

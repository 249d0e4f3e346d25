import type { DeviceQuestion } from '#lib/protocol/answers/authorization.ts';
import type { DeviceDecision } from '#lib/protocol/requests/authorization.ts';
import { api } from '../api/api.ts';

/** What the device asks whose code this is. */
export function readDevice(userCode: string): Promise<DeviceQuestion> {
  return api('/auth/device', { method: 'POST', signingIn: true, body: { userCode } });
}

export async function answerDevice(body: DeviceDecision): Promise<void> {
  await api('/auth/device/decision', { method: 'POST', signingIn: true, body });
}

/** Past the sign-in page, when nobody is signed in or somebody else is to be. */
export function toDeviceSignIn(userCode: string | undefined): string {
  const path = userCode ? `/device?${new URLSearchParams({ user_code: userCode })}` : '/device';
  return `/signin?${new URLSearchParams({ next: path })}`;
}

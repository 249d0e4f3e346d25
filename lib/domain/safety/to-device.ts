import type { OwnDevice } from '#lib/protocol/devices/answers.ts';
import type { DeviceRow } from '../devices/own-rows.ts';
import { describeAgent } from '../sessions/describe-agent.ts';

/** As its person sees it. `current`: the one that asks. */
export function toDevice(row: DeviceRow, current: string | null): OwnDevice {
  const { id, name, userAgent, remoteAddress, firstSeenAt, lastSeenAt } = row;
  return {
    id,
    name,
    ...describeAgent(userAgent),
    remoteAddress,
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    current: id === current,
  };
}

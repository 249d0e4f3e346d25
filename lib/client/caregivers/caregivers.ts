import type { CaregiverOutcome, CaregiverOutcomes } from '#lib/protocol/caregivers/answers.ts';
import { type CaregiversRequest, MOST_CAREGIVERS, MOST_PAIRS } from '#lib/protocol/caregivers/requests.ts';
import { api } from '../api/api.ts';

export type GivePatients = Omit<CaregiversRequest, 'members'> & { members: readonly string[] };

/**
 * As many requests as it takes, one after the other; `came` is told how many members are done. What one request fails with is thrown, and those
 * before it stand: sent again, they are as they should be already.
 */
export async function givePatients(
  projectId: string,
  { members, ...request }: GivePatients,
  came: (members: number) => void,
): Promise<CaregiverOutcome[]> {
  const size = Math.max(1, Math.min(MOST_CAREGIVERS, Math.floor(MOST_PAIRS / request.patients.length)));
  const all: CaregiverOutcome[] = [];
  for (let at = 0; at < members.length; at += size) {
    const some = members.slice(at, at + size).map((membership) => ({ membership }));
    const { rows } = await api<CaregiverOutcomes>(`/admin/projects/${projectId}/caregivers`, {
      method: 'POST',
      body: { ...request, members: some },
    });
    all.push(...rows);
    came(all.length);
  }
  return all;
}

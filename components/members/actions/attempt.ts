import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { whilePending } from '#lib/client/api/pending.ts';

type Work = () => Promise<void>;

/** Does `work` on a member for nobody who waits: a failure is said, and `refresh` shows what holds. */
export async function attempt(membershipId: string, work: Work, refresh: Work): Promise<void> {
  await whilePending(async () => {
    try {
      await work();
    } catch (error) {
      sayFailure(error as Error);
      await refresh();
    }
  }, membershipId);
}

import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
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

/** Somebody may have removed the member meanwhile: then there is nothing to do it to, which is said. Other failures go on. */
export async function unlessRemoved(work: Work, refresh: Work): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 410)) throw error;
    toast({
      title: 'No longer a member of this project',
      description: 'Somebody has removed them in the meantime. Nothing was changed.',
      tone: 'danger',
    });
    await refresh();
  }
}

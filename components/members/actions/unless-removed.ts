import { toast } from '#components/ui/feedback/toast.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';

type Work = () => Promise<void>;

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

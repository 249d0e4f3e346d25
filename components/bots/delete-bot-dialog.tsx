'use client';
import { useRouter } from 'next/navigation';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { dropDraftsOf } from '#lib/client/api/drafts.ts';
import { useDeleteBot } from '#lib/client/bots/bots.ts';
import type { Bot, Stored } from '#lib/protocol/fhir/types.ts';

export type DeleteBotDialogProps = { projectId: string; bot: Pick<Stored<Bot>, 'id' | 'name'>; onClose: () => void };

export function DeleteBotDialog({ projectId, bot, onClose }: DeleteBotDialogProps) {
  const remove = useDeleteBot(projectId);
  const router = useRouter();
  return (
    <ConfirmDialog
      danger
      title={`Delete ${bot.name || 'this bot'}?`}
      confirm="Delete the bot"
      typed={bot.name || undefined}
      onConfirm={async () => {
        await remove.mutateAsync(bot.id);
        dropDraftsOf(bot.id);
        router.replace(`/p/${projectId}/bots`);
        toast({ title: 'The bot is deleted' });
      }}
      onClose={onClose}
    >
      <p>
        Whoever calls it <strong>is refused at once</strong>, and its membership ends. What it wrote stays. This cannot
        be taken back; to pause a bot, turn it off in the list of bots.
      </p>
    </ConfirmDialog>
  );
}

'use client';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { ofVersion } from '#lib/client/bots/files/program.ts';
import { FileSides } from '../files/file-sides.tsx';
import type { BotEditor } from './use-bot-editor.ts';

/** Asked before a deploy replaces code that this draft never stood on. */
export function ReplaceLive({ editor }: { editor: BotEditor }) {
  const { replacing, files } = editor;
  if (!replacing) return null;
  const { number } = replacing;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || editor.closeReplacing()}
      className="max-w-6xl"
      title={`Replace version ${number}, which was deployed from elsewhere?`}
      description="It runs now, and this draft was not made from it. Nothing is deployed yet; what is replaced stays among the versions."
      footer={
        <>
          <Button onClick={editor.closeReplacing}>Cancel</Button>
          <Button onClick={() => editor.takeLive(replacing)}>Edit the live code</Button>
          <Button variant="danger" onClick={editor.replaceLive}>
            Deploy my draft
          </Button>
        </>
      }
    >
      <FileSides
        left={{ title: 'Your draft', files }}
        right={{ title: `Live: version ${number}`, files: ofVersion(replacing) }}
      />
    </Dialog>
  );
}

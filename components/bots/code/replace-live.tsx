'use client';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { CodeSides } from './code-sides.tsx';
import type { BotEditor } from './use-bot-editor.ts';

/** Asked before a deploy replaces code that this draft never stood on. */
export function ReplaceLive({ editor }: { editor: BotEditor }) {
  const { replacing, code } = editor;
  if (!replacing) return null;
  const { number, source } = replacing;
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
      <CodeSides
        sides={[
          { title: 'Your draft', code },
          { title: `Live: version ${number}`, code: source },
        ]}
      />
    </Dialog>
  );
}

'use client';
import { useRouter } from 'next/navigation';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { AsCode } from '#components/ui/display/as-code.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useDuplicateBot } from '#lib/client/bots/bots.ts';
import type { BotRow } from '#lib/protocol/bots/bots.ts';
import { createBotRequest } from '#lib/protocol/requests/create-bot.ts';

const schema = z.object({ name: createBotRequest.shape.name });
/** Of a name, with what stands before it. */
const LONGEST = 128;

/** A second bot of the same source and access; its editor opens. */
export function DuplicateDialog({ projectId, bot, onClose }: { projectId: string; bot: BotRow; onClose: () => void }) {
  const router = useRouter();
  const duplicate = useDuplicateBot(projectId);
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    schema,
    ['name'],
    async ({ name }) => {
      const made = await duplicate.mutateAsync({ from: bot.id, name });
      router.push(`/p/${projectId}/bots/${made.id}`);
    },
    { defaultValues: { name: `Copy of ${bot.name}`.slice(0, LONGEST) } },
  );
  const name = form.watch('name');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Duplicate ${bot.name}`}
      description="The same source, settings and access. What runs it by itself, its secrets and samples stay behind, and nothing is live."
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="Name" error={errorOf('name')}>
          <Input {...form.register('name')} autoComplete="off" />
        </Field>
        <AsCode
          label="This copy as code"
          call={() => ({ path: `/admin/projects/${projectId}/bots/${bot.id}/duplicate`, body: { name } })}
        />
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Duplicate</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

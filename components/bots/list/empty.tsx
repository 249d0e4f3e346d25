'use client';
import { CalendarClock, MessageSquareReply, UserPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useCreateBot } from '#lib/client/bots/bots.ts';
import { BOT_TEMPLATES, type BotTemplate } from '#lib/client/bots/templates.ts';
import { usePolicyRequired } from '#lib/client/frame/policy-required.ts';
import { PolicyField } from './policy-field.tsx';

const ICONS = { echo: MessageSquareReply, 'hl7-patient': UserPlus, 'new-patients': CalendarClock };

/** Three bots that run after one press. */
export function BotsEmpty({ projectId }: { projectId: string }) {
  const router = useRouter();
  const create = useCreateBot(projectId);
  const isRequired = usePolicyRequired();
  const [policy, setPolicy] = useState<string>();
  const [isTried, setTried] = useState(false);
  const [chosen, setChosen] = useState<BotTemplate['id']>();
  const start = async ({ id, name, description, code }: BotTemplate) => {
    setTried(true);
    if (isRequired && !policy) return;
    setChosen(id);
    try {
      const access = policy ? { accessPolicy: { reference: policy } } : {};
      const bot = await create.mutateAsync({ name, description, code, ...access });
      router.push(`/p/${projectId}/bots/${bot.id}?sample=${id}`);
    } catch (error) {
      setChosen(undefined);
      toast({ tone: 'danger', title: `${name} was not created`, description: (error as Error).message });
    }
  };
  return (
    <Card className="border-dashed bg-transparent p-6 shadow-none sm:p-8">
      <h2 className="text-center font-semibold text-[0.9375rem]">No bots yet</h2>
      <p className="mx-auto mt-1.5 max-w-md text-center text-muted">
        Start from one of these. Each is created, deployed and opened, ready to run and to change.
      </p>
      {isRequired ? (
        <div className="mx-auto mt-4 max-w-md">
          <PolicyField projectId={projectId} value={policy} onChange={setPolicy} isTried={isTried} />
        </div>
      ) : null}
      <ul className="mt-6 grid gap-3 lg:grid-cols-3">
        {BOT_TEMPLATES.map((template) => {
          const Icon = ICONS[template.id];
          return (
            <li key={template.id} aria-busy={chosen === template.id || undefined}>
              <Card className="flex h-full flex-col items-start gap-1 p-5">
                <span className="mb-3 grid size-9 place-items-center rounded-lg bg-accent-soft text-accent-text">
                  <Icon className="size-4.5" aria-hidden="true" />
                </span>
                <h3 className="font-semibold">{template.name}</h3>
                <p className="flex-1 text-muted">{template.description}</p>
                <Button
                  size="sm"
                  className="mt-4"
                  busy={chosen === template.id}
                  disabled={chosen !== undefined}
                  onClick={() => void start(template)}
                >
                  Create {template.name}
                </Button>
              </Card>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

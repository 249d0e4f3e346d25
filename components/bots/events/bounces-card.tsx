'use client';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { useProject, useSaveProject } from '#lib/client/settings/settings.ts';
import { MAIL_BOUNCES, readBouncesBot } from '#lib/protocol/bots/mail-bounces.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';

/** Whether this is the bot that hears of the project's mail that did not arrive: one of all, by a setting of the project. */
export function BouncesCard({ projectId, botId }: { projectId: string; botId: string }) {
  const project = useProject(projectId);
  const save = useSaveProject(projectId);
  const told = readBouncesBot(project.data?.setting ?? []);
  const turn = async (stored: Stored<Project>, isOn: boolean) => {
    const others = (stored.setting ?? []).filter(({ name }) => name !== MAIL_BOUNCES);
    const setting = isOn ? [...others, { name: MAIL_BOUNCES, valueString: `Bot/${botId}` }] : others;
    try {
      await save.mutateAsync({ project: stored, edit: { setting } });
      toast({ title: isOn ? 'It is told of mail that bounces' : 'It is not told of mail that bounces any more' });
    } catch (error) {
      void project.refetch();
      toast({ title: 'This stays as it is', description: (error as Error).message, tone: 'danger' });
    }
  };
  return (
    <SettingsCard
      id="mail-bounces"
      title="Mail that bounces"
      description="Mail of this project that came back or was complained of, where the mail service tells this server (RESEND_WEBHOOK_SECRET)."
      busy={save.isPending}
    >
      {project.data ? (
        <Toggle
          label="It is run with each"
          checked={told === botId}
          disabled={save.isPending}
          onCheckedChange={(isOn) => void turn(project.data, isOn)}
        >
          {told && told !== botId
            ? 'Another bot of this project is told now. This one would take its place.'
            : 'To whom it went, which mail it was, and why it came back.'}
        </Toggle>
      ) : project.error ? (
        <ErrorState error={project.error} what="this setting" onRetry={() => void project.refetch()} />
      ) : (
        <Skeleton className="h-10" />
      )}
    </SettingsCard>
  );
}

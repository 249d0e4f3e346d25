'use client';
import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { useProjectSave } from '#components/settings/use-project-save.ts';
import { Button } from '#components/ui/button.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import type { FormProblem } from '#lib/client/api/form-errors.ts';
import type { NewRegistrationTokenAnswer } from '#lib/protocol/answers/clients.ts';
import { APP_REGISTRATION, isOpenToApps } from '#lib/protocol/clients/registration.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { RegistrationTokens } from './registration-tokens.tsx';

const TokenForm = dynamic(() => import('./token-form.tsx').then((it) => it.TokenForm), {
  ssr: false,
  loading: DialogLoading,
});
const TokenDialog = dynamic(() => import('./token-dialog.tsx').then((it) => it.TokenDialog), {
  ssr: false,
  loading: DialogLoading,
});

/** Whether apps register themselves, and with which tokens. Each press is saved: what else the project is set to stays. */
export function AppRegistrationCard({ project }: { project: Stored<Project> }) {
  const { save, saving, conflict, takeTheirs } = useProjectSave(project);
  const [problem, setProblem] = useState<FormProblem>();
  const [making, make] = useState(false);
  const [told, tell] = useState<NewRegistrationTokenAnswer>();
  const isOn = isOpenToApps(project);

  async function store(on: boolean) {
    setProblem(undefined);
    const others = (project.setting ?? []).filter(({ name }) => name !== APP_REGISTRATION);
    try {
      // Somebody else has changed the settings: theirs are shown, and the press is made again on them.
      if (!(await save({ setting: [...others, { name: APP_REGISTRATION, valueBoolean: on }] }))) takeTheirs();
    } catch (error) {
      setProblem({ texts: [(error as Error).message] });
    }
  }

  return (
    <SettingsCard
      id="app-registration"
      title="Apps that register themselves"
      description="With a token that you give to whoever makes them. They sign people in, and have no rights of their own."
      busy={saving}
      action={
        isOn ? (
          <Button size="sm" onClick={() => make(true)}>
            <Plus aria-hidden="true" />
            New token
          </Button>
        ) : null
      }
    >
      <Toggle
        label="Apps may register themselves"
        checked={isOn}
        disabled={saving || conflict !== undefined}
        onCheckedChange={(on) => void store(on)}
      >
        Turned off, no token is good; apps that have registered stay, among the clients.
      </Toggle>
      {isOn ? <RegistrationTokens projectId={project.id} /> : null}
      <FormProblemAlert problem={problem} />
      {making ? (
        <TokenForm
          projectId={project.id}
          onMade={(token) => {
            make(false);
            tell(token);
          }}
          onClose={() => make(false)}
        />
      ) : null}
      {told ? <TokenDialog told={told} onClose={() => tell(undefined)} /> : null}
    </SettingsCard>
  );
}

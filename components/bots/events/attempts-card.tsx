'use client';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { type AttemptsForm, toAttempts, toAttemptsForm } from '#lib/client/bots/connections/attempts-form.ts';
import { useBotPart } from '#lib/client/bots/connections/connections.ts';
import { MOST_ATTEMPTS } from '#lib/protocol/bots/event-attempts.ts';
import type { Bot, Stored } from '#lib/protocol/fhir/types.ts';
import { PartCard } from './part-card.tsx';

/** How often a bot is run with an event of which nobody else says that. */
export function AttemptsCard({ projectId, bot }: { projectId: string; bot: Stored<Bot> }) {
  const part = useBotPart<AttemptsForm>({ projectId, bot, name: 'attempts', read: toAttemptsForm, write: toAttempts });
  const { form, change } = part;
  return (
    <PartCard
      id="attempts"
      title="Attempts"
      description="How often the bot is run with a time of its schedule, or a mail that bounced, until it does not fail. After the last it is a dead letter. Of Subscriptions and HL7 v2 feeds these say it themselves."
      saveLabel="Save attempts"
      part={part}
      isWhole={form.attempts.trim() === '' || isCount(form.attempts)}
    >
      <Field label="Attempts" optional description={`All together, 1 to ${MOST_ATTEMPTS}; one when empty.`}>
        <Input
          value={form.attempts}
          onValueChange={(attempts) => change({ attempts })}
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
          className="sm:max-w-24"
        />
      </Field>
    </PartCard>
  );
}

function isCount(text: string): boolean {
  return /^[1-9]\d?$/.test(text.trim()) && Number(text) <= MOST_ATTEMPTS;
}

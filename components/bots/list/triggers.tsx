import { Cable, CalendarClock, MailX, Rss, Webhook } from 'lucide-react';
import { type BotTrigger, TRIGGERS } from '#lib/protocol/bots/triggers.ts';

const ICONS = { subscription: Rss, cron: CalendarClock, webhook: Webhook, hl7: Cable, mail: MailX };

/** What runs a bot beside a call, as icons with their names. */
export function TriggerIcons({ triggers }: { triggers: readonly BotTrigger[] }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-muted">
      {triggers.map((trigger) => {
        const Icon = ICONS[trigger];
        return (
          <span key={trigger} title={TRIGGERS[trigger]}>
            <Icon className="size-4" aria-hidden="true" />
            <span className="sr-only">{TRIGGERS[trigger]}</span>
          </span>
        );
      })}
    </span>
  );
}

import { Ellipsis } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import type { BotRow } from '#lib/protocol/bots/bots.ts';
import type { BotEntries } from './use-bot-actions.ts';

/** Above the link that the whole row is. */
export function BotMenu({ bot, entriesOf }: { bot: BotRow; entriesOf: BotEntries }) {
  return (
    <span className="relative z-1">
      <MenuButton
        entries={() => entriesOf(bot)}
        trigger={
          <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${bot.name}`}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      />
    </span>
  );
}

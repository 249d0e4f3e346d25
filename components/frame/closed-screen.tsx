import { Card } from '#components/ui/display/card.tsx';
import { NoPermission } from '#components/ui/feedback/no-permission.tsx';
import { PageHeading } from './page-heading.tsx';
import type { Screen } from './screens.ts';

/** Instead of a page that would only be refused: which role it needs. */
export function ClosedScreen({ screen }: { screen: Screen }) {
  return (
    <>
      <PageHeading title={screen.label} />
      <Card>
        <NoPermission what={screen.admin ?? ''} />
      </Card>
    </>
  );
}

import { Card } from '#components/ui/display/card.tsx';
import { NoPermission } from '#components/ui/feedback/no-permission.tsx';
import { PageHeading } from './page-heading.tsx';
import type { Screen } from './screens.ts';

/** What is not called as its screen is: else "the members of this project". */
const WORDS: Record<string, string> = {
  '/access-test': 'what members of this project may do',
  '/break-glass': 'who took emergency access in this project',
  '/hl7-feeds': 'the HL7 v2 feeds of this project',
  '/settings': 'the settings of this project',
};

/** Instead of a page that would only be refused: which role it needs. */
export function ClosedScreen({ screen }: { screen: Screen }) {
  return (
    <>
      <PageHeading title={screen.label} />
      <Card>
        <NoPermission what={WORDS[screen.path] ?? `the ${screen.label.toLowerCase()} of this project`} />
      </Card>
    </>
  );
}

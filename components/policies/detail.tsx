'use client';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useEffect } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { PolicyEffect } from '#components/sight/policy-effect.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { TabPanel, Tabs } from '#components/ui/display/tabs.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { policyQuery, type StoredPolicy } from '#lib/client/policies/policies.ts';
import { toText } from '#lib/client/policies/policy-text.ts';
import { PolicyConflict } from './conflict.tsx';
import { EditorPanes } from './editor/editor-panes.tsx';
import { TemplateField } from './editor/template-field.tsx';
import { usePolicyEditor } from './editor/use-policy-editor.ts';
import { PolicyHeading } from './heading.tsx';
import { PolicyHistory } from './history/history.tsx';
import { BrokenTests } from './tests/broken-tests.tsx';
import { PolicyTests } from './tests/policy-tests.tsx';

const NEW = toText({ resourceType: 'AccessPolicy', name: '', resource: [] });
// What looks at a policy from elsewhere (who is touched, test access) has its tab here.
const TABS = [
  { value: 'rules', label: 'Rules' },
  { value: 'tests', label: 'Tests' },
  { value: 'history', label: 'History' },
] as const;

export type PolicyDetailProps = {
  projectId: string;
  /** Undefined: a new one. */
  policyId: string | undefined;
};

export function PolicyDetail({ projectId, policyId }: PolicyDetailProps) {
  const policy = useQuery({ ...policyQuery(projectId, policyId ?? ''), enabled: policyId !== undefined });
  const name = policyId ? policy.data?.name : 'New policy';
  useEffect(() => {
    setBreadcrumbLeaf(name);
    return () => setBreadcrumbLeaf(undefined);
  }, [name]);
  if (policyId && !policy.data) {
    return policy.error ? (
      <Card>
        <ErrorState error={policy.error} what="this access policy" onRetry={() => void policy.refetch()} />
      </Card>
    ) : (
      <Waiting />
    );
  }
  return <Loaded projectId={projectId} stored={policy.data} />;
}

function Loaded({ projectId, stored }: { projectId: string; stored: StoredPolicy | undefined }) {
  const editor = usePolicyEditor(projectId, stored, NEW);
  const router = useRouter();
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(['rules', 'tests', 'history']).withDefault('rules'));
  const save = () =>
    editor.save((saved) => {
      if (!stored) router.replace(`/p/${projectId}/access-policies/${saved.id}`);
    });
  return (
    <>
      <PolicyHeading projectId={projectId} stored={stored} editor={editor} onSave={() => void save()} />
      {stored ? (
        <Tabs value={tab} onValueChange={(next) => void setTab(next)} label="About this policy" tabs={TABS}>
          <TabPanel value="rules" keep>
            <EditorPanes projectId={projectId} own={`AccessPolicy/${stored.id}`} editor={editor} />
            {editor.policy && editor.dirty ? (
              <Card className="mt-5 p-4">
                <h2 className="mb-3 font-medium text-sm">Before it is saved</h2>
                <PolicyEffect projectId={projectId} policyId={stored.id} draft={editor.policy} />
              </Card>
            ) : null}
          </TabPanel>
          <TabPanel value="tests">
            <PolicyTests projectId={projectId} policyId={stored.id} editor={editor} />
          </TabPanel>
          <TabPanel value="history">
            <PolicyHistory projectId={projectId} stored={stored} />
          </TabPanel>
        </Tabs>
      ) : (
        <>
          <TemplateField onChoose={editor.changePolicy} />
          <EditorPanes projectId={projectId} own={undefined} editor={editor} />
        </>
      )}
      <PolicyConflict editor={editor} />
      {editor.broken ? (
        <BrokenTests
          issues={editor.broken.issues}
          busy={editor.busy}
          label="Save all the same"
          onAnyway={editor.broken.anyway}
          onClose={editor.closeBroken}
        />
      ) : null}
    </>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading the policy" className="flex flex-col gap-6">
      <Skeleton className="h-6 w-52" />
      <Skeleton className="h-9 w-64" />
      <div className="grid gap-5 lg:grid-cols-2">
        <Skeleton className="h-96" />
        <Skeleton className="h-96 max-lg:hidden" />
      </div>
    </SkeletonRegion>
  );
}

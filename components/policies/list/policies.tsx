'use client';
import { Plus, SearchX, ShieldCheck } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { parseAsInteger, parseAsString, useQueryStates } from 'nuqs';
import { useRef } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Pager } from '#components/ui/display/pager.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { FilterBar } from '#components/ui/form/filter-bar.tsx';
import { SearchBox } from '#components/ui/form/search-box.tsx';
import { usePolicyRequired } from '#lib/client/frame/policy-required.ts';
import { POLICY_PAGE, useAccessPolicies } from '#lib/client/policies/policies.ts';
import { PoliciesCards } from './cards.tsx';
import { GonePolicies } from './gone.tsx';
import { PoliciesTable } from './table.tsx';

const parsers = { q: parseAsString.withDefault(''), page: parseAsInteger.withDefault(1) };

/** What the members of a project may do, by the policies that say it. */
export function Policies({ projectId }: { projectId: string }) {
  const [view, setView] = useQueryStates(parsers, { history: 'push' });
  const isRequired = usePolicyRequired();
  const q = view.q;
  const page = Math.max(1, view.page);
  const policies = useAccessPolicies(projectId, { q, page });
  const { rows, total = 0 } = policies.data ?? {};
  const area = useRef<HTMLDivElement>(null);
  const router = useRouter();
  const open = (id: string) => router.push(`/p/${projectId}/access-policies/${id}`);
  useRowKeys(area, { peek: open, edit: open }, { c: () => rows && open('new') });
  const create = (
    <Button variant="primary" onClick={() => open('new')}>
      <Plus aria-hidden="true" />
      New policy
    </Button>
  );
  return (
    <div ref={area}>
      <PageHeading title="Access policies" actions={rows ? create : null}>
        What members, bots and clients of this project may read and change.
      </PageHeading>
      {policies.error && !rows ? (
        <Card>
          <ErrorState
            error={policies.error}
            what="the access policies of this project"
            onRetry={() => void policies.refetch()}
          />
        </Card>
      ) : (
        <>
          <p role="status" className="sr-only">
            {rows ? `${total} ${total === 1 ? 'policy' : 'policies'}` : ''}
          </p>
          <GonePolicies projectId={projectId} gone={policies.data?.gone ?? []} />
          <FilterBar onClear={q ? () => void setView(null) : undefined}>
            <SearchBox
              label="Search policies by name"
              placeholder="Name"
              value={q}
              onSearch={(next) => void setView({ q: next, page: null })}
              className="w-full sm:w-72"
            />
          </FilterBar>
          {rows?.length === 0 ? (
            <Card>
              {q || page > 1 ? (
                <EmptyState
                  icon={<SearchX />}
                  title="No policy matches"
                  action={<Button onClick={() => void setView(null)}>Show all policies</Button>}
                >
                  Nothing has that in its name.
                </EmptyState>
              ) : (
                <EmptyState icon={<ShieldCheck />} title="No policies yet" action={create}>
                  Who has no policy reaches {isRequired ? 'no' : 'every'} record of the project. A policy says what
                  somebody may read and change, and what they do not see.
                </EmptyState>
              )}
            </Card>
          ) : (
            <>
              <PoliciesTable projectId={projectId} policies={rows} />
              <PoliciesCards projectId={projectId} policies={rows} />
            </>
          )}
          {rows && rows.length > 0 ? (
            <Pager page={page} size={POLICY_PAGE} total={total} onPage={(next) => void setView({ page: next })} />
          ) : null}
        </>
      )}
    </div>
  );
}

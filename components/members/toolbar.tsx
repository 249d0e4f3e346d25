'use client';
import { FilterBar } from '#components/ui/form/filter-bar.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { SearchBox } from '#components/ui/form/search-box.tsx';
import type { PolicyChoice } from '#lib/client/access/policies.ts';
import type { MemberSearch } from '#lib/client/members/members.ts';
import { MEMBER_STATUS_WORDS, MEMBER_STATUSES } from '#lib/protocol/answers/member-status.ts';

const TYPES = [
  { value: 'people', label: 'All people' },
  { value: 'Practitioner', label: 'Practitioners' },
  { value: 'Patient', label: 'Patients' },
  { value: 'RelatedPerson', label: 'Related persons' },
  { value: 'ClientApplication', label: 'Clients' },
  { value: 'Bot', label: 'Bots' },
] as const;

const ROLES = [
  { value: 'any', label: 'Any role' },
  { value: 'admin', label: 'Admins' },
  { value: 'member', label: 'Members' },
] as const;

const STATES = [
  { value: 'any', label: 'Any status' },
  ...MEMBER_STATUSES.map((value) => ({ value, label: MEMBER_STATUS_WORDS[value] })),
] as const;

const FACTORS = [
  { value: 'all', label: 'Any factor' },
  { value: 'none', label: 'Password only' },
  { value: 'any', label: 'Second factor' },
  { value: 'passkey', label: 'Passkey' },
] as const;

export type MembersToolbarProps = {
  policies: readonly PolicyChoice[];
  search: MemberSearch;
  change: (next: Partial<MemberSearch>) => void;
  clear: () => void;
  filtered: boolean;
};

export function MembersToolbar({ search, policies, change, clear, filtered }: MembersToolbarProps) {
  const choices = policies.map(({ reference, name }) => ({ value: reference.split('/')[1] ?? '', label: name }));
  return (
    <FilterBar onClear={filtered ? clear : undefined}>
      <SearchBox
        label="Search members by name or e-mail"
        placeholder="Name or e-mail"
        value={search.q}
        onSearch={(q) => change({ q })}
        className="w-full sm:w-64"
      />
      <FilterSelect
        aria-label="Type"
        value={search.type}
        onValueChange={(type) => change({ type })}
        options={TYPES}
        className="min-w-34 max-sm:flex-1"
      />
      <FilterSelect
        aria-label="Role"
        value={search.role}
        onValueChange={(role) => change({ role })}
        options={ROLES}
        className="min-w-28 max-sm:flex-1"
      />
      <FilterSelect
        aria-label="Status"
        value={search.status}
        onValueChange={(status) => change({ status })}
        options={STATES}
        className="min-w-30 max-sm:flex-1"
      />
      <FilterSelect
        aria-label="Second factor"
        value={search.factor}
        onValueChange={(factor) => change({ factor })}
        options={FACTORS}
        className="min-w-28 max-sm:flex-1"
      />
      {choices.length > 0 ? (
        <FilterSelect
          aria-label="Policy"
          value={search.policy}
          onValueChange={(policy) => change({ policy })}
          options={[{ value: '', label: 'Any policy' }, ...choices]}
          className="max-w-48 max-sm:max-w-none max-sm:flex-1"
        />
      ) : null}
    </FilterBar>
  );
}

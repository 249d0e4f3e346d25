'use client';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { type PolicyChoice, usePolicies } from '#lib/client/access/policies.ts';
import { useDraft } from '#lib/client/api/use-draft.ts';
import { DEFAULT_POLICY_TYPES, type DefaultPolicyType } from '#lib/client/settings/settings.ts';
import type { DefaultPolicy, Project, Stored } from '#lib/protocol/fhir/types.ts';
import { requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { ChosenCard } from './chosen-card.tsx';

const LABELS: Record<DefaultPolicyType, { label: string; note: string }> = {
  Practitioner: { label: 'Practitioners', note: 'Staff without the admin role' },
  Admin: { label: 'Administrators', note: 'Practitioners with the admin role' },
  Patient: { label: 'Patients', note: 'Each sees the own record, if the policy says so' },
  RelatedPerson: { label: 'Related persons', note: 'The policy gets the patient they belong to' },
};

const NONE = 'none';
type Chosen = Record<DefaultPolicyType, string>;

/** What a new member may do when the invite names no policy. */
export function DefaultAccessCard({ project }: { project: Stored<Project> }) {
  const policies = usePolicies(project.id);
  const [edits, setEdits] = useDraft<Partial<Chosen>>(`default-access:${project.id}`);
  const isRequired = requiresPolicy(project);
  const stored = toChosen(project);
  const chosen: Chosen = { ...stored, ...edits };
  const dirty = DEFAULT_POLICY_TYPES.some((type) => chosen[type] !== stored[type]);

  return (
    <ChosenCard
      project={project}
      id="default-access"
      title="Defaults for invites"
      description="The access policy that new members get when the invite names none. Present members keep theirs."
      saveLabel="Save defaults"
      isDirty={dirty}
      toEdit={() => ({ defaultAccessPolicies: toDefaults(chosen, policies.data ?? []) })}
      toRows={(theirs) => {
        const nameOf = (reference: string) =>
          toOptions(policies.data ?? [], reference, isRequired).find(({ value }) => value === reference)!.label;
        return toRows(chosen, toChosen(theirs), nameOf);
      }}
      onDiscard={() => setEdits(undefined)}
    >
      {policies.data ? (
        <ul className="divide-y divide-line">
          {DEFAULT_POLICY_TYPES.map((type) => (
            <li key={type} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <div className="min-w-48 flex-1">
                <p className="font-medium">{LABELS[type].label}</p>
                <p className="text-[0.8125rem] text-muted">{LABELS[type].note}</p>
              </div>
              <Select
                aria-label={`Default access of ${LABELS[type].label.toLowerCase()}`}
                value={chosen[type]}
                options={toOptions(policies.data, chosen[type], isRequired)}
                onValueChange={(value) => setEdits({ ...edits, [type]: value })}
                className="w-full truncate sm:w-80"
              />
            </li>
          ))}
        </ul>
      ) : policies.error ? (
        <ErrorState error={policies.error} what="the access policies" onRetry={() => void policies.refetch()} />
      ) : (
        <SkeletonRegion label="Loading policies" className="flex flex-col gap-6 py-4">
          {DEFAULT_POLICY_TYPES.map((type) => (
            <Skeleton key={type} className="h-9" />
          ))}
        </SkeletonRegion>
      )}
    </ChosenCard>
  );
}

function toChosen({ defaultAccessPolicies = [] }: Project): Chosen {
  const referenceOf = (type: DefaultPolicyType) =>
    defaultAccessPolicies.find(({ profileType }) => profileType === type)?.accessPolicy.reference ?? NONE;
  return Object.fromEntries(DEFAULT_POLICY_TYPES.map((type) => [type, referenceOf(type)])) as Chosen;
}

function toDefaults(chosen: Chosen, policies: readonly PolicyChoice[]): DefaultPolicy[] {
  return DEFAULT_POLICY_TYPES.filter((type) => chosen[type] !== NONE).map((profileType) => {
    const reference = chosen[profileType];
    const display = policies.find((policy) => policy.reference === reference)?.name;
    return { profileType, accessPolicy: { reference, ...(display && { display }) } };
  });
}

/** A policy that is chosen but gone stays to be seen. */
function toOptions(policies: readonly PolicyChoice[], chosen: string, isRequired: boolean) {
  const known = policies.map(({ reference, name }) => ({ value: reference, label: name }));
  const isGone = chosen !== NONE && !known.some(({ value }) => value === chosen);
  return [
    { value: NONE, label: isRequired ? 'None: each invite names one' : 'No policy: full access' },
    ...known,
    ...(isGone ? [{ value: chosen, label: 'A policy that is gone' }] : []),
  ];
}

function toRows(mine: Chosen, theirs: Chosen, nameOf: (reference: string) => string) {
  return DEFAULT_POLICY_TYPES.filter((type) => mine[type] !== theirs[type]).map((type) => ({
    label: LABELS[type].label,
    mine: nameOf(mine[type]),
    theirs: nameOf(theirs[type]),
  }));
}
